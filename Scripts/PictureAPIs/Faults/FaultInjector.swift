import LoopbackServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Finds out which fault a request asks for, and what the request is without it.
///
/// A fault comes from the server's own rule, from a path that begins with `/fault/RULE`, or from `?fault=RULE`.
/// A fault for pictures is handed on in the addresses of the services' answers, so that one base address is enough.
struct FaultInjector: Sendable {
    private static let marker = "/fault/"
    let standing: FaultRule?

    /// Answers a request through `routes`, with its fault, if any.
    func answer(
        to request: ServedRequest,
        _ routes: (ServedRequest) async -> ServedResponse
    ) async -> ServedResponse {
        let (rule, plain) = separated(request)
        let isPicture = ["breeds", "images"].contains(plain.segments.first)
        let isAPI = ["api", "v1"].contains(plain.segments.first)
        var response = await routes(plain)
        guard let rule, isPicture || isAPI else { return response }
        if rule.scope == .all || (rule.scope == .picture) == isPicture { return rule.fault.applied(to: response) }
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
        return (request.item("fault").flatMap { FaultRule($0) } ?? standing, plain)
    }

    /// The pictures' addresses with the fault's path before their own.
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
