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
    ///   - picture: The picture. The terminal stretches it to the cells: those of its aspect ratio are
    ///     ``PictureRenderer/cells(for:columns:rows:)``.
    ///   - columns: The width in cells, at least 1.
    ///   - rows: The height in cells, at least 1.
    /// - Returns: Escape sequences for the terminal.
    /// - Throws: `PictureEncodingError` if the picture is too large for a PNG.
    public func text(_ picture: Picture, columns: Int, rows: Int) throws(PictureEncodingError) -> String {
        let png = try PictureEncoder().png(picture)
        let control = "a=T,f=100,q=2,c=\(max(1, columns)),r=\(max(1, rows)),"
        return String(decoding: KittyGraphics.chunks(of: png, control: control), as: UTF8.self) + "\n"
    }

    private static func chunks(of png: [UInt8], control: String) -> [UInt8] {
        let payload = Base64.encode(png)
        var text: [UInt8] = []
        text.reserveCapacity(payload.count + payload.count / 256 + 64)
        var rest = payload[...]
        var control = control
        repeat {
            let piece = rest.prefix(Self.pieceLength)
            rest = rest.dropFirst(piece.count)
            text += "\u{1B}_G\(control)m=\(rest.isEmpty ? 0 : 1);".utf8
            text += piece
            text += "\u{1B}\\".utf8
            control = "q=2,"
        } while !rest.isEmpty
        return text
    }
}

// MARK: - Pictures on a screen that changes

extension KittyGraphics {
    /// Returns the sequences that send a PNG under a number without showing it.
    package func transmission(ofPNG png: [UInt8], image: UInt32) -> [UInt8] {
        KittyGraphics.chunks(of: png, control: "a=t,f=100,q=2,i=\(image),")
    }

    /// Returns the sequence that shows a part of a picture at the cursor, which stays there. It replaces the last
    /// placement of the picture.
    package func placement(image: UInt32, source: PixelRect, columns: Int, rows: Int) -> [UInt8] {
        let part = "x=\(source.x),y=\(source.y),w=\(source.width),h=\(source.height)"
        return Array("\u{1B}_Ga=p,q=2,i=\(image),p=1,\(part),c=\(columns),r=\(rows),C=1\u{1B}\\".utf8)
    }

    /// Returns the sequence that removes a picture and its data.
    package func removal(image: UInt32) -> [UInt8] { Array("\u{1B}_Ga=d,d=I,q=2,i=\(image)\u{1B}\\".utf8) }

    /// The sequence that removes all pictures.
    package static let removalOfAll = Array("\u{1B}_Ga=d,d=A,q=2\u{1B}\\".utf8)
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
