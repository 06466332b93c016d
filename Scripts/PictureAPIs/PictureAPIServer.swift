public import LoopbackServer

/// Both picture services on a loopback port: dog.ceo's paths under `/api`, thecatapi's under `/v1`, and the pictures
/// that their answers point at, drawn by ``Portrait``.
///
/// It misbehaves on demand: for all requests (`fault`), for one (`?fault=half`), or for a base address
/// (`http://127.0.0.1:PORT/fault/picture-html`). The names are ``FaultRule``'s.
public final class PictureAPIServer: Sendable {
    private let server: LoopbackServer

    /// Listens on 127.0.0.1.
    ///
    /// - Parameters:
    ///   - port: The port, or 0 for a free one.
    ///   - fault: What goes wrong with every answer; nothing by default.
    ///   - seed: The random choices follow from it: the same requests get the same pictures.
    ///   - moreRoutes: Further services, asked before the picture services.
    /// - Throws: `LoopbackServerError` when the port is taken or the system has no more sockets.
    public init(
        port: UInt16 = 0,
        fault: FaultRule? = nil,
        seed: UInt64 = 1,
        moreRoutes: [any BackendRoutes] = []
    ) throws(LoopbackServerError) {
        let routes = moreRoutes + [DogRoutes(seed: seed), CatRoutes(seed: seed)]
        let injector = FaultInjector(standing: fault)
        server = try LoopbackServer(port: port) { request in
            await injector.answer(to: request) { request in
                for part in routes {
                    if let answer = await part.answer(to: request) { return answer }
                }
                return .page(status: 404, "Not Found")
            }
        }
    }

    /// The port it listens on.
    public var port: UInt16 { server.port }

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    public var baseURL: String { server.baseURL }

    /// Every request so far.
    public var requests: [ServedRequest] { server.requests }

    /// Closes the port and every connection, and returns when all threads have ended.
    public func stop() { server.stop() }

    /// The file behind a picture's path as the services' answers name it, for comparing with what arrived.
    ///
    /// - Parameter path: From the slash after the port, without a query; a leading `/fault/RULE` is not looked at.
    /// - Returns: What is drawn there, or `nil` if there is no such picture.
    public static func file(at path: String) -> PortraitFile? {
        var parts = path.split(separator: "/")
        if parts.first == "fault", parts.count > 2 { parts.removeFirst(2) }
        let plain = "/" + parts.joined(separator: "/")
        return DogBreeds.file(at: plain) ?? CatImage.file(at: plain)
    }
}
