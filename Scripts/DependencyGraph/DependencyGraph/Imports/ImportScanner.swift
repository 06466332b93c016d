/// An import in a Swift source file.
struct ImportStatement: Sendable, Equatable {
    /// The module, without a submodule or the name of a declaration.
    var module: String
    /// The name in the file, which may be an alias of the module.
    var written: String
    /// The bytes of the name.
    var name: Range<Int>
    /// The line, counted from 1.
    var line: Int
    /// Whether the module is re-exported (`@_exported`).
    var isExported: Bool
    /// The condition of the enclosing `#if` branches; `nil` if there are none.
    var condition: CompilationCondition?

    /// Whether the import is compiled only where its own module is available: `#if canImport(X)`.
    var isOptional: Bool { condition?.requires(module: module) ?? false }

    /// Whether nothing can compile the import, with these flags defined at most, and the certain ones always.
    func isDead(flags: Set<String>, certain: Set<String> = []) -> Bool {
        condition?.isImpossible(flags: flags, certain: certain) ?? false
    }
}

/// Finds the imports of a Swift source file lexically, in every branch of every `#if`.
///
/// Attributes, access levels, kinds (`import struct A.B`), submodules and backticks are recognised. The compiler reports the
/// imports of the active branches only; see ``CompilerImports``.
struct ImportScanner {
    /// The place in a statement.
    private enum State: Equatable {
        /// Attributes and access levels so far.
        case start
        /// After `@`.
        case attribute
        /// After the name of an attribute.
        case attributeName
        /// In the arguments of an attribute.
        case arguments(depth: Int)
        /// After anything else: no import follows in this statement.
        case rest
    }

    private var lexer: SwiftLexer
    private var state = State.start
    private var isExported = false
    /// For each open `#if`, the condition of the current branch and the negation of those before.
    private var branches: [(current: CompilationCondition, before: CompilationCondition)] = []
    private var imports: [ImportStatement] = []

    /// Returns the imports of a source text, in order.
    static func imports(in bytes: [UInt8]) -> [ImportStatement] {
        // Most files have imports at their beginning only.
        guard let end = bytes.lastIndex(of: Array("import".utf8)) else { return [] }
        var scanner = ImportScanner(lexer: SwiftLexer(bytes))
        while scanner.lexer.place <= end, let token = scanner.lexer.next() { scanner.take(token) }
        return scanner.imports
    }

    /// Returns the imports of a source text, in order.
    static func imports(in text: String) -> [ImportStatement] { imports(in: Array(text.utf8)) }

    private mutating func take(_ token: SwiftLexer.Token) {
        if token.isFirst, state == .rest || state == .attributeName { begin(afterAttribute: state == .attributeName) }
        if token.kind == .directive {
            directive(lexer.text(of: token))
            return
        }
        switch state {
        case .arguments(let depth):
            if lexer.matches(token, "(") { state = .arguments(depth: depth + 1) }
            if lexer.matches(token, ")") { state = depth == 1 ? .start : .arguments(depth: depth - 1) }
        case .attribute:
            isExported = isExported || lexer.matches(token, "_exported")
            state = token.kind == .word ? .attributeName : .rest
        case .attributeName where lexer.matches(token, "("): state = .arguments(depth: 1)
        case .start, .attributeName:
            if lexer.matches(token, "@") {
                state = .attribute
            } else if lexer.matches(token, "import") {
                state = .rest
                statement(line: token.line)
            } else if lexer.matches(token, ";") {
                begin(afterAttribute: false)
            } else if !Self.accessLevels.contains(where: { lexer.matches(token, $0) }) {
                state = .rest
            } else {
                state = .start
            }
        case .rest: if lexer.matches(token, ";") { begin(afterAttribute: false) }
        }
    }

    private mutating func begin(afterAttribute: Bool) {
        state = .start
        if !afterAttribute { isExported = false }
    }

    private mutating func statement(line: Int) {
        // The name may be on the next line.
        guard var token = lexer.next(), token.kind == .word else { return }
        if Self.kinds.contains(where: { lexer.matches(token, $0) }) {
            guard let next = lexer.next(), next.kind == .word else { return }
            token = next
        }
        let conditions = branches.map(\.current)
        imports.append(
            ImportStatement(
                module: lexer.text(of: token),
                written: lexer.text(of: token),
                name: token.range,
                line: line,
                isExported: isExported,
                condition: conditions.dropFirst().reduce(conditions.first) { all, next in all.map { .and($0, next) } }
            )
        )
        isExported = false
    }

    private mutating func directive(_ name: String) {
        switch name {
        case "#if":
            let condition = CompilationCondition(lexer.condition())
            branches.append((condition, .not(condition)))
        case "#elseif":
            let condition = CompilationCondition(lexer.condition())
            guard let last = branches.popLast() else { return }
            branches.append((.and(last.before, condition), .and(last.before, .not(condition))))
        case "#else":
            guard let last = branches.popLast() else { return }
            branches.append((last.before, .constant(false)))
        case "#endif": _ = branches.popLast()
        default:
            state = .rest
            return
        }
        begin(afterAttribute: false)
        state = .rest
    }

    private static let accessLevels: [StaticString] = ["public", "package", "internal", "fileprivate", "private"]
    private static let kinds: [StaticString] = [
        "typealias", "struct", "class", "enum", "protocol", "let", "var", "func", "actor",
    ]
}

extension [UInt8] {
    /// Returns the index of the last occurrence of some bytes.
    func lastIndex(of part: [UInt8]) -> Int? {
        guard let first = part.first, count >= part.count else { return nil }
        return withUnsafeBufferPointer { bytes in
            var index = bytes.count - part.count
            while index >= 0 {
                if bytes[index] == first, (1..<part.count).allSatisfy({ bytes[index + $0] == part[$0] }) {
                    return index
                }
                index -= 1
            }
            return nil
        }
    }
}
