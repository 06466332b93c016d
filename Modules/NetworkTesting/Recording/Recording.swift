public import HTTPTransport
public import NetworkProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Real traffic, kept to be replayed: what was asked, and what was answered, without secrets.
///
/// It is written as JSON that a person can read and change: bodies are text where they are text, line by line where
/// they have several, and Base64 else. Secrets are replaced before anything is kept; see ``RecordingTransport``.
public struct Recording: Sendable, Equatable {
    /// One request with what became of it.
    public struct Exchange: Sendable, Equatable {
        /// What was asked.
        public var request: RecordedRequest
        /// What became of it.
        public var outcome: RecordedOutcome

        /// Creates an exchange.
        public init(request: RecordedRequest, outcome: RecordedOutcome) {
            self.request = request
            self.outcome = outcome
        }
    }

    /// The exchanges in the order in which they were begun.
    public var exchanges: [Exchange]
    /// What was replaced; a replay replaces the same before it compares.
    public var redaction: Redaction

    /// Creates a recording.
    public init(exchanges: [Exchange] = [], redaction: Redaction = Redaction()) {
        self.exchanges = exchanges
        self.redaction = redaction
    }
}

/// What became of a recorded request.
public enum RecordedOutcome: Sendable, Equatable {
    /// An answer; its body is unpacked, secrets replaced.
    case response(status: Int, headers: HTTPHeaders, body: RecordedBody)
    /// A failure before there was an answer.
    case failure(HTTPTransportError.Code, detail: String)
}

/// A recording cannot be read or written.
public enum RecordingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file cannot be read; the text says why.
    case unreadable(path: String, String)
    /// The file is no recording, or a damaged one; the text says where and what.
    case invalid(path: String, String)
    /// The file was written in a form that this module does not know.
    case unknownVersion(path: String, version: Int)
    /// The file cannot be written, with the system's error number.
    case unwritable(path: String, code: Int32)

    /// Which file, what is wrong, and what to do.
    public var description: String {
        switch self {
        case .unreadable(let path, let why): "the recording \(path) cannot be read: \(why)".withVisibleControls
        case .invalid(let path, let why):
            "the recording \(path) is damaged: \(why); mend it by hand or record it again".withVisibleControls
        case .unknownVersion(let path, let version):
            "the recording \(path) is of version \(version), and only version \(Recording.version) is known; record it again"
        case .unwritable(let path, let code):
            "the recording \(path) cannot be written: \(SystemText.of(code)); check that its folder is there"
        }
    }
}

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
