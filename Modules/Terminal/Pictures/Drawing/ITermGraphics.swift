/// Encodes pictures for iTerm2's inline images, which WezTerm, mintty and others show as well.
///
/// The picture is sent as PNG in base64 in one OSC 1337 sequence (iTerm2's "Inline Images Protocol").
public struct ITermGraphics: Hashable, Sendable {
    /// Creates an encoder.
    public init() {}

    /// Returns the sequence that shows a picture at the cursor, and a line feed.
    ///
    /// - Parameters:
    ///   - picture: The picture; the terminal scales it.
    ///   - columns: The width in cells, at least 1.
    ///   - rows: The height in cells, at least 1.
    /// - Returns: An escape sequence for the terminal.
    /// - Throws: `PictureEncodingError` if the picture is too large for a PNG.
    public func text(_ picture: Picture, columns: Int, rows: Int) throws(PictureEncodingError) -> String {
        let png = try PictureEncoder().png(picture)
        let size = "width=\(max(1, columns));height=\(max(1, rows));preserveAspectRatio=1"
        var text = Array("\u{1B}]1337;File=inline=1;size=\(png.count);\(size):".utf8)
        text += Base64.encode(png)
        text += [0x07, 0x0A]
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the sequence that shows a PNG in a rectangle of cells, without moving the cursor where the terminal can.
    package func sequence(ofPNG png: [UInt8], columns: Int, rows: Int) -> [UInt8] {
        let size = "width=\(columns);height=\(rows);preserveAspectRatio=0;doNotMoveCursor=1"
        return Array("\u{1B}]1337;File=inline=1;size=\(png.count);\(size):".utf8) + Base64.encode(png) + [0x07]
    }
}
