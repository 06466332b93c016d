import AccountCore
import AppLanguage
import EssentialFoundation
import LocalProvider
import LoopbackServer
import PictureAPIs
import SystemCalls
import TextEscaping
import Threading

/// The account server, over the handlers that the app's embedded backend uses as well.
struct AccountRoutes: BackendRoutes {
    /// The options of the command line.
    struct Options {
        /// The folder of the accounts.
        var folder: String
        /// The file that messages to telephone numbers are appended to; `nil` for standard error.
        var messages: String?
        /// The oldest version of the app that is accepted; `nil` for the default.
        var requiredVersion: String?
        /// Whether the last address of `X-Forwarded-For` is that of the client.
        var trustsProxy = false
        /// Whether each request is logged to standard error.
        var logs = false
    }

    private let backend: AccountBackend
    private let trustsProxy: Bool

    /// - Throws: the error of the accounts or of the file of the messages, if one of them cannot be written.
    init(_ options: Options) throws {
        let outbox = MessageFile(path: options.messages)
        try outbox.check()
        let logs = options.logs
        var policy = BackendPolicy()
        if let version = options.requiredVersion { policy.requiredVersion = version }
        backend = AccountBackend(
            location: FileStoreLocation(directory: options.folder),
            policy: policy,
            deliver: { phone, message in outbox.append(message.text(.english), to: phone) },
            log: { line in if logs { MessageFile.complain(line) } },
            report: MessageFile.complain
        )
        trustsProxy = options.trustsProxy
        try backend.open()
    }

    /// Ends the requests that wait, so that the server can stop.
    func close() { backend.close() }

    /// Returns the address of the client: the one that the proxy has added to the end, perhaps in a further field after the
    /// client's, and perhaps with a port.
    private static func address(forwarded request: ServedRequest) -> String? {
        let fields = request.headers.filter { $0.name.lowercased() == "x-forwarded-for" }.map(\.value)
        guard let last = fields.joined(separator: ",").split(separator: ",").last else { return nil }
        let address = last.filter { $0 != " " && $0 != "\t" }
        if address.hasPrefix("[") { return String(address.dropFirst().prefix { $0 != "]" }) }
        // An IPv6 address has several colons, and no port without brackets.
        return address.count { $0 == ":" } == 1 ? String(address.prefix { $0 != ":" }) : address
    }

    func response(to request: ServedRequest) async -> ServedResponse? {
        guard AccountBackend.handles(request.path) else { return nil }
        // Every connection comes from this machine. Without a trusted proxy the clients have the same address: a limit by
        // address would lock all of them out.
        let address = trustsProxy ? Self.address(forwarded: request) : nil
        // Each connection has a separate thread, on which the handlers may block.
        let response = backend.response(
            to: BackendRequest(
                method: request.method,
                path: request.path,
                headers: Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 }),
                body: request.body,
                address: address
            )
        )
        return ServedResponse(status: response.status, headers: response.headers, body: .data(response.body))
    }
}

/// The messages to telephone numbers, a line for each: the number, a tab and the text. The file is readable by its owner alone,
/// since the messages contain verification codes.
private final class MessageFile: Sendable {
    private let path: String?
    private let lock = Locked(())

    init(path: String?) { self.path = path }

    /// Creates the file.
    func check() throws(FileError) {
        guard let path else { return }
        do throws(SystemError) {
            POSIX.close(try Self.open(path))
        } catch {
            // A pipe may have its reader later.
            if error.code != ENXIO { throw FileError(path: path, cause: error) }
        }
    }

    func append(_ text: String, to phone: String) {
        let line = "\(phone)\t\(text)"
        guard let path else { return Self.complain(line) }
        lock.withLock { _ in
            do throws(SystemError) {
                let descriptor = try Self.open(path)
                defer { POSIX.close(descriptor) }
                try POSIX.writeAll(line + "\n", to: descriptor)
            } catch {
                Self.complain("\(FileError(path: path, cause: error))")
            }
        }
    }

    /// Without waiting: a pipe without a reader would hold up the request, and the end of the server.
    private static func open(_ path: String) throws(SystemError) -> Int32 {
        try POSIX.open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK)
    }

    static func complain(_ line: String) { try? POSIX.writeAll("backend: \(line)\n", to: STDERR_FILENO) }
}
