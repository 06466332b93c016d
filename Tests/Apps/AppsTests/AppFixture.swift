import AccountCore
import Foundation
import LocalProvider
import PictureAPIs
import TestSupport
import Testing

/// A flavour's program with a separate data folder and picture services on a loopback port.
struct AppFixture {
    /// The flavours that are built.
    enum FlavourName: String, CaseIterable, Sendable {
        case dog = "Dog"
        case cat = "Cat"
    }

    /// The distance from UTC, in hours, of the zone of the programs. It is noon there, so that no test is over a midnight.
    static let hoursFromUTC = 12 - Int(Date().timeIntervalSince1970) / 3600 % 24

    let flavour: FlavourName
    let folder: TemporaryDirectory
    let server: PictureAPIServer

    init(_ flavour: FlavourName = .dog, fault: FaultRule? = nil) throws {
        self.flavour = flavour
        folder = try TemporaryDirectory("apps")
        server = try PictureAPIServer(fault: fault)
    }

    /// Stores the state of a returning guest, so that the app starts with the list.
    func storeGuest() async throws {
        let account = AccountService.embedded(
            location: FileStoreLocation(directory: "\(folder.path)/\(flavour.rawValue.lowercased())"),
            keyPath: "\(folder.path)/keys/\(flavour.rawValue.lowercased()).key",
            options: AccountService.Options(version: "0.1.0")
        )
        try await account.finishTutorial()
        try await account.continueAsGuest()
    }

    /// Where the program is.
    var executable: URL { ChildProcess.productsDirectory.appendingPathComponent(flavour.rawValue) }

    /// The variables that restrict it to the fixture: nothing of the person who runs the tests is read or written.
    var environment: [String: String?] {
        [
            "PAWKIT_DATA_DIR": folder.path,
            "PAWKIT_IMAGE_API": server.baseURL,
            "HOME": folder.path,
            "XDG_DATA_HOME": nil,
            "XDG_CONFIG_HOME": nil,
            "NO_COLOR": nil,
            "COLORTERM": "truecolor",
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            // POSIX counts west of UTC.
            "TZ": "NOON\(-Self.hoursFromUTC)",
        ]
    }

    /// The local time of the programs in some minutes, as the due time of a todo is typed.
    func time(in minutes: Double) -> String {
        let formatter = DateFormatter()
        (formatter.locale, formatter.dateFormat) = (Locale(identifier: "en_US_POSIX"), "yyyy-MM-dd HH:mm")
        formatter.timeZone = TimeZone(secondsFromGMT: Self.hoursFromUTC * 3600)
        return formatter.string(from: Date().addingTimeInterval(minutes * 60))
    }

    /// Runs a command to its end.
    func run(_ arguments: String..., input: String = "", environment more: [String: String?] = [:]) async throws
        -> ChildResult
    {
        try await run(arguments, input: Data(input.utf8), environment: more)
    }

    /// Runs a command to its end, on any input.
    func run(_ arguments: [String], input: Data = Data(), environment more: [String: String?] = [:]) async throws
        -> ChildResult
    {
        try await ChildProcess.run(executable, arguments, environment: environment.merging(more) { $1 }, input: input)
    }

    /// Runs a command with `--json` and reads its document.
    func json(_ arguments: String...) async throws -> [String: Any] { try await document(arguments) }

    private func document(_ arguments: [String]) async throws -> [String: Any] {
        let result = try await run(arguments + ["--json"])
        try #require(!result.standardOutput.isEmpty, "\(arguments): \(result.status), \(result.errors)")
        return try JSONSerialization.jsonObject(with: result.standardOutput) as? [String: Any] ?? [:]
    }

    /// The todos that a command lists or changes.
    func todos(_ arguments: String...) async throws -> [[String: Any]] {
        try await document(arguments)["todos"] as? [[String: Any]] ?? []
    }

    /// Adds a todo and returns its name.
    func add(_ arguments: String...) async throws -> String {
        let todos = try await document(["todo", "add"] + arguments)["todos"] as? [[String: Any]]
        return todos?.first?["id"] as? String ?? ""
    }
}
