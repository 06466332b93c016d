import EssentialFoundation
import LoopbackServer

/// Applies faults to the responses of the services.
///
/// The fault of a request is in a path that begins with `/fault/RULE`, in `?fault=RULE`, or else the server's own.
/// A fault for pictures is added to the URLs in the JSON of the services, so that one base URL is enough.
struct FaultInjector: Sendable {
    private static let marker = "/fault/"
    /// Returns the fault of all responses without another one.
    let serverRule: @Sendable () -> FaultRule?
    /// Where redirects lead.
    var redirectTarget = "http://127.0.0.2:9/"

    /// Returns the response of `routes` to a request, with the fault of the request.
    func response(
        to request: ServedRequest,
        _ routes: (ServedRequest) async -> ServedResponse
    ) async -> ServedResponse {
        let (rule, plain) = separated(request)
        let isPicture = ["breeds", "images"].contains(plain.segments.first)
        let isAPI = ["api", "v1"].contains(plain.segments.first)
        var response = await routes(plain)
        guard let rule else { return response }
        let scope: FaultRule.Scope = isPicture ? .picture : isAPI ? .api : .account
        if rule.scope == .all || rule.scope == scope {
            return rule.fault.applied(to: response, redirectTarget: redirectTarget)
        }
        if isAPI, rule.scope == .picture { response = Self.redirectingPictures(response, plain, rule) }
        return response
    }

    private func separated(_ request: ServedRequest) -> (FaultRule?, ServedRequest) {
        var plain = request
        if request.target.hasPrefix(Self.marker) {
            let rest = request.target.dropFirst(Self.marker.count)
            let name = rest.prefix { $0 != "/" }
            if let rule = FaultRule(String(name)) {
                plain.target = String(rest.dropFirst(name.count))
                return (rule, plain)
            }
        }
        return (request.item("fault").flatMap { FaultRule($0) } ?? serverRule(), plain)
    }

    /// Returns a response with the path of the fault in the URLs of pictures.
    private static func redirectingPictures(
        _ response: ServedResponse,
        _ request: ServedRequest,
        _ rule: FaultRule
    ) -> ServedResponse {
        guard case .data(let data) = response.body else { return response }
        var text = String(decoding: data, as: UTF8.self)
        for folder in ["/breeds/", "/images/"] {
            text = text.replacing(request.base + folder, with: request.base + marker + "\(rule)" + folder)
        }
        var changed = response
        changed.body = .data(Data(text.utf8))
        return changed
    }
}
