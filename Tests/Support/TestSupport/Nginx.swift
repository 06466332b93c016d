public import Foundation
import SystemCalls

/// nginx on loopback ports, with its files in a temporary folder.
public final class Nginx: Sendable {
    /// A server of the configuration, with its own port.
    public struct Site: Sendable {
        /// The certificate and key, or `nil` for a server without TLS.
        public var identity: TestAuthority.Identity?
        /// Whether it supports HTTP/2 (by ALPN with TLS, by prior knowledge without).
        public var http2: Bool
        /// The PEM file of the authority that must have signed the certificates of clients, or `nil` if they need none.
        public var clientAuthority: URL?
        /// The content of the `server` block, in the syntax of nginx.
        public var locations: String

        /// Creates a site.
        public init(
            _ identity: TestAuthority.Identity? = nil,
            http2: Bool = false,
            clientAuthority: URL? = nil,
            locations: String
        ) {
            (self.identity, self.http2, self.clientAuthority) = (identity, http2, clientAuthority)
            self.locations = locations
        }
    }

    /// The path of nginx, or `nil` if it is not installed.
    public static let program = Programs.find("nginx")

    /// The ports, in the order of the sites.
    public let ports: [UInt16]
    private let folder: TemporaryDirectory
    private let process: Process
    private let hasWorker: Bool

    /// The folder that replaces `FOLDER` in the locations of a site; files in it are served.
    public var files: URL { folder.file("files") }

    /// Starts nginx and waits until every port accepts connections.
    /// - Parameters:
    ///   - sites: the servers.
    ///   - hasWorker: whether a worker process serves the requests, so that ``reload()`` replaces it.
    /// - Throws: ``ToolFailure`` if nginx is missing or does not start.
    public init(_ sites: [Site], hasWorker: Bool = false) throws {
        self.hasWorker = hasWorker
        guard let program = Nginx.program else { throw ToolFailure(description: "nginx is not installed") }
        let folder = try TemporaryDirectory("nginx")
        try FileManager.default.createDirectory(at: folder.file("files"), withIntermediateDirectories: true)
        var lastFailure = ""
        // A port that was free a moment ago may be taken by now: then other ones.
        for _ in 0..<5 {
            let ports = try sites.map { _ in try Nginx.freePort() }
            let text = Nginx.configuration(sites, ports, folder.path, hasWorker)
            try Data(text.utf8).write(to: folder.file("nginx.conf"))
            let process = Process()
            process.executableURL = program
            process.arguments = ["-p", folder.path, "-c", folder.file("nginx.conf").path, "-e", "errors"]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            if Nginx.waitUntilReady(process, ports) {
                (self.folder, self.ports, self.process) = (folder, ports, process)
                return
            }
            Nginx.end(process, hasWorker)
            lastFailure = (try? String(contentsOf: folder.file("errors"), encoding: .utf8)) ?? ""
        }
        throw ToolFailure(description: "nginx does not start: \(lastFailure)")
    }

    deinit { stop() }

    /// Stops nginx.
    public func stop() { Nginx.end(process, hasWorker) }

    /// Replaces the worker process gracefully: it sends GOAWAY on HTTP/2 connections and ends when they are idle.
    public func reload() { kill(process.processIdentifier, SIGHUP) }

    private static func end(_ process: Process, _ hasWorker: Bool) {
        guard process.isRunning else { return }
        // With a worker, the main process waits for signals with all of them unblocked, and ends the worker.
        // Otherwise not SIGTERM: a child process inherits the signal mask of a cooperative thread, which blocks it.
        kill(process.processIdentifier, hasWorker ? SIGTERM : SIGKILL)
        process.waitUntilExit()
    }

    /// The process, for its processor time.
    public var processIdentifier: Int32 { process.processIdentifier }

    private static func configuration(
        _ sites: [Site],
        _ ports: [UInt16],
        _ folder: String,
        _ hasWorker: Bool
    ) -> String {
        let servers = zip(sites, ports).map { site, port in
            var lines = ["listen 127.0.0.1:\(port)\(site.identity == nil ? "" : " ssl")\(site.http2 ? " http2" : "");"]
            if let identity = site.identity {
                lines.append("ssl_certificate \(identity.certificate.path);")
                lines.append("ssl_certificate_key \(identity.key.path);")
            }
            if let authority = site.clientAuthority {
                lines.append("ssl_client_certificate \(authority.path); ssl_verify_client on;")
            }
            lines.append(site.locations.replacingOccurrences(of: "FOLDER", with: folder + "/files"))
            return "server { \(lines.joined(separator: "\n")) }"
        }
        return """
            daemon off; master_process \(hasWorker ? "on; worker_processes 1" : "off"); pid pid;
            events { worker_connections 2048; }
            http {
                access_log off; keepalive_requests 1000000; keepalive_timeout 60s;
                client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi; scgi_temp_path scgi; client_max_body_size 1g; sendfile on; tcp_nodelay on;
                default_type application/octet-stream;
                \(servers.joined(separator: "\n"))
            }
            """
    }

    private static func waitUntilReady(_ process: Process, _ ports: [UInt16]) -> Bool {
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end, process.isRunning {
            if ports.allSatisfy({ LoopbackPort.answers($0) }) { return true }
            usleep(5_000)
        }
        return false
    }

    private static func freePort() throws -> UInt16 {
        guard let port = LoopbackPort.free() else { throw ToolFailure(description: "no free port") }
        return port
    }
}
