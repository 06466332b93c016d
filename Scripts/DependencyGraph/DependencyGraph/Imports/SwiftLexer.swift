/// Divides Swift source text into tokens, without comments.
///
/// The tokens in an interpolation come between the parts of its string. Nested comments, strings with any number of quotation
/// and number signs, and regular expression literals are recognised. Any text is accepted.
struct SwiftLexer {
    struct Token: Equatable {
        enum Kind {
            /// An identifier or a keyword, with its backticks.
            case word
            /// A number, or one character of an operator or of punctuation.
            case number, symbol
            /// A string without interpolations, with its quotation marks.
            case string
            /// A string up to, between or after its interpolations.
            case part
            /// A regular expression literal.
            case regex
            /// A word with a number sign, such as `#if`.
            case directive
        }

        var kind: Kind
        /// The bytes of the token.
        var range: Range<Int>
        /// The line, counted from 1.
        var line: Int
        /// Whether it is the first token of its line.
        var isFirst: Bool
    }

    /// A string whose interpolation is being read.
    private struct OpenString {
        var quotes: Int
        var hashes: Int
        /// The number of open parentheses in the interpolation.
        var depth = 0
    }

    let bytes: [UInt8]
    private(set) var place = 0
    private(set) var line = 1
    private var isFirst = true
    private var open: [OpenString] = []
    /// The last byte that is neither white space nor in a comment.
    private var last: UInt8?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A byte-order mark is not part of the first line.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    /// Returns how deep the interpolations of a text are nested.
    static func interpolationDepth(of bytes: [UInt8]) -> Int {
        var lexer = SwiftLexer(bytes)
        var deepest = 0
        while lexer.next() != nil { deepest = max(deepest, lexer.open.count) }
        return deepest
    }

    /// Returns the text of a token; an identifier without its backticks, a string without its quotation marks.
    func text(of token: Token) -> String {
        var range = token.range
        let ends = token.kind == .word ? "`" : token.kind == .string ? "\"" : nil
        if let ends, let sign = ends.utf8.first {
            while range.count > 1, bytes[range.lowerBound] == sign, bytes[range.upperBound - 1] == sign {
                range = range.lowerBound + 1..<range.upperBound - 1
            }
            if range.count == 1, bytes[range.lowerBound] == sign { range = range.lowerBound..<range.lowerBound }
        }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// Whether a token is this word or symbol.
    func matches(_ token: Token, _ text: StaticString) -> Bool {
        guard token.range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { buffer in
            var index = token.range.lowerBound
            for byte in buffer {
                if bytes[index] != byte { return false }
                index += 1
            }
            return true
        }
    }

    /// Returns the next token, or `nil` at the end.
    mutating func next() -> Token? {
        while let byte = peek() {
            switch byte {
            case newline, carriageReturn: endLine()
            case space, tab: place += 1
            case slash where peek(1) == slash: skipLine()
            case slash where peek(1) == star: skipComment()
            case quote: return string(hashes: 0)
            case hash:
                var hashes = 1
                while peek(hashes) == hash { hashes += 1 }
                if peek(hashes) == quote { return string(hashes: hashes) }
                if peek(hashes) == slash { return regex(hashes: hashes) }
                return token(.directive) {
                    $0.place += hashes
                    $0.skipWord()
                }
            case slash where isRegex: return regex(hashes: 0)
            case openParenthesis:
                if !open.isEmpty { open[open.count - 1].depth += 1 }
                return token(.symbol) { $0.place += 1 }
            case closeParenthesis:
                if let string = open.last {
                    if string.depth == 0 {
                        open.removeLast()
                        return token(.part) {
                            $0.place += 1
                            _ = $0.skipString(quotes: string.quotes, hashes: string.hashes)
                        }
                    }
                    open[open.count - 1].depth -= 1
                }
                return token(.symbol) { $0.place += 1 }
            case backtick:
                return token(.word) { $0.skipQuotedWord() }
            case zero...nine:
                return token(.number) { $0.skipWord() }
            case _ where Self.isWord(byte): return token(.word) { $0.skipWord() }
            default: return token(.symbol) { $0.place += 1 }
            }
        }
        return nil
    }

    /// Returns the text up to the end of the condition that follows, without comments. A line that ends with an operator is
    /// continued.
    mutating func condition() -> [UInt8] {
        var text: [UInt8] = []
        while let byte = peek() {
            if byte == slash, peek(1) == slash {
                skipLine()
            } else if byte == slash, peek(1) == star {
                skipComment()
            } else if byte == newline || byte == carriageReturn {
                let end = text.last { $0 != space && $0 != tab }
                guard end == UInt8(ascii: "&") || end == UInt8(ascii: "|") else { break }
                endLine()
            } else {
                text.append(byte)
                place += 1
            }
        }
        return text
    }

    // MARK: - Parts

    private mutating func token(_ kind: Token.Kind, _ advance: (inout SwiftLexer) -> Void) -> Token {
        let (start, startLine, wasFirst) = (place, line, isFirst)
        advance(&self)
        isFirst = false
        last = bytes[place - 1]
        return Token(kind: kind, range: start..<place, line: startLine, isFirst: wasFirst)
    }

    private mutating func string(hashes: Int) -> Token {
        let quotes = peek(hashes + 1) == quote && peek(hashes + 2) == quote ? 3 : 1
        var isWhole = true
        var token = token(.string) { lexer in
            lexer.place += hashes + quotes
            isWhole = lexer.skipString(quotes: quotes, hashes: hashes)
        }
        if !isWhole { token.kind = .part }
        return token
    }

    /// Skips the rest of a string. A string of one line ends with its line at the latest.
    ///
    /// - Returns: `false` if an interpolation begins.
    private mutating func skipString(quotes: Int, hashes: Int) -> Bool {
        while let byte = peek() {
            if byte == backslash, isRun(of: hash, count: hashes, at: 1) {
                place += 1 + hashes
                guard let escaped = peek() else { return true }
                if escaped == openParenthesis {
                    place += 1
                    open.append(OpenString(quotes: quotes, hashes: hashes))
                    return false
                }
                if escaped != newline && escaped != carriageReturn { place += 1 }
            } else if byte == quote, isRun(of: quote, count: quotes, at: 0), isRun(of: hash, count: hashes, at: quotes)
            {
                place += quotes + hashes
                return true
            } else if byte == newline || byte == carriageReturn {
                if quotes == 1 { return true }
                endLine()
            } else {
                place += 1
            }
        }
        return true
    }

    /// Whether a slash begins a regular expression literal: where an operand is expected, and with an end on its line.
    private var isRegex: Bool {
        guard last.map({ Array("(,=:[{;&|!?".utf8).contains($0) }) ?? true, let next = peek(1), next != space,
            next != tab
        else { return false }
        var offset = 1
        while let byte = peek(offset), byte != newline, byte != carriageReturn {
            if byte == slash { return true }
            offset += byte == backslash ? 2 : 1
        }
        return false
    }

    /// Skips a regular expression literal; one with number signs may span lines.
    private mutating func regex(hashes: Int) -> Token {
        token(.regex) { lexer in
            lexer.place += hashes + 1
            while let byte = lexer.peek() {
                if byte == backslash {
                    lexer.place += 1
                    if let next = lexer.peek(), next != newline, next != carriageReturn { lexer.place += 1 }
                } else if byte == slash, lexer.isRun(of: hash, count: hashes, at: 1) {
                    lexer.place += 1 + hashes
                    return
                } else if byte == newline || byte == carriageReturn {
                    lexer.endLine()
                } else {
                    lexer.place += 1
                }
            }
        }
    }

    private mutating func skipLine() {
        while let byte = peek(), byte != newline, byte != carriageReturn { place += 1 }
    }

    private mutating func skipComment() {
        var depth = 0
        while let byte = peek() {
            if byte == slash, peek(1) == star {
                depth += 1
                place += 2
            } else if byte == star, peek(1) == slash {
                depth -= 1
                place += 2
                if depth == 0 { return }
            } else if byte == newline || byte == carriageReturn {
                endLine()
            } else {
                place += 1
            }
        }
    }

    private mutating func skipWord() {
        while let byte = peek(), Self.isWord(byte) { place += 1 }
    }

    /// Skips an identifier in backticks, which may contain anything but the end of the line. A single backtick is part of the
    /// word after it.
    private mutating func skipQuotedWord() {
        var offset = 1
        while let byte = peek(offset), byte != newline, byte != carriageReturn {
            offset += 1
            guard byte != backtick else { return place += offset }
        }
        place += 1
        skipWord()
    }

    private mutating func endLine() {
        place += peek() == carriageReturn && peek(1) == newline ? 2 : 1
        line += 1
        isFirst = true
    }

    private func peek(_ offset: Int = 0) -> UInt8? {
        let index = place + offset
        return index < bytes.count ? bytes[index] : nil
    }

    private func isRun(of byte: UInt8, count: Int, at offset: Int) -> Bool {
        (0..<count).allSatisfy { peek(offset + $0) == byte }
    }

    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), zero...nine: true
        case UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF: true
        default: false
        }
    }
}

private let newline = UInt8(ascii: "\n"), carriageReturn = UInt8(ascii: "\r"), space = UInt8(ascii: " ")
private let tab = UInt8(ascii: "\t"), slash = UInt8(ascii: "/"), star = UInt8(ascii: "*"), quote = UInt8(ascii: "\"")
private let hash = UInt8(ascii: "#"), backslash = UInt8(ascii: "\\"), backtick = UInt8(ascii: "`")
private let openParenthesis = UInt8(ascii: "("), closeParenthesis = UInt8(ascii: ")")
private let zero = UInt8(ascii: "0"), nine = UInt8(ascii: "9")
