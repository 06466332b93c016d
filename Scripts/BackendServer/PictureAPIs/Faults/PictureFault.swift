import EssentialFoundation
import LoopbackServer
import Pictures

/// A fault of the services; the raw value is its name on the command line and in queries.
public enum PictureFault: String, Hashable, Sendable, CaseIterable {
    /// A web page with status 200.
    case html
    /// Status 404.
    case notFound = "404"
    /// Status 429 with `Retry-After: 1`.
    case tooMany = "429"
    /// Status 500 with a web page.
    case serverError = "500"
    /// The whole length in Content-Length, half of the body, then the end of the connection.
    case half
    /// The connection is closed without a response.
    case nothing
    /// Status 200 and no body.
    case empty
    /// JSON with other members than the service's.
    case otherJSON = "json"
    /// A PNG whose header has a size of 50,000 x 50,000 pixels.
    case huge
    /// The correct response, a few bytes at a time over one or two seconds.
    case slow
    /// No response; the connection stays open.
    case hang
    /// Status 307 to another host, where nothing responds.
    case redirect

    /// Returns the response with the fault.
    func applied(to response: ServedResponse, redirectTarget: String) -> ServedResponse {
        switch self {
        case .html: return .page(status: 200, "Welcome to the hotel's network")
        case .notFound: return .page(status: 404, "Not Found")
        case .tooMany:
            var page = ServedResponse.page(status: 429, "Too Many Requests")
            page.headers.append(("Retry-After", "1"))
            return page
        case .serverError: return .page(status: 500, "Internal Server Error")
        case .half: return response.failing(.truncated(after: response.bodyCount / 2))
        case .nothing: return .failing(.closed)
        case .empty: return ServedResponse()
        case .otherJSON: return .json(["unexpected": true])
        case .huge: return .data(Data(Self.hugePNG), contentType: "image/png")
        case .slow: return response.failing(.slow(bytes: max(1, response.bodyCount / 15), pause: .milliseconds(100)))
        case .hang: return .failing(.noAnswer)
        case .redirect: return ServedResponse(status: 307, headers: [("Location", redirectTarget)])
        }
    }

    /// A PNG of one transparent pixel, whose header has a size that exceeds the memory of any computer.
    static let hugePNG: [UInt8] = {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // The length, the name, a width and a height of 50,000, and 8-bit RGBA.
        let header: [UInt8] = [
            0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0xC3, 0x50, 0, 0, 0xC3, 0x50, 8, 6, 0, 0, 0,
        ]
        let valid = (try? PictureEncoder().png(Picture(width: 1, height: 1, filledWith: .clear))) ?? []
        let body = signature + header
        return body + checksum(header.dropFirst(4)) + valid.dropFirst(signature.count + header.count + 4)
    }()

    /// Returns the CRC-32 of a PNG chunk.
    private static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ~value >> UInt32($0)) }
    }
}

extension ServedResponse {
    fileprivate var bodyCount: Int {
        switch body {
        case .data(let data): data.count
        case .repeated(_, let count): count
        }
    }

    fileprivate func failing(_ fault: Fault) -> ServedResponse {
        var response = self
        response.fault = fault
        return response
    }
}

/// A fault, and the responses that have it.
public struct FaultRule: Hashable, Sendable, CustomStringConvertible {
    /// The responses that have a fault.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// All responses.
        case all
        /// The JSON of the services.
        case api
        /// The picture files.
        case picture
        /// The responses of other services, such as the accounts.
        case account
    }

    /// The fault.
    public var fault: PictureFault
    /// The responses that have it.
    public var scope: Scope

    /// Creates a rule.
    public init(_ fault: PictureFault, in scope: Scope = .all) {
        self.fault = fault
        self.scope = scope
    }

    /// Parses a rule such as `html`, `api-html`, `picture-html` or `account-html`; `nil` if the name is unknown.
    public init?(_ text: String) {
        for scope in [Scope.api, .picture, .account] where text.hasPrefix("\(scope.rawValue)-") {
            guard let fault = PictureFault(rawValue: String(text.dropFirst(scope.rawValue.count + 1))) else {
                return nil
            }
            self.init(fault, in: scope)
            return
        }
        guard let fault = PictureFault(rawValue: text) else { return nil }
        self.init(fault)
    }

    /// The rule as text, which can be parsed again.
    public var description: String { scope == .all ? fault.rawValue : "\(scope.rawValue)-\(fault.rawValue)" }
}
