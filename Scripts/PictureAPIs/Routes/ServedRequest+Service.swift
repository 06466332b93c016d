import LoopbackServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ServedRequest {
    /// The path's parts between slashes, decoded.
    var segments: [String] { path.split(separator: "/").map(String.init) }

    /// The first value of a query item, or `nil`.
    func item(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// A query item's values between commas; empty where there is none.
    func list(_ name: String) -> [String] { item(name)?.split(separator: ",").map(String.init) ?? [] }

    /// A query item as a number, or `nil`.
    func number(_ name: String) -> Int? { item(name).flatMap { Int($0) } }

    /// `http://` and the host the client asked, for addresses that lead back here.
    var base: String { "http://\(header("Host") ?? "127.0.0.1")" }
}

extension ServedResponse {
    /// An answer of JSON, keys sorted, slashes as they are.
    static func json(_ value: some Encodable, status: Int = 200) -> ServedResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return .page(status: 500, "Internal Server Error") }
        return .data(data, contentType: "application/json", status: status)
    }

    /// A web page with a heading.
    static func page(status: Int, _ heading: String) -> ServedResponse {
        .text(
            "<!DOCTYPE html>\n<html><head><title>\(status)</title></head><body><h1>\(status) \(heading)</h1></body></html>\n",
            status: status,
            contentType: "text/html; charset=utf-8"
        )
    }
}
