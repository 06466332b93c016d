internal import Pictures

/// Collects the bytes of a frame: text and the shortest control sequences (ECMA-48).
struct SequenceWriter {
    /// Whether the cursor may be moved to a column or a row by its number (CHA and VPA), and an attribute ended without the
    /// others, which terminals before ECMA-48 do not support.
    var addressesColumns = true
    private(set) var bytes: [UInt8] = []
    private var shorter: [UInt8] = []
    private var longer: [UInt8] = []

    /// Removes the bytes of the last frame but retains their memory.
    mutating func begin() { bytes.removeAll(keepingCapacity: true) }

    mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func write(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    /// Writes the UTF-8 bytes of a short cluster.
    mutating func write(packed text: UInt64) {
        var rest = text
        repeat {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        } while rest != 0
    }

    /// Writes `CSI`, a number unless it is 1, and a final byte.
    mutating func control(_ number: Int, _ final: Unicode.Scalar) {
        bytes.append(0x1B)
        bytes.append(UInt8(ascii: "["))
        if number != 1 { bytes.appendDecimal(number) }
        bytes.append(UInt8(ascii: final))
    }

    mutating func moveTo(_ point: GridPoint) {
        bytes.append(0x1B)
        bytes.append(UInt8(ascii: "["))
        if point.y > 0 || point.x > 0 { bytes.appendDecimal(point.y + 1) }
        if point.x > 0 {
            bytes.append(UInt8(ascii: ";"))
            bytes.appendDecimal(point.x + 1)
        }
        bytes.append(UInt8(ascii: "H"))
    }

    /// Moves the cursor from a known position by the shortest sequence.
    mutating func move(from start: GridPoint, to end: GridPoint) {
        if start == end { return }
        let rows = rowCost(from: start.y, to: end.y)
        let columns = columnMovement(from: start.x, to: end.x)
        let absolute = 4 + digits(end.y + 1) + (end.x > 0 ? digits(end.x + 1) : 0)
        if absolute < rows + columns.cost {
            moveTo(end)
            return
        }
        // The carriage return comes first, since a line feed in a terminal's cooked mode includes one.
        if case .returned = columns.kind { bytes.append(0x0D) }
        moveRows(from: start.y, to: end.y)
        switch columns.kind {
        case .none: break
        case .relative: moveColumns(end.x - start.x)
        case .returned: moveColumns(end.x)
        case .absolute: control(end.x + 1, "G")
        }
    }

    /// Returns the number of bytes of the shortest movement between two columns of a row.
    func columnCost(from start: Int, to end: Int) -> Int { columnMovement(from: start, to: end).cost }

    private enum ColumnMovement {
        case none, relative, returned, absolute
    }

    private func columnMovement(from start: Int, to end: Int) -> (kind: ColumnMovement, cost: Int) {
        if start == end { return (.none, 0) }
        var best = (kind: ColumnMovement.relative, cost: relativeColumnCost(end - start))
        // A carriage return makes the distance from the left edge the horizontal one.
        let returned = 1 + relativeColumnCost(end)
        if returned < best.cost { best = (.returned, returned) }
        let absolute = 3 + digits(end + 1)
        if addressesColumns && absolute < best.cost { best = (.absolute, absolute) }
        return best
    }

    private mutating func moveColumns(_ count: Int) {
        if count > 0 {
            control(count, "C")
        } else if count < 0 {
            if -count <= 3 {
                for _ in count..<0 { bytes.append(0x08) }
            } else {
                control(-count, "D")
            }
        }
    }

    private mutating func moveRows(from start: Int, to end: Int) {
        let count = end - start
        if count > 0 && count <= 3 {
            // In raw mode a line feed does not move to the left edge. The row exists, so that nothing scrolls.
            for _ in 0..<count { bytes.append(0x0A) }
        } else if addressesColumns && count != 0 && 3 + digits(end + 1) < relativeRowCost(count) {
            control(end + 1, "d")
        } else if count > 0 {
            control(count, "B")
        } else if count < 0 {
            control(-count, "A")
        }
    }

    private func relativeColumnCost(_ count: Int) -> Int {
        if count == 0 { return 0 }
        if count < 0 && count >= -3 { return -count }
        return abs(count) == 1 ? 3 : 3 + digits(abs(count))
    }

    private func rowCost(from start: Int, to end: Int) -> Int {
        let relative = relativeRowCost(end - start)
        return addressesColumns ? min(relative, 3 + digits(end + 1)) : relative
    }

    private func relativeRowCost(_ count: Int) -> Int {
        if count == 0 { return 0 }
        if count > 0 && count <= 3 { return count }
        return abs(count) == 1 ? 3 : 3 + digits(abs(count))
    }

    private func digits(_ number: Int) -> Int { number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : 4 }

    /// Writes Select Graphic Rendition, relative to the old style or after a reset, whichever is shorter.
    mutating func setStyle(from old: Pen?, to new: Pen) {
        longer.removeAll(keepingCapacity: true)
        let isPlain = new == .plain
        if !isPlain {
            longer.append(UInt8(ascii: "0"))
            append(from: .plain, to: new, to: &longer)
        }
        bytes.append(0x1B)
        bytes.append(UInt8(ascii: "["))
        if let old, !isPlain, addressesColumns {
            shorter.removeAll(keepingCapacity: true)
            append(from: old, to: new, to: &shorter)
            bytes.append(contentsOf: shorter.count <= longer.count ? shorter : longer)
        } else {
            bytes.append(contentsOf: longer)
        }
        bytes.append(UInt8(ascii: "m"))
    }

    /// Appends the parameters of the difference, separated by semicolons.
    private func append(from old: Pen, to new: Pen, to list: inout [UInt8]) {
        let gone = old.attributes.subtracting(new.attributes)
        var added = new.attributes.subtracting(old.attributes)
        if !gone.isDisjoint(with: [.bold, .dim]) {
            // One code ends both.
            list.appendParameter(22)
            added.formUnion(new.attributes.intersection([.bold, .dim]))
        }
        for (attribute, begin, end) in Self.attributeCodes {
            if gone.contains(attribute) && end != 22 { list.appendParameter(end) }
            if added.contains(attribute) { list.appendParameter(begin) }
        }
        if old.foreground != new.foreground { append(new.foreground, isBackground: false, to: &list) }
        if old.background != new.background { append(new.background, isBackground: true, to: &list) }
    }

    private static let attributeCodes: [(TextStyle.Attributes, begin: Int, end: Int)] = [
        (.bold, 1, 22), (.dim, 2, 22), (.italic, 3, 23), (.underline, 4, 24), (.reverse, 7, 27),
        (.strikethrough, 9, 29),
    ]

    private func append(_ color: PackedColor, isBackground: Bool, to list: inout [UInt8]) {
        let shown: TerminalColor
        switch color.color {
        case .standard: return list.appendParameter(isBackground ? 49 : 39)
        case .palette(let index): shown = .indexed(index)
        case .rgb(let red, let green, let blue): shown = .rgb(red, green, blue)
        }
        if !list.isEmpty { list.append(UInt8(ascii: ";")) }
        shown.appendParameters(isBackground: isBackground, to: &list)
    }
}

/// The colours and attributes of the cells that the terminal writes.
struct Pen: Hashable, Sendable {
    var foreground: PackedColor
    var background: PackedColor
    var attributes: TextStyle.Attributes

    static let plain = Pen(foreground: .standard, background: .standard, attributes: [])
}

extension [UInt8] {
    /// Appends the decimal digits of a number as ASCII.
    fileprivate mutating func appendDecimal(_ value: Int) {
        if value >= 10 { appendDecimal(value / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
    }

    /// Appends a parameter, with a semicolon before it unless it is the first one.
    fileprivate mutating func appendParameter(_ value: Int) {
        if !isEmpty { append(UInt8(ascii: ";")) }
        appendDecimal(value)
    }
}
