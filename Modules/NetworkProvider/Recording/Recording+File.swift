#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Recording {
    /// Reads a recording from a file.
    public init(contentsOf path: String) throws(RecordingError) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw .unreadable(path: path, (error as? CocoaError)?.localizedReason ?? "\(error)")
        }
        do {
            self = try JSONDecoder().decode(Recording.self, from: data)
        } catch let error as UnknownVersion {
            throw .unknownVersion(path: path, version: error.version)
        } catch {
            throw .invalid(path: path, Recording.text(error, data.count))
        }
    }

    /// Writes the recording to a file, replacing it as a whole.
    public func write(to path: String) throws(RecordingError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            let file = try AtomicFile(path)
            try file.write(try encoder.encode(self) + Data("\n".utf8))
            try file.commit()
        } catch let failure as AtomicFile.Failure {
            throw .unwritable(path: path, code: failure.code)
        } catch {
            throw .invalid(path: path, "\(error)")
        }
    }

    /// Where in the file, and what is wrong there.
    private static func text(_ error: any Error, _ count: Int) -> String {
        func place(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
            return path.isEmpty ? "" : "at \(path.drop { $0 == "." }): "
        }
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            return place(context) + "\(key.stringValue.debugDescription) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            return place(context) + context.debugDescription
        case DecodingError.dataCorrupted(let context):
            guard context.codingPath.isEmpty else { return place(context) + context.debugDescription }
            let reason = context.underlyingError.map { "\($0)" } ?? context.debugDescription
            return "no whole JSON in its \(count) bytes (\(reason))"
        default: return "\(error)"
        }
    }
}

extension CocoaError {
    /// The reason in a word, where it is a usual one.
    fileprivate var localizedReason: String? {
        switch code {
        case .fileReadNoSuchFile, .fileNoSuchFile: "it is not there; record it first"
        case .fileReadNoPermission: "it may not be read"
        default: nil
        }
    }
}
