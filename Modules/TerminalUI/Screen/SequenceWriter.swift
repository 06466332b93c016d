/// Collects the bytes of a frame: text and the shortest control sequences (ECMA-48).
struct SequenceWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    mutating func moveTo(_ point: Point) {
        if point == .zero {
            write("\u{1B}[H")
        } else if point.x == 0 {
            write("\u{1B}[\(point.y + 1)H")
        } else {
            write("\u{1B}[\(point.y + 1);\(point.x + 1)H")
        }
    }

    mutating func moveColumns(from start: Int, to end: Int) {
        let count = end - start
        if (-3...(-1)).contains(count) {
            write(String(repeating: "\u{8}", count: -count))
        } else if count != 0 {
            write(count == 1 ? "\u{1B}[C" : count > 0 ? "\u{1B}[\(count)C" : "\u{1B}[\(-count)D")
        }
    }

    mutating func moveRows(_ count: Int) {
        if count != 0 {
            let distance = abs(count) == 1 ? "" : "\(abs(count))"
            write("\u{1B}[\(distance)\(count > 0 ? "B" : "A")")
        }
    }

    /// Writes Select Graphic Rendition, relative to the old style or after a reset, whichever is shorter.
    mutating func setStyle(from old: Style?, to new: Style) {
        let afterReset = "0" + SequenceWriter.parameters(from: .plain, to: new).map { ";" + $0 }.joined()
        var shortest = afterReset == "0" ? "" : afterReset
        if let old {
            let changed = SequenceWriter.parameters(from: old, to: new).joined(separator: ";")
            if changed.utf8.count <= shortest.utf8.count && !shortest.isEmpty { shortest = changed }
        }
        write("\u{1B}[\(shortest)m")
    }

    private static func parameters(from old: Style, to new: Style) -> [String] {
        var result: [String] = []
        let gone = old.attributes.subtracting(new.attributes)
        var added = new.attributes.subtracting(old.attributes)
        if !gone.isDisjoint(with: [.bold, .dim]) {
            // One code ends both.
            result.append("22")
            added.formUnion(new.attributes.intersection([.bold, .dim]))
        }
        if gone.contains(.italic) { result.append("23") }
        if gone.contains(.underline) { result.append("24") }
        if gone.contains(.reverse) { result.append("27") }
        if gone.contains(.strikethrough) { result.append("29") }
        if added.contains(.bold) { result.append("1") }
        if added.contains(.dim) { result.append("2") }
        if added.contains(.italic) { result.append("3") }
        if added.contains(.underline) { result.append("4") }
        if added.contains(.reverse) { result.append("7") }
        if added.contains(.strikethrough) { result.append("9") }
        if old.foreground != new.foreground { result.append(code(new.foreground, base: 30)) }
        if old.background != new.background { result.append(code(new.background, base: 40)) }
        return result
    }

    private static func code(_ color: Color, base: Int) -> String {
        switch color {
        case .standard: "\(base + 9)"
        case .palette(let index) where index < 8: "\(base + Int(index))"
        case .palette(let index) where index < 16: "\(base + 52 + Int(index))"
        case .palette(let index): "\(base + 8);5;\(index)"
        case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
        }
    }
}
