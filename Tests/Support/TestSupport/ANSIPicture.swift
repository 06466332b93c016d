/// The cells and pixels of a picture, parsed from the output for a terminal.
///
/// It parses characters, line feeds, carriage returns and SGR (`ESC [ ... m`) with 16, 256 and 24-bit colours. Any other
/// sequence is an error.
public struct ANSIPicture: Sendable {
    /// A colour with channels 0...255.
    public struct Color: Hashable, Sendable {
        public var red: Int
        public var green: Int
        public var blue: Int

        public init(_ red: Int, _ green: Int, _ blue: Int) {
            (self.red, self.green, self.blue) = (red, green, blue)
        }

        /// Returns the largest difference of a channel.
        public func difference(from other: Color) -> Int {
            max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue))
        }
    }

    /// A character with its colours; `nil` is the default colour of the terminal.
    public struct Cell: Hashable, Sendable {
        public var character: Character
        public var foreground: Color?
        public var background: Color?
    }

    /// The error of output that cannot be parsed, with the line and the column, counted from 1.
    public struct Unreadable: Error, CustomStringConvertible {
        public var description: String
    }

    /// The cells, line by line.
    public private(set) var lines: [[Cell]] = []
    /// The number of SGR sequences.
    public private(set) var sequenceCount = 0
    /// Whether a line ended while colours were set.
    public private(set) var leaksColors = false

    private var foreground: Color?
    private var background: Color?

    /// Parses lines as a terminal does.
    public init(_ text: String) throws {
        var line: [Cell] = []
        var rest = Substring(text)
        while let character = rest.popFirst() {
            switch character {
            case "\n", "\r\n":
                finish(&line)
            case "\u{1B}":
                try readSequence(&rest, line: lines.count + 1, column: line.count + 1)
            default:
                let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
                guard !isControl else { throw Unreadable(description: "control character in line \(lines.count + 1)") }
                line.append(Cell(character: character, foreground: foreground, background: background))
            }
        }
        if !line.isEmpty { finish(&line) }
    }

    /// Returns the pixels of half-blocks and quadrants: two rows for each line, and one or two columns for each cell.
    ///
    /// - Parameter columnsPerCell: 1 for half-blocks, 2 for quadrants.
    /// - Returns: the rows of pixels from the top; `nil` is the default colour of the terminal.
    /// - Throws: ``Unreadable`` for a character that is not a block.
    public func pixels(columnsPerCell: Int = 1) throws -> [[Color?]] {
        try lines.flatMap { line in
            try [1, 4].map { (rowBit: Int) in
                try line.flatMap { cell in
                    guard let pattern = Self.patterns[cell.character] else {
                        throw Unreadable(description: "'\(cell.character)' is no block")
                    }
                    return (0..<columnsPerCell).map { column in
                        pattern & (rowBit << column) != 0 ? cell.foreground : cell.background
                    }
                }
            }
        }
    }

    /// Returns the quarters that a block fills: 1 top left, 2 top right, 4 bottom left, 8 bottom right.
    private static let patterns: [Character: Int] = Dictionary(
        uniqueKeysWithValues: Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█").enumerated().map { ($0.element, $0.offset) }
    )

    private mutating func finish(_ line: inout [Cell]) {
        if foreground != nil || background != nil { leaksColors = true }
        lines.append(line)
        line = []
    }

    private mutating func readSequence(_ rest: inout Substring, line: Int, column: Int) throws {
        guard rest.popFirst() == "[", let end = rest.firstIndex(where: { !($0.isNumber || $0 == ";" || $0 == ":") }),
            rest[end] == "m"
        else { throw Unreadable(description: "a sequence other than SGR in line \(line), column \(column)") }
        let parameters = rest[..<end].split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        rest = rest[rest.index(after: end)...]
        sequenceCount += 1
        try apply(parameters, line: line)
    }

    private mutating func apply(_ parameters: [Int], line: Int) throws {
        var rest = parameters[...]
        while let parameter = rest.popFirst() {
            switch parameter {
            case 0: (foreground, background) = (nil, nil)
            case 30...37: foreground = Self.indexed(parameter - 30)
            case 38: foreground = try Self.extended(&rest, line: line)
            case 39: foreground = nil
            case 40...47: background = Self.indexed(parameter - 40)
            case 48: background = try Self.extended(&rest, line: line)
            case 49: background = nil
            case 90...97: foreground = Self.indexed(parameter - 90 + 8)
            case 100...107: background = Self.indexed(parameter - 100 + 8)
            default: throw Unreadable(description: "SGR \(parameter) in line \(line)")
            }
        }
    }

    private static func extended(_ rest: inout ArraySlice<Int>, line: Int) throws -> Color {
        switch rest.popFirst() {
        case 2:
            guard let red = rest.popFirst(), let green = rest.popFirst(), let blue = rest.popFirst() else { break }
            return Color(red, green, blue)
        case 5:
            guard let index = rest.popFirst(), 0...255 ~= index else { break }
            return indexed(index)
        default: break
        }
        throw Unreadable(description: "a broken extended colour in line \(line)")
    }

    /// The palette of xterm, independent of that in the modules so that it reveals a mistake there.
    private static func indexed(_ index: Int) -> Color {
        if index >= 232 { return Color((index - 232) * 10 + 8, (index - 232) * 10 + 8, (index - 232) * 10 + 8) }
        if index >= 16 {
            func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
            return Color(level((index - 16) / 36), level((index - 16) / 6 % 6), level((index - 16) % 6))
        }
        let hexadecimal = [
            0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
            0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
        ][index]
        return Color(hexadecimal >> 16, hexadecimal >> 8 & 255, hexadecimal & 255)
    }
}
