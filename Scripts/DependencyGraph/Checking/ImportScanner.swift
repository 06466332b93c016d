/// An import in a Swift source file.
public struct ImportStatement: Sendable, Equatable {
    /// The module, without a submodule or the name of a declaration.
    public var module: String
    /// The line, counted from 1.
    public var line: Int
    /// Whether the module is re-exported (`@_exported`).
    public var isExported: Bool
    /// The modules of the enclosing `#if canImport(...)` conditions.
    public var guards: [String]
}

/// Finds the imports of a Swift source file lexically, in every branch of every `#if`.
///
/// Nested comments and strings with interpolations are skipped. Attributes, access levels, kinds (`import struct A.B`),
/// submodules and backticks are recognised. A compiler reports the active branches only, and needs the built modules.
public struct ImportScanner {
    private struct Branch {
        var guards: [String] = []
        /// Whether the condition is `false`.
        var isDisabled = false
    }

    private enum Token: Equatable {
        case word(String)
        case symbol(Character)
    }

    private var characters: [Character]
    private var place = 0
    private var line = 1
    private var branches: [Branch] = []
    private var imports: [ImportStatement] = []
    /// The tokens of the current statement, which begins with the line or after a semicolon; attributes on preceding lines
    /// belong to it.
    private var statement: [Token] = []

    /// Creates a scanner of a source file's text.
    public init(_ text: String) {
        // A byte order mark is not part of the first line.
        characters = Array(text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text)
    }

    /// The imports, in order.
    public static func imports(in text: String) -> [ImportStatement] {
        var scanner = ImportScanner(text)
        scanner.scan(untilParenthesis: false)
        return scanner.imports
    }

    // MARK: - Code

    private mutating func scan(untilParenthesis: Bool) {
        var depth = 0
        while let character = peek() {
            switch character {
            case "\n", "\r\n", "\r": endLine()
            case "/" where peek(1) == "/": skipLine()
            case "/" where peek(1) == "*": skipComment()
            case "\"": skipString(hashes: 0)
            case "#":
                let hashes = characters[place...].prefix { $0 == "#" }.count
                if peek(hashes) == "/" {
                    skipRegex(hashes: hashes)
                } else if peek(hashes) == "\"" {
                    advance(hashes)
                    skipString(hashes: hashes)
                } else {
                    advance()
                    directive(word())
                }
            case "(":
                depth += 1
                symbol(character)
            case ")":
                if untilParenthesis, depth == 0 { return }
                depth -= 1
                symbol(character)
            case ";":
                statement = []
                advance()
            case _ where Self.begins(character):
                let found = word()
                if found == "import", isAtStart, !untilParenthesis { importStatement() } else { add(.word(found)) }
            case _ where character.isWhitespace: advance()
            default: symbol(character)
            }
        }
    }

    private mutating func symbol(_ character: Character) {
        add(.symbol(character))
        advance()
    }

    private mutating func add(_ token: Token) {
        // Only the beginning of a statement decides whether an import may follow.
        if statement.count < 24 { statement.append(token) }
    }

    /// Whether the statement consists of attributes and access levels so far.
    private var isAtStart: Bool {
        var tokens = statement[...]
        while let first = tokens.first {
            switch first {
            case .symbol("@"):
                tokens = tokens.dropFirst()
                guard case .word = tokens.first else { return false }
                tokens = tokens.dropFirst()
                if tokens.first == .symbol("(") {
                    guard let end = tokens.firstIndex(of: .symbol(")")) else { return false }
                    tokens = tokens[(end + 1)...]
                }
            case .word(let level) where ["public", "package", "internal", "fileprivate", "private"].contains(level):
                tokens = tokens.dropFirst()
            default: return false
            }
        }
        return true
    }

    private mutating func importStatement() {
        let start = line
        let isExported = statement.contains(.word("_exported"))
        skipSpacesAndComments()
        var module = word()
        let kinds = ["typealias", "struct", "class", "enum", "protocol", "let", "var", "func", "actor"]
        if kinds.contains(module) {
            skipSpacesAndComments()
            let next = word()
            if !next.isEmpty { module = next }
        }
        // `import` may be the label of an argument.
        guard !module.isEmpty else { return add(.word("import")) }
        if !branches.contains(where: \.isDisabled) {
            let guards = branches.flatMap(\.guards)
            imports.append(ImportStatement(module: module, line: start, isExported: isExported, guards: guards))
        }
        statement = []
        while let character = peek(), !character.isNewline, character != ";" {
            if character == "/", peek(1) == "/" || peek(1) == "*" { return }
            advance()
        }
    }

    private mutating func endLine() {
        // An attribute belongs to the next line; anything else ends with its line.
        if !isAtStart { statement = [] }
        line += 1
        advance()
    }

    // MARK: - Conditions

    private mutating func directive(_ name: String) {
        switch name {
        case "if": branches.append(condition())
        case "elseif" where !branches.isEmpty: branches[branches.count - 1] = condition()
        case "else" where !branches.isEmpty: branches[branches.count - 1] = Branch()
        case "endif" where !branches.isEmpty: branches.removeLast()
        default: add(.symbol("#"))
        }
    }

    /// Returns the condition in the rest of the line: the modules of its `canImport` unless it has a negation, and whether it
    /// is `false`.
    private mutating func condition() -> Branch {
        var text = ""
        while let character = peek(), !character.isNewline {
            text.append(character)
            advance()
        }
        var guards: [String] = []
        for part in text.split(separator: "canImport(", omittingEmptySubsequences: false).dropFirst() {
            guards.append(String(part.prefix { Self.begins($0) || $0.isNumber }))
        }
        let isDisabled = text.prefix { $0 != "/" }.filter { !$0.isWhitespace } == "false"
        return Branch(guards: text.contains("!") ? [] : guards, isDisabled: isDisabled)
    }

    // MARK: - Comments and strings

    private mutating func skipLine() {
        while let character = peek(), !character.isNewline { advance() }
    }

    private mutating func skipComment() {
        var depth = 0
        while let character = peek() {
            if character == "/", peek(1) == "*" {
                depth += 1
                advance(2)
            } else if character == "*", peek(1) == "/" {
                depth -= 1
                advance(2)
                if depth == 0 { return }
            } else {
                if character.isNewline { line += 1 }
                advance()
            }
        }
    }

    /// Skips a string from its first quotation mark; a string of one line ends with its line at the latest.
    private mutating func skipString(hashes: Int) {
        let quotes = peek(1) == "\"" && peek(2) == "\"" ? 3 : 1
        if quotes == 1, peek(1) == "\"", ends(quotes: 1, hashes: hashes, at: 1) {
            advance(2 + hashes)
            return add(.symbol("\""))
        }
        advance(quotes)
        while let character = peek() {
            if character == "\\", (0..<hashes).allSatisfy({ peek(1 + $0) == "#" }) {
                advance(1 + hashes)
                if peek() == "(" {
                    advance()
                    let outer = statement
                    scan(untilParenthesis: true)
                    statement = outer
                }
                advance()
            } else if character == "\"", ends(quotes: quotes, hashes: hashes, at: 0) {
                advance(quotes + hashes)
                break
            } else if character.isNewline {
                if quotes == 1 { break }
                line += 1
                advance()
            } else {
                advance()
            }
        }
        add(.symbol("\""))
    }

    /// Skips an extended regular expression literal, `#/.../#`, which may span lines.
    private mutating func skipRegex(hashes: Int) {
        advance(hashes + 1)
        while let character = peek() {
            if character == "\\" {
                advance(2)
            } else if character == "/", (0..<hashes).allSatisfy({ peek(1 + $0) == "#" }) {
                advance(1 + hashes)
                break
            } else {
                if character.isNewline { line += 1 }
                advance()
            }
        }
        add(.symbol("/"))
    }

    private func ends(quotes: Int, hashes: Int, at offset: Int) -> Bool {
        (0..<quotes).allSatisfy { peek(offset + $0) == "\"" }
            && (0..<hashes).allSatisfy { peek(offset + quotes + $0) == "#" }
    }

    // MARK: - Characters

    private func peek(_ offset: Int = 0) -> Character? {
        let index = place + offset
        return index < characters.count ? characters[index] : nil
    }

    private mutating func advance(_ count: Int = 1) {
        place = min(place + count, characters.count)
    }

    /// Skips white space, line breaks and comments between the parts of an import.
    private mutating func skipSpacesAndComments() {
        while let character = peek() {
            if character.isNewline {
                line += 1
                advance()
            } else if character.isWhitespace {
                advance()
            } else if character == "/", peek(1) == "/" {
                skipLine()
            } else if character == "/", peek(1) == "*" {
                skipComment()
            } else {
                return
            }
        }
    }

    /// Returns the identifier at the current position without backticks; empty if there is none.
    private mutating func word() -> String {
        let isQuoted = peek() == "`"
        if isQuoted { advance() }
        var text = ""
        while let character = peek(), Self.begins(character) && character != "`" || character.isNumber {
            text.append(character)
            advance()
        }
        if isQuoted, peek() == "`" { advance() }
        return text
    }

    private static func begins(_ character: Character) -> Bool {
        character.isLetter || character == "_" || character == "`"
    }
}
