public import LoopbackServer
import Threading

/// A server of both picture services on a loopback port: the paths of dog.ceo under `/api`, those of thecatapi under
/// `/v1`, and their pictures, drawn by ``Portrait``.
///
/// Faults can be set for all requests (`fault`), for one request (`?fault=half`), or for a base URL
/// (`http://127.0.0.1:PORT/fault/picture-html`); see ``FaultRule`` for the names.
public final class PictureAPIServer: Sendable {
    private let server: LoopbackServer
    private let rule: Locked<FaultRule?>

    /// Starts a server on 127.0.0.1.
    ///
    /// - Parameters:
    ///   - port: the port, or 0 for a free one.
    ///   - fault: the fault of all responses without another one.
    ///   - seed: the seed of the random choices: the same requests receive the same pictures.
    ///   - recordsRequests: whether ``requests`` contains the requests; false for a server that runs for long.
    ///   - limits: the limits of a request; by default it has no limits.
    ///   - redirectTarget: where the fault ``PictureFault/redirect`` leads.
    ///   - moreRoutes: further services, which receive each request before the picture services.
    /// - Throws: `LoopbackServerError` if the port is in use or the system has no more sockets.
    public init(
        port: UInt16 = 0,
        fault: FaultRule? = nil,
        seed: UInt64 = 1,
        recordsRequests: Bool = true,
        limits: RequestLimits = RequestLimits(),
        redirectTarget: String = "http://127.0.0.2:9/",
        moreRoutes: [any BackendRoutes] = []
    ) throws(LoopbackServerError) {
        let services = moreRoutes + [DogRoutes(seed: seed), CatRoutes(seed: seed)]
        let rule = Locked(fault)
        self.rule = rule
        let injector = FaultInjector(serverRule: { rule.withLock { $0 } }, redirectTarget: redirectTarget)
        server = try LoopbackServer(port: port, recordsRequests: recordsRequests, limits: limits) { request in
            await injector.response(to: request) { request in
                for service in services {
                    if let response = await service.response(to: request) { return response }
                }
                return .page(status: 404, "Not Found")
            }
        }
    }

    /// The port of the server.
    public var port: UInt16 { server.port }

    /// `http://127.0.0.1:PORT`, without a final slash.
    public var baseURL: String { server.baseURL }

    /// The fault of all responses without another one; a change applies to later requests.
    public var fault: FaultRule? {
        get { rule.withLock { $0 } }
        set { rule.withLock { $0 = newValue } }
    }

    /// All requests so far.
    public var requests: [ServedRequest] { server.requests }

    /// Closes the port and all connections, and returns when all threads have ended.
    public func stop() { server.stop() }

    /// Returns the file at the path of a picture, to compare it with the one that was received.
    ///
    /// - Parameter path: the path of the URL without the query; a leading `/fault/RULE` is ignored.
    /// - Returns: the file, or `nil` if there is no such picture.
    public static func file(at path: String) -> PortraitFile? {
        var parts = path.split(separator: "/")
        if parts.first == "fault", parts.count > 2 { parts.removeFirst(2) }
        let plain = "/" + parts.joined(separator: "/")
        return DogBreeds.file(at: plain) ?? CatImage.file(at: plain)
    }
}
