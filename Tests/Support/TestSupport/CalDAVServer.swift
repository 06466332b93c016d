public import Foundation
import Threading

/// The CalDAV servers that tests use if they are installed: Debian's package `radicale`, and those that `.ci/run` installs into
/// `.build/caldav-servers`.
public enum CalDAVServerKind: String, CaseIterable, Sendable, CustomStringConvertible {
    case debianRadicale, radicale, xandikos, xandikosWithTLS

    /// The servers that are installed.
    public static let installed = allCases.filter { $0.program != nil }

    /// The name of the server.
    public var description: String { rawValue }
    /// Whether it is a Radicale, of any version.
    public var isRadicale: Bool { self == .debianRadicale || self == .radicale }
    /// Whether it is installed.
    public var isInstalled: Bool { program != nil }

    /// The program; nil if it is not installed.
    fileprivate var program: URL? { self == .debianRadicale ? Programs.find("radicale") : Self.python }

    /// The Python of `.build/caldav-servers`; nil if it is not installed.
    private static let python = installed("python")
    /// The same, if it has vdirsyncer and todoman, which are its modules.
    public static let peers = installed("vdirsyncer") == nil || installed("todo") == nil ? nil : python

    private static func installed(_ name: String) -> URL? {
        let file = Project.root.appendingPathComponent(".build/caldav-servers/bin/\(name)")
        return FileManager.default.isExecutableFile(atPath: file.path) ? file : nil
    }

    fileprivate func arguments(_ port: UInt16, _ folder: TemporaryDirectory) -> [String] {
        let (users, data) = (folder.file("users").path, folder.file("data").path)
        switch self {
        case .debianRadicale, .radicale:
            return (self == .radicale ? ["-m", "radicale"] : []) + [
                "--config", "", "--server-hosts", "127.0.0.1:\(port)", "--auth-type", "htpasswd",
                "--auth-htpasswd-filename", users,
                "--auth-htpasswd-encryption", "plain", "--auth-delay", "0", "--storage-filesystem-folder", data,
                "--logging-level", "info",
            ]
        case .xandikos, .xandikosWithTLS:
            let common = [
                "-m", "xandikos", "serve", "-d", data, "--state-dir", folder.file("state").path, "--defaults", "-p",
                "\(port)",
                "--current-user-principal", "/dog/",
            ]
            // Without TLS it knows no users.
            return common
                + (self == .xandikos ? ["-l", "127.0.0.1"] : ["-l", "localhost", "--autocert", "--htpasswd", users])
        }
    }
}

/// A process of a CalDAV server on a free loopback port, with an account `dog`; it ends with the object.
public final class CalDAVServer: @unchecked Sendable {
    /// Each server has a port of its own, below those that the system assigns to the other servers of the tests.
    private static let nextPort = Locked(UInt16(10_000 + getpid() % 200 * 100))

    /// The server.
    public let kind: CalDAVServerKind
    /// The folder of its data.
    public let folder: TemporaryDirectory
    /// Its port.
    public let port: UInt16
    private var process: Process

    /// Starts a server, and waits until it accepts connections.
    ///
    /// - Throws: ``ToolFailure`` if it is not installed or does not start.
    public init(_ kind: CalDAVServerKind) async throws {
        let folder = try TemporaryDirectory("caldav")
        // The password `secret1`, for xandikos by bcrypt with the smallest cost.
        let password = kind.isRadicale ? "secret1" : "$2b$04$RiVk57MrvEumHdKNyRFbNukoVfHQAPcgsneQvYm.l7DthWbsHvzLC"
        try folder.write("dog:\(password)\n", to: "users")
        guard let program = kind.program else { throw ToolFailure(description: "\(kind) is not installed") }
        for _ in 0..<5 {
            let port = CalDAVServer.nextPort.withLock { next in
                next += 1
                return next
            }
            guard !LoopbackPort.answers(port) else { continue }
            let process = try Self.launch(program, kind, port, folder)
            // Another process's server may answer at the port, and this one end as soon as it finds that.
            try await eventually {
                let log = try String(contentsOf: folder.file("log"), encoding: .utf8)
                return !process.isRunning || log.contains("Listening on") && LoopbackPort.answers(port)
            }
            guard process.isRunning else { continue }
            (self.kind, self.folder, self.port, self.process) = (kind, folder, port, process)
            return
        }
        let log = try String(contentsOf: folder.file("log"), encoding: .utf8)
        throw ToolFailure(description: "\(kind) does not start: \(log)")
    }

    private static func launch(
        _ program: URL,
        _ kind: CalDAVServerKind,
        _ port: UInt16,
        _ folder: TemporaryDirectory
    ) throws -> Process {
        try folder.write("", to: "log")
        let log = try FileHandle(forWritingTo: folder.file("log"))
        let process = Process()
        process.executableURL = program
        process.arguments = kind.arguments(port, folder)
        process.standardOutput = log
        process.standardError = log
        try process.run()
        return process
    }

    deinit { stop() }

    /// Ends the server.
    public func stop() {
        // Not SIGTERM: a child process inherits the signal mask of a cooperative thread, which blocks it.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Makes it accept connections without replying to them, until ``stop()``.
    public func hang() { kill(process.processIdentifier, SIGSTOP) }

    /// Starts it again after ``stop()``, at the same address with the same data.
    public func restart() async throws {
        guard let program = kind.program else { return }
        process = try Self.launch(program, kind, port, folder)
        try await eventually { LoopbackPort.answers(port) }
    }

    /// The lines that a Radicale has logged for the requests that it has received.
    ///
    /// - Throws: the error of reading the log.
    public func requests() throws -> [String] {
        try String(contentsOf: folder.file("log"), encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { $0.contains(" request for ") }
    }

    /// How long a Radicale has worked on the requests that it has replied to, as it has logged.
    ///
    /// - Throws: the error of reading the log.
    public func secondsOfRequests() throws -> Double {
        try String(contentsOf: folder.file("log"), encoding: .utf8).split(separator: "\n")
            .filter { $0.contains(" response status for ") }
            .reduce(0) { sum, line in
                sum + (line.firstMatch(of: #/ in ([0-9.]+) seconds: /#).flatMap { Double($0.1) } ?? 0)
            }
    }

    /// Whether a client is connected, or has ended while the server still works on its request; false without `/proc`.
    public var hasConnections: Bool {
        let text = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
        let address = ":" + String(port, radix: 16, uppercase: true)
        // Established, being opened, and closed by the client alone.
        let states = ["01", "03", "08"]
        return text.split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            return fields.count > 3 && fields[1].hasSuffix(address) && states.contains(String(fields[3]))
        }
    }

    /// Its address.
    public var url: URL {
        URL(string: kind == .xandikosWithTLS ? "https://localhost:\(port)" : "http://127.0.0.1:\(port)") ?? folder.url
    }
}
