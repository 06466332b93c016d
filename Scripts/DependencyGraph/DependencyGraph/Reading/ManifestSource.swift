/// The text of Package.swift, in which the definitions of targets and dependencies are found.
///
/// A manifest is a program: definitions that a function or a loop makes are found as far as their names are in the text.
struct ManifestSource {
    /// A call with its arguments: `.target(name: "A", dependencies: ["B"])`.
    struct Call {
        /// The indices of the tokens between the parentheses.
        var inside: Range<Int>
        /// The indices of the tokens of each labelled argument.
        var arguments: [String: Range<Int>] = [:]
        /// The name of the function.
        var function: String
        /// The index of the token of the argument `name:`, or of the first argument, if it is a string.
        var name: Int?
    }

    let bytes: [UInt8]
    private let lexer: SwiftLexer
    private let tokens: [SwiftLexer.Token]
    /// The index of the closing token of each opening one.
    private let ends: [Int: Int]
    private let calls: [Call]
    /// The indices of the calls with each name.
    private let callsByName: [String: [Int]]
    /// Whether a token is in the list of dependencies of a target.
    private let isListed: [Bool]
    /// Whether a token is in an argument `targets:`.
    private let isDefined: [Bool]
    /// The first token of each text in quotation marks.
    private let strings: [String: Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var lexer = SwiftLexer(bytes)
        var tokens: [SwiftLexer.Token] = []
        while let token = lexer.next() { tokens.append(token) }
        var open: [Int] = []
        var ends: [Int: Int] = [:]
        var strings: [String: Int] = [:]
        for (index, token) in tokens.enumerated() {
            if token.kind == .string, strings[lexer.text(of: token)] == nil { strings[lexer.text(of: token)] = index }
            guard token.kind == .symbol else { continue }
            switch bytes[token.range.lowerBound] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open.append(index)
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let start = open.popLast() { ends[start] = index }
            default: break
            }
        }
        var calls: [Call] = []
        for index in tokens.indices.dropFirst()
        where tokens[index - 1].kind == .word && lexer.matches(tokens[index], "(") {
            guard let end = ends[index] else { continue }
            var call = Call(inside: index + 1..<end, function: lexer.text(of: tokens[index - 1]))
            var start = index + 1, place = start
            while place <= end {
                guard place == end || lexer.matches(tokens[place], ",") else {
                    place = (ends[place] ?? place) + 1
                    continue
                }
                if start + 1 < place, tokens[start].kind == .word, lexer.matches(tokens[start + 1], ":") {
                    let label = lexer.text(of: tokens[start])
                    call.arguments[label] = start + 2..<place
                    if label == "name", start + 2 < place, tokens[start + 2].kind == .string { call.name = start + 2 }
                } else if start == index + 1, start < place, tokens[start].kind == .string {
                    call.name = start
                }
                start = place + 1
                place = start
            }
            calls.append(call)
        }
        var isListed = Array(repeating: false, count: tokens.count), isDefined = isListed
        var callsByName: [String: [Int]] = [:]
        for (index, call) in calls.enumerated() {
            if let name = call.name { callsByName[lexer.text(of: tokens[name]), default: []].append(index) }
            for token in call.arguments["targets"] ?? 0..<0 { isDefined[token] = true }
            guard Self.targetFunctions.contains(call.function), let list = call.arguments["dependencies"] else {
                continue
            }
            for token in list { isListed[token] = true }
        }
        (self.lexer, self.tokens, self.ends, self.strings) = (lexer, tokens, ends, strings)
        (self.calls, self.callsByName, self.isListed, self.isDefined) = (calls, callsByName, isListed, isDefined)
    }

    /// Returns the line of the definition of a target, or else the first one with its name.
    func line(of target: String) -> Int {
        if let call = definition(of: target), let name = call.name { return tokens[name].line }
        return strings[target].map { tokens[$0].line } ?? 1
    }

    /// Returns the line where a target names a dependency, or else that of the target.
    func line(of dependency: String, in target: String) -> Int {
        guard let call = definition(of: target) else {
            return strings[target].map { tokens[$0].line } ?? strings[dependency].map { tokens[$0].line } ?? 1
        }
        let range = call.arguments["dependencies"] ?? call.inside
        let found = range.first {
            $0 != call.name && tokens[$0].kind == .string && lexer.text(of: tokens[$0]) == dependency
        }
        return found.map { tokens[$0].line } ?? line(of: target)
    }

    /// The modules of the targets that the text names; `nil` if a name is computed, such as `prefix + "Core"`.
    var moduleNames: Set<String>? {
        var names: Set<String> = []
        for call in calls where Self.targetFunctions.contains(call.function) {
            guard let argument = call.arguments["name"] else { continue }
            guard argument.count == 1, tokens[argument.lowerBound].kind == .string else { return nil }
            let text = lexer.text(of: tokens[argument.lowerBound])
            // An escape, a raw string or one of several lines.
            guard !text.contains(where: { "\\#".contains($0) || $0.isNewline }) else { return nil }
            names.insert(GraphTarget(name: text, kind: .regular, folder: "").moduleName)
        }
        return names
    }

    /// Returns the manifest with the declaration of a dependency added to a target, or `nil` if the definition is not a plain list.
    func adding(_ declaration: String, to target: String) -> [UInt8]? {
        guard let call = definition(of: target), Self.targetFunctions.contains(call.function), let name = call.name
        else { return nil }
        guard let list = call.arguments["dependencies"] else {
            return inserting(", dependencies: [\(declaration)]", at: tokens[name].range.upperBound)
        }
        guard let start = list.first, lexer.matches(tokens[start], "["), let end = ends[start],
            end == list.upperBound - 1
        else { return nil }
        guard end > start + 1 else { return inserting(declaration, at: tokens[start].range.upperBound) }
        let last = end - 1
        let endsWithComma = lexer.matches(tokens[last], ",")
        let place = tokens[last].range.upperBound
        guard tokens[end].isFirst else {
            return inserting((endsWithComma ? " " : ", ") + declaration, at: place)
        }
        // Each dependency is on its own line: the new one follows with the same indentation, after a comment on that line.
        let indent = indentation(before: endsWithComma ? last - 1 : last)
        let rest = bytes[place...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        var text = Array(bytes[..<place])
        if !endsWithComma { text += ",".utf8 }
        text += rest
        let newline = bytes[rest.endIndex...].starts(with: "\r\n".utf8) ? "\r\n" : "\n"
        text += "\(newline)\(indent)\(declaration)\(endsWithComma ? "," : "")".utf8
        return text + bytes[rest.endIndex...]
    }

    /// Returns the manifest without the dependency of a target, or `nil` if the definition does not have it once in a plain list.
    func removing(_ dependency: String, from target: String) -> [UInt8]? {
        guard let call = definition(of: target), Self.targetFunctions.contains(call.function),
            let list = call.arguments["dependencies"], let open = list.first, lexer.matches(tokens[open], "["),
            let end = ends[open], end == list.upperBound - 1
        else { return nil }
        var found: [Range<Int>] = []
        var start = open + 1, place = start
        while place <= end {
            guard place == end || lexer.matches(tokens[place], ",") else {
                place = (ends[place] ?? place) + 1
                continue
            }
            if names(start..<place, dependency) { found.append(start..<place) }
            start = place + 1
            place = start
        }
        guard found.count == 1, let element = found.first else { return nil }
        let next = element.upperBound == end ? end : element.upperBound + 1
        let first = tokens[element.lowerBound], last = tokens[next == end ? end - 1 : next - 1]
        var range = first.range.lowerBound..<last.range.upperBound
        if first.isFirst, tokens[next].isFirst {
            // The lines of the dependency, with their comments.
            let isBreak = { (byte: UInt8) in byte == UInt8(ascii: "\n") }
            let begin = bytes[..<range.lowerBound].lastIndex(where: isBreak).map { $0 + 1 } ?? 0
            range = begin..<(bytes[range.upperBound...].firstIndex(where: isBreak).map { $0 + 1 } ?? range.upperBound)
        } else if next != end {
            range = range.lowerBound..<tokens[next].range.lowerBound
        } else if element.lowerBound > open + 1 {
            range = tokens[element.lowerBound - 1].range.lowerBound..<range.upperBound
        } else {
            range = range.lowerBound..<tokens[end].range.lowerBound
        }
        return Array(bytes[..<range.lowerBound] + bytes[range.upperBound...])
    }

    /// Whether an element of a list of dependencies is a name, alone or as the name of a call.
    private func names(_ element: Range<Int>, _ dependency: String) -> Bool {
        guard let last = element.last else { return false }
        let isCall = lexer.matches(tokens[last], ")")
        let name =
            isCall ? calls.first { $0.inside.upperBound == last && element.contains($0.inside.lowerBound) }?.name : last
        return name.map { tokens[$0].kind == .string && lexer.text(of: tokens[$0]) == dependency } ?? false
    }

    // MARK: - Parts

    private static let targetFunctions: Set<String> = [
        "target", "executableTarget", "testTarget", "macro", "plugin", "systemLibrary", "binaryTarget",
    ]

    /// The call that defines a target: one of SwiftPM's functions, or a function of the manifest, which may form
    /// "NeedleKitTests" from "NeedleKit".
    private func definition(of target: String) -> Call? {
        // A reference in an array of dependencies looks like a definition with the name alone.
        func rank(_ call: Call) -> Int {
            let hasMore = call.arguments.keys.contains { !["name", "package", "condition"].contains($0) }
            return (isDefined[call.inside.lowerBound] ? 4 : 0) + (Self.targetFunctions.contains(call.function) ? 2 : 0)
                + (hasMore ? 1 : 0)
        }
        let own = calls(named: target).filter {
            Self.targetFunctions.contains($0.function) || !Self.references.contains($0.function)
        }
        if let call = own.max(by: { rank($0) < rank($1) }) { return call }
        guard target.hasSuffix("Tests") else { return nil }
        return calls(named: String(target.dropLast(5))).first { $0.function.lowercased().contains("test") }
    }

    /// Functions that name a target without defining it.
    private static let references: Set<String> = [
        "product", "byName", "package", "library", "executable", "plugin", "trait", "when", "Package",
    ]

    /// Returns the calls with a name, without those in a list of dependencies.
    private func calls(named name: String) -> [Call] {
        (callsByName[name] ?? []).map { calls[$0] }.filter { !isListed[$0.inside.lowerBound] }
    }

    private func inserting(_ text: String, at place: Int) -> [UInt8] {
        var result = bytes
        result.insert(contentsOf: text.utf8, at: place)
        return result
    }

    /// Returns the white space before the first token on the line of a token.
    private func indentation(before index: Int) -> String {
        var first = index
        while first > 0, !tokens[first].isFirst { first -= 1 }
        let end = tokens[first].range.lowerBound
        var start = end
        while start > 0, bytes[start - 1] == UInt8(ascii: " ") || bytes[start - 1] == UInt8(ascii: "\t") { start -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}
