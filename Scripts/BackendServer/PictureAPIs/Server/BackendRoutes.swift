import EssentialFoundation
public import LoopbackServer
import Pictures

/// A service of the backend.
///
/// Pass further services to ``PictureAPIServer``: they receive each request before the picture services.
public protocol BackendRoutes: Sendable {
    /// Returns the response to a request, or `nil` if the request is for another service.
    func response(to request: ServedRequest) async -> ServedResponse?
}

extension ServedRequest {
    /// The decoded components of the path.
    var segments: [String] { path.split(separator: "/").map(String.init) }

    /// Returns the first value of a query item, or `nil`.
    func item(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// Returns the values of a query item, which are separated by commas; empty without the item.
    func list(_ name: String) -> [String] { item(name)?.split(separator: ",").map(String.init) ?? [] }

    /// Returns a query item as a number, or `nil`.
    func number(_ name: String) -> Int? { item(name).flatMap { Int($0) } }

    /// `http://` and the host of the request, for URLs of this server.
    var base: String { "http://\(header("Host") ?? "127.0.0.1")" }
}

extension ServedResponse {
    /// Returns a response of JSON with sorted keys.
    static func json(_ value: some Encodable, status: Int = 200) -> ServedResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return .page(status: 500, "Internal Server Error") }
        return .data(data, contentType: "application/json", status: status)
    }

    /// Returns a web page with a heading.
    static func page(status: Int, _ heading: String) -> ServedResponse {
        .text(
            "<!DOCTYPE html>\n<html><head><title>\(status)</title></head><body><h1>\(status) \(heading)</h1></body></html>\n",
            status: status,
            contentType: "text/html; charset=utf-8"
        )
    }
}

/// The random choices of a service: the same sequence for the same seed.
actor Choices {
    private var generator: PortraitGenerator

    init(seed: UInt64) { generator = PortraitGenerator(seed: seed) }

    /// Returns `count` elements in random order; elements of a short list are repeated.
    func pick<Element: Sendable>(_ count: Int, of list: [Element]) -> [Element] {
        guard !list.isEmpty else { return [] }
        var picked: [Element] = []
        while picked.count < count { picked += list.shuffled(using: &generator).prefix(count - picked.count) }
        return picked
    }
}

/// A cache of encoded portraits by their paths.
actor PortraitStore {
    /// The cache of all servers: a portrait depends on its path alone, and drawing it takes long in a debug build.
    static let shared = PortraitStore()

    private var files: [String: [UInt8]] = [:]
    private var order: [String] = []
    private let capacity = 64

    /// Returns the response to a request for a picture; `nil` is no picture.
    func response(for file: PortraitFile?, path: String) -> ServedResponse {
        guard let file, let bytes = bytes(of: file, path: path) else { return .page(status: 404, "Not Found") }
        return .data(Data(bytes), contentType: file.format.mediaType)
    }

    /// Returns the bytes of a file, which is drawn on the first request for its path.
    private func bytes(of file: PortraitFile, path: String) -> [UInt8]? {
        if let known = files[path] { return known }
        guard let bytes = try? file.encoded() else { return nil }
        if order.count >= capacity { files[order.removeFirst()] = nil }
        files[path] = bytes
        order.append(path)
        return bytes
    }
}
