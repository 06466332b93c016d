/// The parts of a module that another one can use without importing it, found lexically.
struct ModuleInterface: Sendable {
    /// The names of the members that the module adds to types of other modules.
    private(set) var foreignMembers: Set<String> = []
    /// The names of all declarations.
    private(set) var declarations: Set<String> = []
    /// The names of its declarations that are public or in a public extension or protocol, or cases of enumerations.
    private(set) var publicDeclarations: Set<String> = []
    /// Whether the module has no interface to import, or also works without an import: by symbols that are linked by name, or
    /// by conformances that it adds to types of other modules.
    private(set) var isLinkedOnly: Bool

    /// Reads the Swift files of a module; one without any, such as a C library, can be linked without an import.
    init(files: [String], tree: SourceTree) {
        var parts: [Extension] = []
        var types: Set<String> = []
        var hasInterface = false
        var hasLinkedSymbols = false
        for file in files {
            guard let bytes = try? tree.bytes(of: file) else { continue }
            var scan = Scan(lexer: SwiftLexer(bytes))
            scan.run()
            parts += scan.extensions
            types.formUnion(scan.types)
            declarations.formUnion(scan.declarations)
            publicDeclarations.formUnion(scan.publicDeclarations)
            hasInterface = hasInterface || scan.hasInterface
            hasLinkedSymbols = hasLinkedSymbols || scan.hasLinkedSymbols
        }
        let foreign = parts.filter { !types.contains($0.type) }
        foreignMembers = Set(foreign.flatMap(\.members))
        // What conforms to a protocol of the module itself is used through that protocol, which needs an import.
        let registers = foreign.contains { part in
            part.conformances.contains { !types.contains($0) && $0 != "Sendable" }
        }
        isLinkedOnly = !hasInterface || hasLinkedSymbols || registers
    }

    private struct Extension {
        var type: String
        var conformances: [String] = []
        var members: [String] = []
    }

    /// The walk through one file.
    private struct Scan {
        var lexer: SwiftLexer
        var extensions: [Extension] = []
        var types: Set<String> = []
        var declarations: Set<String> = []
        var publicDeclarations: Set<String> = []
        var hasInterface = false
        var hasLinkedSymbols = false

        mutating func run() {
            var depth = 0
            // The line and the body of the last access level.
            var publicLine = 0
            var publicBody: Int?
            // The extension whose members are being read, and the depth of its body.
            var body: Int?
            var previous: SwiftLexer.Token?
            while let token = lexer.next() {
                defer { previous = token }
                if token.kind == .symbol {
                    if lexer.matches(token, "{") { depth += 1 }
                    if lexer.matches(token, "}") {
                        depth -= 1
                        if let start = publicBody, depth < start { publicBody = nil }
                        if let start = body, depth < start { body = nil }
                    }
                    continue
                }
                guard token.kind == .word else { continue }
                let word = lexer.text(of: token)
                let before = previous.map(lexer.text)
                // A name after a point, such as `.public`, is not a keyword.
                if before == "." { continue }
                if before == "@" {
                    // An umbrella has the interface of what it re-exports.
                    if word == "_exported" { hasInterface = true }
                    if ["_cdecl", "_silgen_name", "objc", "c", "_dynamicReplacement", "_expose"].contains(word) {
                        hasLinkedSymbols = true
                    }
                    continue
                }
                switch word {
                case "public", "open", "package":
                    hasInterface = true
                    publicLine = token.line
                case "extension" where body == nil:
                    guard let found = header() else { continue }
                    extensions.append(found)
                    depth += 1
                    body = depth
                    if publicLine == token.line { publicBody = depth }
                case "struct", "class", "enum", "protocol", "actor", "typealias":
                    if let name = lexer.next(), name.kind == .word { declare(lexer.text(of: name), depth, body) }
                case "var", "let", "func", "case":
                    guard let name = lexer.next(), name.kind == .word else { continue }
                    let text = lexer.text(of: name)
                    declarations.insert(text)
                    // The access level of a case is that of its enumeration, which is not known here.
                    if word == "case" || publicLine == token.line || publicBody != nil {
                        publicDeclarations.insert(text)
                    }
                    if depth == body { extensions[extensions.count - 1].members.append(text) }
                default: break
                }
            }
        }

        private mutating func declare(_ name: String, _ depth: Int, _ body: Int?) {
            types.insert(name)
            if let body, depth == body { extensions[extensions.count - 1].members.append(name) }
        }

        /// Reads `A.B: C, D where …` up to the opening brace of the body.
        private mutating func header() -> Extension? {
            var found = Extension(type: "")
            var isAfterColon = false
            var isAfterWhere = false
            while let token = lexer.next() {
                if lexer.matches(token, "{") { return found }
                if lexer.matches(token, ":") {
                    isAfterColon = true
                } else if lexer.matches(token, "where") {
                    isAfterWhere = true
                } else if token.kind == .word, !isAfterWhere {
                    // Of `A.B` the last name counts, as it is declared with that one.
                    if isAfterColon {
                        found.conformances.append(lexer.text(of: token))
                    } else {
                        found.type = lexer.text(of: token)
                    }
                }
            }
            return nil
        }
    }
}

/// The names that a target's files use as members, found lexically.
struct MemberUses: Sendable {
    /// The names after a point.
    private(set) var members: Set<String> = []
    /// Whether the files contain no code besides imports, as those of a target that only groups its dependencies.
    private(set) var isEmpty = true

    init(files: [String], tree: SourceTree) {
        for file in files {
            guard let bytes = try? tree.bytes(of: file) else { continue }
            var lexer = SwiftLexer(bytes)
            var isAfterPoint = false
            while let token = lexer.next() {
                if token.kind == .word, isAfterPoint { members.insert(lexer.text(of: token)) }
                isAfterPoint = lexer.matches(token, ".")
                if lexer.matches(token, "{") || lexer.matches(token, "=") { isEmpty = false }
            }
        }
    }
}
