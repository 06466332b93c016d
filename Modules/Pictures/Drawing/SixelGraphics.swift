/// Encodes pictures as sixels (DEC STD 070, chapter "Sixel Graphics Extension") in at most 240 colours, for terminals
/// that show real pixels but do not support kitty's protocol.
public struct SixelGraphics: Hashable, Sendable {
    /// The background of transparent pictures.
    public var background: PictureColor

    /// Creates an encoder.
    public init(background: PictureColor = .black) {
        self.background = background
    }

    /// Returns the sequence that shows a picture at the cursor, pixel for pixel.
    ///
    /// Colours are reduced to xterm's cube and greys.
    ///
    /// - Parameter picture: The picture, scaled to the pixels of the cells that it will cover.
    /// - Returns: An escape sequence for the terminal, and a line feed.
    public func text(_ picture: Picture) -> String {
        let indices = reduced(picture.flattened(over: background))
        var text = Array("\u{1B}P0;1;0q\"1;1;\(picture.width);\(picture.height)".utf8)
        for index in Set(indices).sorted() {
            let color = XtermPalette.colors[index]
            let shares = [color.red, color.green, color.blue].map { (Int($0) * 100 + 127) / 255 }
            text += "#\(index);2;\(shares[0]);\(shares[1]);\(shares[2])".utf8
        }
        for top in stride(from: 0, to: picture.height, by: 6) {
            appendBand(top..<min(top + 6, picture.height), width: picture.width, indices, to: &text)
        }
        text += "\u{1B}\\\n".utf8
        return String(decoding: text, as: UTF8.self)
    }

    private func reduced(_ picture: Picture) -> [Int] {
        var known: [PictureColor: Int] = [:]
        return (0..<picture.width * picture.height).map { position in
            let color = picture[position % picture.width, position / picture.width]
            if let index = known[color] { return index }
            let index = Int(XtermPalette.nearest256(to: color))
            known[color] = index
            return index
        }
    }

    /// Appends six rows: for each of their colours a pass over the row from the left edge.
    private func appendBand(_ rows: Range<Int>, width: Int, _ indices: [Int], to text: inout [UInt8]) {
        var masks: [Int: [UInt8]] = [:]
        for row in rows {
            for column in 0..<width {
                masks[indices[row * width + column], default: Array(repeating: 0, count: width)][column] |=
                    1 << UInt8(row - rows.lowerBound)
            }
        }
        for (index, mask) in masks.sorted(by: { $0.key < $1.key }) {
            text += "#\(index)".utf8
            appendRuns(mask, to: &text)
            text.append(UInt8(ascii: "$"))
        }
        text.append(UInt8(ascii: "-"))
    }

    /// Appends sixels, with repetitions as a count and without the blank end of the row.
    private func appendRuns(_ mask: [UInt8], to text: inout [UInt8]) {
        let end = (mask.lastIndex { $0 != 0 } ?? -1) + 1
        var start = 0
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
