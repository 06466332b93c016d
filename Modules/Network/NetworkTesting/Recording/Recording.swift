import EssentialFoundation
public import HTTPTransport
public import NetworkProvider
import SystemCalls
import TextEscaping

/// Recorded traffic: requests and responses, without secrets.
///
/// The file is JSON that can be read and edited: bodies are text if possible, divided into lines, and otherwise
/// Base64. Secrets are replaced before anything is recorded; see ``RecordingTransport``.
public struct Recording: Sendable, Equatable {
    /// A request with its result.
    public struct Exchange: Sendable, Equatable {
        /// The request.
        public var request: RecordedRequest
        /// The result.
        public var outcome: RecordedOutcome

        /// Creates an exchange.
        public init(request: RecordedRequest, outcome: RecordedOutcome) {
            self.request = request
            self.outcome = outcome
        }
    }

    /// The exchanges in the order of their requests.
    public var exchanges: [Exchange]
    /// The secrets that were replaced; a replay replaces the same before it compares.
    public var redaction: Redaction

    /// Creates a recording.
    public init(exchanges: [Exchange] = [], redaction: Redaction = Redaction()) {
        self.exchanges = exchanges
        self.redaction = redaction
    }
}

/// The result of a recorded request.
public enum RecordedOutcome: Sendable, Equatable {
    /// A response; its body is decompressed, and secrets are replaced.
    case response(status: Int, headers: HTTPHeaders, body: RecordedBody)
    /// A failure without a response.
    case failure(HTTPTransportError.Code, detail: String)
}

/// Why a recording cannot be read or written.
public enum RecordingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file cannot be read; the text says why.
    case unreadable(path: String, String)
    /// The file is damaged or not a recording; the text names the location.
    case invalid(path: String, String)
    /// The file has an unknown version.
    case unknownVersion(path: String, version: Int)
    /// The file cannot be written, with the system's error number.
    case unwritable(path: String, code: Int32)

    /// The file, the failure, and what to do.
    public var description: String {
        switch self {
        case .unreadable(let path, let why): "the recording \(path) cannot be read: \(why)".escapingControls()
        case .invalid(let path, let why):
            "the recording \(path) is damaged: \(why); edit it or record it again".escapingControls()
        case .unknownVersion(let path, let version):
            "the recording \(path) has version \(version), and only version \(Recording.version) is supported; record it again"
        case .unwritable(let path, let code):
            "the recording \(path) cannot be written: \(SystemError.text(code)); check that its folder exists"
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

    /// Writes the recording to a file, replacing it atomically.
    public func write(to path: String) throws(RecordingError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            let file = try AtomicFile(path)
            try file.writeBlocking(try encoder.encode(self) + Data("\n".utf8))
            try file.commitBlocking()
        } catch let failure as AtomicFile.Failure {
            throw .unwritable(path: path, code: failure.code)
        } catch {
            throw .invalid(path: path, "\(error)")
        }
    }

    /// Returns the location and the reason of a decoding error.
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
            return "the \(count) bytes are not JSON (\(reason))"
        default: return "\(error)"
        }
    }
}

extension CocoaError {
    /// A short reason for common errors.
    fileprivate var localizedReason: String? {
        switch code {
        case .fileReadNoSuchFile, .fileNoSuchFile: "it does not exist; record it first"
        case .fileReadNoPermission: "permission denied"
        default: nil
        }
    }
}
