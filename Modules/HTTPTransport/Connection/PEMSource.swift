#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where certificates or a key in PEM form are.
public enum PEMSource: Sendable, Hashable {
    /// In the file at this path, read when connections are made.
    case file(path: String)
    /// In memory.
    case bytes(Data)

    /// A text in memory.
    public static func text(_ text: String) -> PEMSource { .bytes(Data(text.utf8)) }

    /// Checks that a section of that kind is there.
    func validate(_ what: String, _ kind: String) throws(HTTPTransportError) {
        let data: Data
        var place = ""
        switch self {
        case .bytes(let bytes): data = bytes
        case .file(let path):
            place = " (\(path))"
            do {
                data = try Data(contentsOf: URL(filePath: path))
            } catch {
                throw HTTPTransportError(.invalidSettings, detail: "the file of \(what) cannot be read: \(path)")
            }
        }
        let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.contains(where: { $0.hasPrefix("-----BEGIN ") && $0.contains(kind) }) else {
            throw HTTPTransportError(
                .invalidSettings,
                detail: "\(what)\(place) holds no PEM section \"BEGIN \(kind)\"; convert it with openssl first"
            )
        }
    }
}

extension PEMSource: CustomStringConvertible {
    /// Where it is; bytes are counted, not shown, for they may be a key.
    public var description: String {
        switch self {
        case .file(let path): path
        case .bytes(let data): "\(data.count) bytes"
        }
    }
}
