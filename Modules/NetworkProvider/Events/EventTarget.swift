#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A target asked for as an event stream, from where the last connection broke.
struct EventTarget<Base: RemoteTargetType>: RemoteTargetType {
    let target: Base
    let lastID: String

    static var targetName: String { Base.targetName }

    var base: String { target.base }
    var path: String { target.path }
    /// A stream has no end: stored, it would fill the cache up to its limit, and nobody could be given it again.
    var cachePolicy: HTTPCachePolicy? { .ignore }
    var retry: RetryPolicy? { target.retry }
    var stub: StubbedResponse? { target.stub }
    /// The events decide themselves what an answer means.
    var validation: ResponseValidation { .any }

    func asRequest() throws(NetworkError) -> HTTPRequest {
        var request = try target.asRequest()
        request.headers["Accept"] = "text/event-stream"
        request.headers["Cache-Control"] = "no-cache"
        if !lastID.isEmpty { request.headers["Last-Event-ID"] = lastID }
        return request
    }
}
