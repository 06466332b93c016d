/// Reads command lines by the habits of the ecosystem: options anywhere, `--name value` or `--name=value`, `--` ends
/// them.
struct CommandLineParser {
    /// The commands that may be named.
    let definitions: [CommandDefinition]

    /// Understands a command line.
    ///
    /// - Parameter arguments: the words after the program's name.
    /// - Returns: the command with its options and operands.
    /// - Throws: ``UsageError`` for the first thing that makes no sense.
    func parse(_ arguments: [String]) throws(UsageError) -> ParsedCommand {
        var (definition, rest) = try command(of: arguments)
        let options = definition.options + CommandOption.global
        var operands: [String] = []
        var values: [String: [String]] = [:]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            // A lone dash stands for standard input, and is an operand.
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let (option, attached) = try option(word, among: options)
            guard values[option.name] == nil || option.isRepeatable else { throw .repeated(option) }
            values[option.name, default: []].append(try value(of: option, attached: attached, from: &rest))
        }
        let parsed = ParsedCommand(definition: definition, operands: operands, values: values)
        // Help and version answer whatever else is missing.
        if !parsed.has("help"), !parsed.has("version") { try check(operands, of: definition) }
        return parsed
    }

    // MARK: - Commands

    /// Finds the command by its words, which are the first ones that are no options.
    private func command(
        of arguments: [String]
    ) throws(UsageError) -> (CommandDefinition, ArraySlice<String>) {
        var indices: [Int] = []
        var index = 0
        while index < arguments.count, indices.count < 2, arguments[index] != "--" {
            if !arguments[index].hasPrefix("-") {
                indices.append(index)
            } else if takesValue(arguments[index]) {
                // The value of an option between the words is no word of the command.
                index += 1
            }
            index += 1
        }
        let words = indices.map { arguments[$0] }
        let found = definitions.filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
        guard let found, !found.words.isEmpty || words.isEmpty else {
            throw unknown(words)
        }
        var rest = arguments
        for index in indices.prefix(found.words.count).reversed() { rest.remove(at: index) }
        return (found, rest[...])
    }

    private func takesValue(_ word: String) -> Bool {
        (definitions.flatMap(\.options) + CommandOption.global).contains { "--" + $0.name == word && $0.value != nil }
    }

    private func unknown(_ words: [String]) -> UsageError {
        let first = words.first ?? ""
        let group = definitions.filter { $0.words.count > 1 && $0.words.first == first }
        guard group.isEmpty else {
            guard words.count > 1 else {
                return .missingOperand(
                    command: first,
                    operand: "one of " + group.map { $0.words[1] }.joined(separator: ", ")
                )
            }
            let nearest = NearestName.of(words[1], among: group.map { $0.words[1] })
            return .unknownCommand(words.joined(separator: " "), nearest: nearest.map { "\(first) \($0)" })
        }
        // `add` alone may well mean `todo add`.
        if let meant = definitions.first(where: { $0.words.count > 1 && $0.words.last == first }) {
            return .unknownCommand(first, nearest: meant.words.joined(separator: " "))
        }
        if let near = NearestName.of(first, among: definitions.compactMap(\.words.first)) {
            return .unknownCommand(first, nearest: near)
        }
        // `lst` may mean the `list` of `todo list`.
        guard let near = NearestName.of(first, among: definitions.compactMap(\.words.last)),
            let meant = definitions.first(where: { $0.words.last == near })
        else { return .unknownCommand(first, nearest: nil) }
        return .unknownCommand(first, nearest: meant.words.joined(separator: " "))
    }

    // MARK: - Options

    private func option(
        _ word: String,
        among options: [CommandOption]
    ) throws(UsageError) -> (CommandOption, attached: String?) {
        let pieces = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let shown = String(pieces[0])
        let name = shown == "-h" ? "help" : shown.hasPrefix("--") ? String(shown.dropFirst(2)) : ""
        guard let option = options.first(where: { $0.name == name }) else {
            let bare = String(shown.drop { $0 == "-" })
            let nearest = NearestName.of(bare, among: options.map(\.name))
            throw .unknownOption(shown, nearest: nearest.map { "--" + $0 })
        }
        return (option, pieces.count > 1 ? String(pieces[1]) : nil)
    }

    private func value(
        of option: CommandOption,
        attached: String?,
        from rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard option.value != nil else {
            guard attached == nil else { throw .unexpectedValue(option) }
            return ""
        }
        guard let value = attached ?? rest.popFirst() else { throw .missingValue(option) }
        guard option.choices.isEmpty || option.choices.contains(value) else {
            throw .invalidValue(
                option,
                value: value,
                hint: "it is one of " + option.choices.joined(separator: ", ")
            )
        }
        return value
    }

    private func check(_ operands: [String], of definition: CommandDefinition) throws(UsageError) {
        let command = definition.words.joined(separator: " ")
        switch definition.operands {
        case .none:
            if let first = operands.first { throw .unexpectedOperand(first, command: command) }
        case .some(let name):
            if operands.isEmpty { throw .missingOperand(command: command, operand: name) }
            if !name.hasSuffix("..."), operands.count > 1 {
                throw .unexpectedOperand(operands[1], command: command)
            }
        }
    }
}
