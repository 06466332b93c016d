public import HTTPTransport
import LoopbackServer

/// One thing that every transport must do, as a named case that can be run against any of them.
public struct ConformanceCase: Sendable, CustomStringConvertible {
    /// What is promised, as a sentence.
    public let name: String
    /// What the transport must be able to do for it; a transport that declares one of them unsupported may fail.
    public let needs: Set<HTTPTransportFeature>
    private let handler: LoopbackServer.Handler
    private let check: @Sendable (ConformanceSetting) async throws -> Void

    init(
        _ name: String,
        needs: Set<HTTPTransportFeature> = [],
        serving handler: @escaping LoopbackServer.Handler = { _ in ServedResponse() },
        check: @escaping @Sendable (ConformanceSetting) async throws -> Void
    ) {
        self.name = name
        self.needs = needs
        self.handler = handler
        self.check = check
    }

    /// The name.
    public var description: String { name }

    /// Runs the case against a transport, with a server of its own and ten seconds of time.
    /// - Parameter make: makes the transport.
    /// - Throws: ``ConformanceFailure``, or the transport's unexpected error.
    public func run(_ make: @escaping @Sendable (HTTPConnectionSettings) -> any HTTPTransport) async throws {
        let server = try LoopbackServer(handler: handler)
        defer { server.stop() }
        let setting = ConformanceSetting(transport: make(HTTPConnectionSettings()), make: make, server: server)
        try await withDeadline(.seconds(10)) { try await check(setting) }
    }

    /// Every case.
    public static let all: [ConformanceCase] =
        exchanges + uploads + framing + refusals + faults + compression + limits + cancellation + urlSessionFaults
}
