import Foundation

/// SQLite's library, found when the benchmark runs: nothing needs it to build.
final class LocalSQLite {
    private typealias Open = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    private typealias Execute =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>, OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32
    private typealias Prepare =
        @convention(c) (
            OpaquePointer?, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<OpaquePointer?>, OpaquePointer?
        ) -> Int32
    private typealias Bind = @convention(c) (OpaquePointer?, Int32, UnsafePointer<CChar>, Int32, Int) -> Int32
    private typealias Use = @convention(c) (OpaquePointer?) -> Int32

    /// The file names under which it is looked for.
    private static let names = ["libsqlite3.so.0", "libsqlite3.so", "libsqlite3.dylib"]

    private let bind: Bind
    private let step: Use
    private let reset: Use
    private let finalize: Use
    private let close: Use
    private var database: OpaquePointer?
    private var statement: OpaquePointer?

    /// Opens a database with a write-ahead log and full synchronisation; `nil` where the library is not installed.
    init?(_ path: String) throws {
        guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else { return nil }
        func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
            guard let symbol = dlsym(library, name) else { throw CocoaError(.featureUnsupported) }
            return unsafeBitCast(symbol, to: type)
        }
        bind = try function("sqlite3_bind_text", as: Bind.self)
        step = try function("sqlite3_step", as: Use.self)
        reset = try function("sqlite3_reset", as: Use.self)
        finalize = try function("sqlite3_finalize", as: Use.self)
        close = try function("sqlite3_close", as: Use.self)
        let open = try function("sqlite3_open", as: Open.self)
        let execute = try function("sqlite3_exec", as: Execute.self)
        let prepare = try function("sqlite3_prepare_v2", as: Prepare.self)
        var database: OpaquePointer?
        guard open(path, &database) == 0 else { throw CocoaError(.fileReadUnknown) }
        let schema =
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT)"
        guard execute(database, schema, nil, nil, nil) == 0 else { throw CocoaError(.fileWriteUnknown) }
        self.database = database
        guard prepare(database, "INSERT OR REPLACE INTO entries VALUES (?, ?)", -1, &statement, nil) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        begin = { execute(database, "BEGIN", nil, nil, nil) }
        commit = { execute(database, "COMMIT", nil, nil, nil) }
    }

    private let begin: () -> Int32
    private let commit: () -> Int32

    deinit {
        _ = finalize(statement)
        _ = close(database)
    }

    /// Sets a value, on the disk when it returns.
    func set(_ value: String, for key: String) throws {
        // -1: SQLite makes copies.
        guard bind(statement, 1, key, -1, -1) == 0, bind(statement, 2, value, -1, -1) == 0, step(statement) == 101,
            reset(statement) == 0
        else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Sets several values as one.
    func fill(_ values: [(String, String)]) throws {
        guard begin() == 0 else { throw CocoaError(.fileWriteUnknown) }
        for (key, value) in values { try set(value, for: key) }
        guard commit() == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
