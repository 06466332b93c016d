/// Encodes pictures as sixels (DEC STD 070, chapter "Sixel Graphics Extension") in at most 240 colours, for terminals
/// that show real pixels but do not support kitty's protocol.
public struct SixelGraphics: Hashable, Sendable {
    /// The background of transparent pictures.
    public var background: PictureColor

    /// Creates an encoder.
    public init(background: PictureColor = .black) { self.background = background }

    /// Whether the error of the reduced colours is distributed over neighbouring pixels.
    public var dithers = true

    /// Returns the sequence that shows a picture at the cursor, pixel for pixel.
    ///
    /// Colours are reduced to xterm's cube and greys.
    ///
    /// - Parameter picture: The picture, scaled to the pixels of the cells that it will cover.
    /// - Returns: An escape sequence for the terminal, and a line feed.
    public func text(_ picture: Picture) -> String {
        String(decoding: sequence(picture, endsLastBand: true), as: UTF8.self) + "\n"
    }

    /// Returns the sequence that shows a picture at the cursor, without a line feed.
    package func sequence(_ picture: Picture) -> [UInt8] { sequence(picture, endsLastBand: false) }

    /// Returns the sequence. If `endsLastBand` is true, the last six rows end with a movement to the next ones, which can
    /// scroll the screen.
    private func sequence(_ picture: Picture, endsLastBand: Bool) -> [UInt8] {
        let indices = reduced(picture.flattened(over: background))
        var text = Array("\u{1B}P0;1;0q\"1;1;\(picture.width);\(picture.height)".utf8)
        for index in Set(indices).sorted() {
            let color = XtermPalette.colors[index]
            let shares = [color.red, color.green, color.blue].map { (Int($0) * 100 + 127) / 255 }
            text += "#\(index);2;\(shares[0]);\(shares[1]);\(shares[2])".utf8
        }
        for top in stride(from: 0, to: picture.height, by: 6) {
            let bottom = min(top + 6, picture.height)
            appendBand(top..<bottom, width: picture.width, indices, to: &text)
            if endsLastBand || bottom < picture.height { text.append(UInt8(ascii: "-")) }
        }
        return text + Array("\u{1B}\\".utf8)
    }

    private func reduced(_ picture: Picture) -> [Int] {
        var known: [PictureColor: Int] = [:]
        if dithers {
            // Every colour of the reduced picture is an entry of the palette.
            for index in 16..<256 { known[XtermPalette.colors[index]] = index }
        }
        let picture = dithers ? Dithering.reduced(picture, to: .palette256) : picture
        let pixels = picture.pixels
        return (0..<picture.width * picture.height).map { position in
            let color = PictureColor(pixels[position * 4], pixels[position * 4 + 1], pixels[position * 4 + 2])
            if let index = known[color] { return index }
            let index = Int(XtermPalette.nearest256(to: color))
            known[color] = index
            return index
        }
    }

    /// Appends six rows: for each of their colours a pass over the row from the left edge.
    private func appendBand(_ rows: Range<Int>, width: Int, _ indices: [Int], to text: inout [UInt8]) {
        // The six bits of each column, for each entry of the palette.
        var masks = [UInt8](repeating: 0, count: 256 * width)
        var isUsed = [Bool](repeating: false, count: 256)
        for row in rows {
            let bit: UInt8 = 1 << UInt8(row - rows.lowerBound)
            for column in 0..<width {
                let index = indices[row * width + column]
                isUsed[index] = true
                masks[index * width + column] |= bit
            }
        }
        for index in 0..<256 where isUsed[index] {
            let mask = masks[index * width..<(index + 1) * width]
            text += "#\(index)".utf8
            appendRuns(mask, to: &text)
            text.append(UInt8(ascii: "$"))
        }
    }

    /// Appends sixels, with repetitions as a count and without the blank end of the row.
    private func appendRuns(_ mask: ArraySlice<UInt8>, to text: inout [UInt8]) {
        let end = (mask.lastIndex { $0 != 0 }).map { $0 + 1 } ?? mask.startIndex
        var start = mask.startIndex
        while start < end {
            let sixel = mask[start]
            let next = mask[start..<end].firstIndex { $0 != sixel } ?? end
            if next - start > 3 {
                text += "!\(next - start)".utf8
                text.append(63 + sixel)
            } else {
                text += [UInt8](repeating: 63 + sixel, count: next - start)
            }
            start = next
        }
    }
}
