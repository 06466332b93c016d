import LoopbackServer
import Pictures

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A way in which the services misbehave; the raw value is its name on the command line and in queries.
public enum PictureFault: String, Hashable, Sendable, CaseIterable {
    /// A web page with status 200.
    case html
    /// Status 404.
    case notFound = "404"
    /// Status 429 with `Retry-After: 1`.
    case tooMany = "429"
    /// Status 500 with a web page.
    case serverError = "500"
    /// The right length in the header, half of the body, and the end of the connection.
    case half
    /// The connection is closed without a byte.
    case nothing
    /// Status 200 and no body.
    case empty
    /// JSON of another shape than the service's.
    case otherJSON = "json"
    /// A PNG whose header announces 50,000 x 50,000 pixels.
    case huge
    /// The right answer, a few bytes at a time over a second or two.
    case slow
    /// No answer, and the connection stays open.
    case hang

    /// The answer that takes the place of a right one.
    func applied(to response: ServedResponse) -> ServedResponse {
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
        }
    }

    /// A PNG of one transparent pixel, its header rewritten to a size no machine has memory for.
    static let hugePNG: [UInt8] = {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // Length, name, width and height of 50,000, 8 bits RGBA, and the checksum of these.
        let header: [UInt8] = [
            0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0xC3, 0x50, 0, 0, 0xC3, 0x50, 8, 6, 0, 0, 0,
        ]
        let sound = (try? PictureEncoder().png(Picture(width: 1, height: 1, filledWith: .clear))) ?? []
        let body = signature + header
        return body + checksum(header.dropFirst(4)) + sound.dropFirst(signature.count + header.count + 4)
    }()

    /// CRC-32, as PNG's chunks end with it.
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
