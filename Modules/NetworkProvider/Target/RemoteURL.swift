#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes a target's URL.
enum RemoteURL {
    static func url(base: String, path: String, query: QueryParameters) -> URL? {
        var text = base
        if !path.isEmpty {
            while text.hasSuffix("/") { text.removeLast() }
            if !path.hasPrefix("/") { text += "/" }
            // In a path these two are characters like others; in a URL they would end it.
            text += path.map { $0 == "?" ? "%3F" : $0 == "#" ? "%23" : String($0) }.joined()
        }
        let queryText = query.queryText
        if !queryText.isEmpty { text += (base.contains("?") && path.isEmpty ? "&" : "?") + queryText }
        return URLText.escaped(text).flatMap { URL(string: $0) }
    }
}
