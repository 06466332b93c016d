#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A target asked for from an offset on, if it is still the version that the first bytes are of.
struct RangeTarget<Base: RemoteTargetType>: RemoteTargetType {
    let target: Base
    let offset: Int64
    let validator: String?

    static var targetName: String { Base.targetName }

    var base: String { target.base }
    var path: String { target.path }
    var timeout: HTTPTimeouts { target.timeout }
    var retry: RetryPolicy? { target.retry }
    var cachePolicy: HTTPCachePolicy? { target.cachePolicy }
    var stub: StubbedResponse? { target.stub }
    /// A range that cannot be given is an answer to be looked into.
    var validation: ResponseValidation {
        let (validation, isPart) = (target.validation, offset > 0)
        return .custom { head in
            isPart && (head.status == 416 || head.status == 206) || validation.accepts(head)
        }
    }

    func asRequest() throws(NetworkError) -> HTTPRequest {
        var request = try target.asRequest()
        // Offsets are those of the plain bytes only when nothing packs them on the way.
        request.decompresses = false
        request.headers["Accept-Encoding"] = "identity"
        if offset > 0, let validator {
            request.headers["Range"] = "bytes=\(offset)-"
            request.headers["If-Range"] = validator
        }
        return request
    }
}
