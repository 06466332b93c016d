import Foundation
import HTTPCaching
import LoopbackServer
import NetworkProvider
import Threading

/// A target with what a cache looks at.
struct CachedCall: RemoteTargetType {
    var base: String
    var path = "/"
    var httpMethod = HTTPMethod.get
    var headers: HTTPHeaders = [:]
    var task = RemoteTask.plain
    var validation = ResponseValidation.any
    var cachePolicy = HTTPCachePolicy.inherited
    var deduplicates: Bool?
}

/// A clock that the test sets, from a whole second on, with its time as an HTTP date.
final class CacheClock: Sendable {
    private let time = Locked(1_790_000_000.0)

    var now: Date { Date(timeIntervalSince1970: time.withLock { $0 }) }

    func move(_ seconds: Double) { time.withLock { $0 += seconds } }

    /// The date `seconds` from now, as HTTP writes it.
    func http(_ seconds: Double = 0) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: now.addingTimeInterval(seconds))
    }
}

/// A server, a cache and a provider over the default transport, with a separate clock. The server stops when it is released.
struct CacheBench {
    let clock: CacheClock
    let server: LoopbackServer
    let cache: HTTPCache
    let provider: NetworkProvider

    init(
        store: some HTTPCacheStore = HTTPMemoryCacheStore(),
        options: HTTPCache.Options = .init(),
        plugins: [any NetworkPlugin] = [],
        handler: @escaping @Sendable (ServedRequest, CacheClock) async -> ServedResponse
    ) throws {
        let clock = CacheClock()
        self.clock = clock
        server = try LoopbackServer { request in
            var response = await handler(request, clock)
            if !response.headers.contains(where: { $0.name == "Date" }) {
                response.headers.append(("Date", clock.http()))
            }
            return response
        }
        cache = HTTPCache(store: store, options: options, now: { clock.now })
        provider = NetworkProvider(plugins: plugins, cache: cache)
    }

    /// Sends a request, and returns the response's text with what the cache did.
    @discardableResult
    func get(
        _ path: String = "/",
        _ headers: HTTPHeaders = [:],
        method: HTTPMethod = .get,
        policy: HTTPCachePolicy = .inherited
    ) async throws -> Got {
        var target = CachedCall(base: server.baseURL, path: path, headers: headers)
        (target.httpMethod, target.cachePolicy) = (method, policy)
        let response = try await provider.response(target)
        return Got(text: String(decoding: response.value, as: UTF8.self), head: response.head)
    }

    /// How many requests have come to the server.
    var count: Int { server.requests.count }
}

/// The result of a request.
struct Got {
    let text: String
    let head: HTTPResponseHead
    var status: Int { head.status }
    var source: HTTPCacheStatus.Source? { head.cacheStatus?.source }
}

extension ServedResponse {
    /// A text with header fields.
    static func cached(_ text: String, _ fields: (String, String)..., status: Int = 200) -> ServedResponse {
        ServedResponse(status: status, headers: fields.map { (name: $0.0, value: $0.1) }, body: .data(Data(text.utf8)))
    }
}
