/// Encodes pictures in kitty's graphics protocol, which shows real pixels.
///
/// The picture is sent as PNG in base64, in chunks of 4096 bytes (kitty's "Terminal graphics protocol", sections
/// "Control data reference" and "Remote client"), with replies suppressed.
public struct KittyGraphics: Hashable, Sendable {
    private static let pieceLength = 4096

    /// Creates an encoder.
    public init() {}

    /// Returns the sequences that show a picture at the cursor, and a line feed.
    ///
    /// - Parameters:
    ///   - picture: The picture; the terminal scales it.
    ///   - columns: The width in cells, at least 1.
    ///   - rows: The height in cells, at least 1.
    /// - Returns: Escape sequences for the terminal.
    /// - Throws: `PictureEncodingError` if the picture is too large for a PNG.
    public func text(_ picture: Picture, columns: Int, rows: Int) throws(PictureEncodingError) -> String {
        let payload = Base64.encode(try PictureEncoder().png(picture))
        var text: [UInt8] = []
        text.reserveCapacity(payload.count + payload.count / 256 + 64)
        var rest = payload[...]
        var control = "a=T,f=100,q=2,c=\(max(1, columns)),r=\(max(1, rows)),"
        repeat {
            let piece = rest.prefix(Self.pieceLength)
            rest = rest.dropFirst(piece.count)
            text += "\u{1B}_G\(control)m=\(rest.isEmpty ? 0 : 1);".utf8
            text += piece
            text += "\u{1B}\\".utf8
            control = "q=2,"
        } while !rest.isEmpty
        text.append(UInt8(ascii: "\n"))
        return String(decoding: text, as: UTF8.self)
    }
}

/// Base64 (RFC 4648, section 4), implemented here so that the module does not need Foundation.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns the bytes as padded base64 in ASCII.
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return text
    }
}
