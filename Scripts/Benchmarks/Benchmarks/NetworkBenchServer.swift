import Foundation
import LoopbackServer
import TestSupport

/// The server that the network is measured with: nginx where it is installed, else the project's own in this process.
final class NetworkBenchServer {
    /// A short JSON text: 203 bytes.
    static let answer = #"{"message":""# + String(repeating: "d", count: 172) + #"","status":"success"}"#
    /// The bytes of the long body.
    static let longBody = 100 << 20

    /// What serves, for the rows.
    let name: String
    /// Where it is, without a slash at the end.
    let baseURL: String
    private let nginx: Nginx?
    private let own: LoopbackServer?

    init() throws {
        guard Nginx.program != nil else {
            let server = try LoopbackServer(immediateHandler: { request in
                request.path == "/long"
                    ? ServedResponse(body: .repeated(0, count: NetworkBenchServer.longBody))
                    : .json(NetworkBenchServer.answer)
            })
            (name, baseURL, nginx, own) = ("the project's loopback server", server.baseURL, nil, server)
            return
        }
        let locations = """
            root FOLDER;
            location /long { }
            location / { default_type application/json; return 200 '\(NetworkBenchServer.answer)'; }
            """
        let nginx = try Nginx([Nginx.Site(locations: locations)])
        let long = nginx.files.appendingPathComponent("long")
        try Data().write(to: long)
        let handle = try FileHandle(forWritingTo: long)
        try handle.truncate(atOffset: UInt64(NetworkBenchServer.longBody))
        try handle.close()
        (name, baseURL, self.nginx, own) = ("nginx", "http://127.0.0.1:\(nginx.ports[0])", nginx, nil)
    }

    /// The seconds of CPU in this process that are the server's.
    var cpuSeconds: Double { Double(own?.processorTime ?? 0) / 1e9 }

    /// Ends it.
    func stop() {
        nginx?.stop()
        own?.stop()
    }
}
