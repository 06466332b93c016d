public import Foundation

/// Gzip bodies for the cases.
public enum Gzip {
    /// A mebibyte of zeros with the best compression.
    public static let zeros: Data = {
        let text = "H4sIAAAAAAAC/+3BMQEAAADCoPVPbQhfo" + String(repeating: "A", count: 1355) + "PgMc6jinAAAQAA=="
        return Data(base64Encoded: text) ?? Data()
    }()

    /// A gzip file of one stored block: at most 65535 bytes.
    public static func stored(_ data: Data) -> Data {
        var file = Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1])
        let count = UInt16(truncatingIfNeeded: data.count)
        for word in [count, ~count] { file.append(contentsOf: [UInt8(word & 255), UInt8(word >> 8)]) }
        file.append(data)
        for word in [checksum(data), UInt32(data.count)] {
            file.append(contentsOf: (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) })
        }
        return file
    }

    /// The CRC-32 of RFC 1952.
    private static func checksum(_ data: Data) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in data {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xedb8_8320 }
            }
        }
        return ~sum
    }
}
