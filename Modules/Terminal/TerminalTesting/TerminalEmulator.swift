public import TerminalUI

/// A small terminal emulator that computes the screen from the bytes written to a terminal.
///
/// It supports what `ScreenRenderer` and `Terminal` write, and the most common other sequences: cursor movement,
/// erasing, colours and attributes, private modes, and strings, which it skips. It shares no code with the renderer, so
/// comparing its screen with the drawn one verifies the bytes.
public struct TerminalEmulator: Sendable {
    /// The visible cells.
    public private(set) var screen: ScreenBuffer
    /// The position of the cursor.
    public private(set) var cursor = GridPoint.zero
    /// Whether the cursor is visible.
    public private(set) var isCursorVisible = true
    /// The numbers of the private modes that are set: 1049 is the alternate screen, 2004 bracketed paste.
    public private(set) var modes: Set<Int> = []
    /// The flags of kitty's keyboard protocol, as a stack; empty while the protocol is not in use.
    public private(set) var keyboardFlags: [Int] = []
    /// The text that the program has sent to the clipboard with OSC 52, in base64; `nil` before the first one.
    public private(set) var clipboard: String?
    /// How often the bell has rung.
    public private(set) var bells = 0
    /// The notifications that the program has requested with OSC 9 and OSC 777, without their numbers.
    public private(set) var notifications: [String] = []
    /// The visible pictures, in the order in which they were shown.
    public var pictures: [EmulatedPicture] { graphics.pictures }
    /// Whether setting the margins moves the cursor to the upper left, which not all terminals do.
    public var movesCursorWithMargins = true
    /// The size of a cell in pixels, for sixels.
    public var cellPixels = GridSize(width: 10, height: 20)
    /// The sequences that the emulator does not support; empty for everything that this module writes.
    public private(set) var unknown: [String] = []

    private var graphics = EmulatedGraphics()
    private var lastCharacter: Character?
    /// The place of the last character and the cells around it before, while more of its cluster may come.
    private var unfinished: (start: GridPoint, before: [Cell])?
    private let joinsClusters: Bool
    private var style = TextStyle.plain
    private var wraps = true
    private var wrapsNext = false
    private var margins: Range<Int>
    private var pending: [UInt8] = []

    /// Creates a blank terminal.
    ///
    /// - Parameters:
    ///   - size: The number of columns and rows.
    ///   - joinsClusters: Whether a grapheme cluster is one glyph. Older terminals draw each of its scalars by itself, so
    ///     that a family emoji takes up to eight cells.
    public init(size: GridSize, joinsClusters: Bool = true) {
        screen = ScreenBuffer(size: size)
        self.joinsClusters = joinsClusters
        margins = 0..<size.height
    }

    /// Processes bytes, which may be split anywhere.
    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        var rest = ArraySlice(pending + Array(bytes))
        while !rest.isEmpty {
            let before = rest.count
            if rest.first == 0x1B { takeSequence(&rest) } else { takeText(&rest) }
            if rest.count == before { break }
        }
        pending = Array(rest)
    }

    /// Changes the size; the content is cropped or extended.
    public mutating func resize(_ size: GridSize) {
        screen = screen.resized(to: size)
        cursor = GridPoint(x: min(cursor.x, max(0, size.width - 1)), y: min(cursor.y, max(0, size.height - 1)))
        margins = 0..<size.height
        wrapsNext = false
        unfinished = nil
    }
}

extension TerminalEmulator {
    private mutating func takeText(_ rest: inout ArraySlice<UInt8>) {
        guard let first = rest.first else { return }
        if first < 0x20 || first == 0x7F {
            rest.removeFirst()
            control(first)
            return
        }
        var end = rest.firstIndex { $0 < 0x20 || $0 == 0x7F } ?? rest.endIndex
        if end == rest.endIndex {
            // An incomplete scalar waits for its next bytes.
            var back = 1
            while back <= min(3, rest.count), rest[rest.endIndex - back] & 0xC0 == 0x80 { back += 1 }
            if back <= rest.count {
                let lead = rest[rest.endIndex - back]
                let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
                if length > back { end = rest.endIndex - back }
            }
        }
        var text = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
        rest = rest[end...]
        if let unfinished, let lastCharacter {
            let whole = String(lastCharacter) + text
            if whole.first != lastCharacter {
                undraw(unfinished)
                text = whole
            }
        }
        guard let last = text.popLast() else { return }
        for character in text { draw(character) }
        draw(last, isLast: true)
    }

    /// Restores the cells below a character and moves the cursor back to it.
    private mutating func undraw(_ character: (start: GridPoint, before: [Cell])) {
        for (offset, cell) in character.before.enumerated() where !cell.isContinuation {
            screen.put(cell, x: max(0, character.start.x - 1) + offset, y: character.start.y)
        }
        cursor = character.start
        wrapsNext = false
    }

    private mutating func control(_ byte: UInt8) {
        unfinished = nil
        guard byte != 0x07 else { return bells += 1 }
        wrapsNext = false
        switch byte {
        case 0x08: cursor.x = max(0, cursor.x - 1)
        case 0x0D: cursor.x = 0
        case 0x0A: lineFeed()
        default: unknown.append("control \(byte)")
        }
    }

    /// Moves the cursor down, or scrolls at the lower margin.
    private mutating func lineFeed() {
        if cursor.y == margins.upperBound - 1 {
            scroll(by: 1)
        } else {
            cursor.y = min(screen.size.height - 1, cursor.y + 1)
        }
    }

    /// Moves the rows between the margins up, or down by a negative distance.
    private mutating func scroll(by distance: Int) {
        let before = screen
        for y in margins {
            erase(GridRect(x: 0, y: y, width: screen.size.width, height: 1))
            guard margins.contains(y + distance) else { continue }
            for x in 0..<screen.size.width where !before[x, y + distance].isContinuation {
                screen.put(before[x, y + distance], x: x, y: y)
            }
        }
    }

    /// Draws a character at the cursor; more scalars may follow the last one of a text.
    private mutating func draw(_ character: Character, isLast: Bool = false) {
        unfinished = nil
        if !joinsClusters && character.unicodeScalars.count > 1 {
            for scalar in character.unicodeScalars where DisplayWidth.of(scalar) > 0 { draw(Character(scalar)) }
            return
        }
        let glyph = Glyph(character)
        guard glyph.width > 0 else { return }
        if wrapsNext || cursor.x + glyph.width > screen.size.width {
            if wraps {
                cursor = GridPoint(x: 0, y: cursor.y)
                lineFeed()
            } else {
                cursor.x = max(0, screen.size.width - glyph.width)
            }
            wrapsNext = false
        }
        lastCharacter = character
        if isLast && joinsClusters {
            let columns = max(0, cursor.x - 1)..<min(screen.size.width, cursor.x + 3)
            unfinished = (cursor, columns.map { screen[$0, cursor.y] })
        }
        screen.put(Cell(glyph, style: style), x: cursor.x, y: cursor.y)
        graphics.overwrite(GridRect(x: cursor.x, y: cursor.y, width: glyph.width, height: 1))
        if cursor.x + glyph.width >= screen.size.width {
            cursor.x = max(0, screen.size.width - 1)
            wrapsNext = true
        } else {
            cursor.x += glyph.width
        }
    }

    /// Processes one escape sequence, or nothing if it is incomplete.
    private mutating func takeSequence(_ rest: inout ArraySlice<UInt8>) {
        guard let second = rest.dropFirst().first else { return }
        unfinished = nil
        switch second {
        case UInt8(ascii: "["):
            let body = rest.dropFirst(2)
            guard let end = body.firstIndex(where: { $0 >= 0x40 && $0 <= 0x7E }) else { return }
            let parameters = String(decoding: body[..<end], as: UTF8.self)
            let final = Character(UnicodeScalar(body[end]))
            rest = rest[(end + 1)...]
            apply(parameters, final)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            var index = rest.startIndex + 2
            while index < rest.endIndex {
                if rest[index] == 0x07 || (rest[index] == 0x5C && rest[index - 1] == 0x1B) {
                    let end = rest[index] == 0x07 ? index : index - 1
                    string(String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self))
                    rest = rest[(index + 1)...]
                    return
                }
                index += 1
            }
        case UInt8(ascii: "\\"):
            rest = rest.dropFirst(2)
        case UInt8(ascii: "M"):
            rest = rest.dropFirst(2)
            wrapsNext = false
            if cursor.y == margins.lowerBound { scroll(by: -1) } else { cursor.y = max(0, cursor.y - 1) }
        // A character set, which the third byte names.
        case UInt8(ascii: "(")...UInt8(ascii: "+"):
            guard rest.count > 2 else { return }
            unknown.append("ESC \(second)")
            rest = rest.dropFirst(3)
        default:
            unknown.append("ESC \(second)")
            rest = rest.dropFirst(2)
        }
    }

    /// Processes a control string, which begins with its introducer.
    private mutating func string(_ text: String) {
        if text.hasPrefix("]52;c;") { clipboard = String(text.dropFirst(6)) }
        for number in ["]9;", "]777;"] where text.hasPrefix(number) {
            notifications.append(String(text.dropFirst(number.count)))
        }
        if text.hasPrefix("]8;") {
            let address = text.dropFirst(3).drop { $0 != ";" }.dropFirst()
            style.link = address.isEmpty ? .none : screen.link(to: String(address))
        }
        do throws(EmulatedGraphics.Unsupported) {
            if let picture = try graphics.process(text, at: cursor, cellPixels: cellPixels) { didShow(picture) }
        } catch {
            unknown.append(error.text)
        }
    }

    private mutating func didShow(_ picture: EmulatedPicture) {
        let area = picture.area
        // Except in kitty's protocol, a picture moves the cursor: in some terminals to its end, in others below it.
        if picture.graphics != .kitty {
            cursor = GridPoint(x: min(area.maxX, screen.size.width) - 1, y: max(0, area.maxY - 1))
        }
        if area.intersection(screen.bounds) != area { unknown.append("a picture beyond the screen: \(area)") }
    }

    private mutating func apply(_ parameters: String, _ final: Character) {
        if parameters.hasPrefix("?") {
            applyMode(parameters.dropFirst(), final)
            return
        }
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let count = max(1, numbers.first ?? 1)
        let edge = GridPoint(x: max(0, screen.size.width - 1), y: max(0, screen.size.height - 1))
        if final != "m" { wrapsNext = false }
        switch final {
        case "A": cursor.y = max(0, cursor.y - count)
        case "B": cursor.y = min(edge.y, cursor.y + count)
        case "C": cursor.x = min(edge.x, cursor.x + count)
        case "D": cursor.x = max(0, cursor.x - count)
        case "G": cursor.x = min(edge.x, count - 1)
        case "d": cursor.y = min(edge.y, count - 1)
        case "H":
            let column = max(1, numbers.count > 1 ? numbers[1] : 1)
            cursor = GridPoint(x: min(edge.x, column - 1), y: min(edge.y, count - 1))
        case "J" where numbers.first == 2:
            erase(screen.bounds)
            graphics.removePictures()
        case "b":
            if let lastCharacter { for _ in 0..<count { draw(lastCharacter) } }
        case "K" where (0...2).contains(numbers.first ?? 0):
            let start = numbers.first ?? 0 == 0 ? cursor.x : 0
            let end = numbers.first == 1 ? cursor.x + 1 : screen.size.width
            erase(GridRect(x: start, y: cursor.y, width: end - start, height: 1))
        // Other parameters than numbers, such as those after colons, are not supported.
        case "m" where parameters.allSatisfy({ $0.isNumber || $0 == ";" }): select(numbers.isEmpty ? [0] : numbers)
        case "r":
            let top = max(1, numbers.first ?? 1) - 1
            let bottom = numbers.count > 1 ? min(screen.size.height, numbers[1]) : screen.size.height
            margins = top < bottom ? top..<bottom : 0..<screen.size.height
            if movesCursorWithMargins { cursor = .zero }
        // Queries, which this terminal does not reply to.
        case "c", "t": break
        case "u" where parameters.hasPrefix(">") || parameters.hasPrefix("<"):
            keyboardFlags += parameters.hasPrefix(">") ? [Int(parameters.dropFirst()) ?? 0] : []
            if parameters.hasPrefix("<") { _ = keyboardFlags.popLast() }
        default: unknown.append("CSI \(parameters)\(final)")
        }
    }

    private mutating func applyMode(_ parameters: Substring, _ final: Character) {
        guard final == "h" || final == "l" else {
            if final != "p" && final != "u" { unknown.append("CSI ?\(parameters)\(final)") }
            return
        }
        for mode in parameters.split(separator: ";").compactMap({ Int($0) }) {
            if final == "h" { modes.insert(mode) } else { modes.remove(mode) }
            if mode == 7 { wraps = final == "h" }
            if mode == 25 { isCursorVisible = final == "h" }
            if mode == 1049 {
                erase(screen.bounds)
                graphics.removePictures()
            }
        }
    }

    private mutating func erase(_ area: GridRect) {
        graphics.overwrite(area)
        screen.fill(area, with: Cell(.space, style: TextStyle(background: style.background)))
    }

    private mutating func select(_ numbers: [Int]) {
        var rest = ArraySlice(numbers)
        while let number = rest.popFirst() {
            switch number {
            case 0:
                let link = style.link
                style = .plain
                style.link = link
            case 1: style.attributes.insert(.bold)
            case 2: style.attributes.insert(.dim)
            case 3: style.attributes.insert(.italic)
            case 4: style.attributes.insert(.underline)
            case 7: style.attributes.insert(.reverse)
            case 9: style.attributes.insert(.strikethrough)
            case 22: style.attributes.subtract([.bold, .dim])
            case 23: style.attributes.remove(.italic)
            case 24: style.attributes.remove(.underline)
            case 27: style.attributes.remove(.reverse)
            case 29: style.attributes.remove(.strikethrough)
            case 30...37: style.foreground = .palette(UInt8(number - 30))
            case 38: style.foreground = extended(&rest)
            case 39: style.foreground = .standard
            case 40...47: style.background = .palette(UInt8(number - 40))
            case 48: style.background = extended(&rest)
            case 49: style.background = .standard
            case 90...97: style.foreground = .palette(UInt8(number - 82))
            case 100...107: style.background = .palette(UInt8(number - 92))
            default: unknown.append("SGR \(number)")
            }
        }
    }

    private mutating func extended(_ rest: inout ArraySlice<Int>) -> Color {
        let kind = rest.popFirst()
        func byte() -> UInt8 { UInt8(clamping: rest.popFirst() ?? 0) }
        if kind == 5 { return .palette(byte()) }
        let red = byte()
        let green = byte()
        return .rgb(red, green, byte())
    }
}
