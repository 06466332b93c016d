import TextEscaping

extension CommandTable {
    /// Parses a command line.
    ///
    /// The words of a command's name come first among those that are not options. Options may stand anywhere, as
    /// `--name value`, `--name=value` or `-n value`; `--` ends them. A single `-` is an operand. `help` before a command, and
    /// `--help` after the first word of a group of commands, print their help.
    ///
    /// - Parameter arguments: the words after the program's name.
    /// - Returns: the command to run, or the text to print for `--help`, `--version`, `--completions` or `--manual`.
    /// - Throws: ``UsageError`` for the first word that is not valid.
    public func parse(_ arguments: [String]) throws(UsageError) -> Invocation<Verb> {
        // `help todo add` is `todo add --help`.
        if arguments.first == "help", !commands.contains(where: { $0.words.first == "help" }) {
            return try parse(Array(arguments.dropFirst()) + ["--help"])
        }
        let parser = CommandParser(table: self)
        if let group = parser.group(of: arguments) { return .print(help(forGroup: group) + "\n") }
        let parsed = try parser.parse(arguments)
        // These do not require the operands of the command.
        if parsed.has(CommandOption.help.name) { return .print(help(for: parsed.command) + "\n") }
        if let version, parsed.has(CommandOption.version.name) { return .print("\(program) \(version)\n") }
        if let shell = parsed.value(CommandOption.completions.name).flatMap(Shell.init) {
            return .print(completions(for: shell))
        }
        if parsed.has(CommandOption.manual.name) { return .print(manualPage()) }
        try parser.check(parsed.operands, of: parsed.command)
        return .run(parsed)
    }
}

/// Parses the words of a command line by a table.
struct CommandParser<Verb: Hashable & Sendable> {
    let table: CommandTable<Verb>

    func parse(_ arguments: [String]) throws(UsageError) -> ParsedCommand<Verb> {
        var (command, rest) = try command(of: arguments)
        let options = table.options(of: command)
        var operands: [String] = []
        var values: [String: [String]] = [:]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let (option, attached) = try option(word, among: options)
            guard values[option.name] == nil || option.isRepeatable else { throw .repeated(option) }
            values[option.name, default: []] += try value(of: option, attached: attached, from: &rest)
        }
        return ParsedCommand(command: command, operands: operands, values: values)
    }

    /// Returns the first word of a group of commands if the arguments are that word and `help` or an option for it.
    func group(of arguments: [String]) -> String? {
        guard arguments.count == 2, let option = arguments.last,
            (CommandOption.help.spellings + ["help"]).contains(option),
            let word = arguments.first, table.groups.contains(word),
            !table.commands.contains(where: { $0.words == [word] || $0.words == [word, "help"] })
        else { return nil }
        return word
    }

    /// Checks the number of operands.
    func check(_ operands: [String], of command: Command<Verb>) throws(UsageError) {
        let name = command.words.isEmpty ? table.program : command.name
        let accepted = command.operands
        if operands.count < accepted.minimum {
            throw .missingOperand(command: name, operand: accepted.usage ?? accepted.name)
        }
        if operands.count > accepted.maximum {
            throw .unexpectedOperand(operands[accepted.maximum], command: name)
        }
    }

    // MARK: - Commands

    /// Finds the command by its words, and returns it with the other words.
    private func command(of arguments: [String]) throws(UsageError) -> (Command<Verb>, ArraySlice<String>) {
        var indices: [Int] = []
        var index = 0
        while index < arguments.count, indices.count < 2, arguments[index] != "--" {
            if !arguments[index].hasPrefix("-") || arguments[index] == "-" {
                indices.append(index)
            } else {
                // The values of an option between the words are not words of the command.
                index += valueCount(ofOption: arguments[index])
            }
            index += 1
        }
        let words = indices.map { arguments[$0] }
        let named = table.commands.filter { !$0.words.isEmpty && words.starts(with: $0.words) }
        if let command = named.max(by: { $0.words.count < $1.words.count }) {
            var rest = arguments
            for index in indices.prefix(command.words.count).reversed() { rest.remove(at: index) }
            return (command, rest[...])
        }
        guard let command = table.unnamedCommand, words.isEmpty || command.operands.maximum > 0 || !hasNamedCommands
        else { throw unknown(words) }
        return (command, arguments[...])
    }

    private var hasNamedCommands: Bool { table.commands.contains { !$0.words.isEmpty } }

    private func valueCount(ofOption word: String) -> Int {
        table.allOptions.first { $0.spellings.contains(word) }?.valueCount ?? 0
    }

    private func unknown(_ words: [String]) -> UsageError {
        let first = words.first ?? ""
        let group = table.commands.filter { $0.words.count > 1 && $0.words.first == first }
        guard group.isEmpty else {
            let seconds = group.map { $0.words[1] }
            guard words.count > 1 else {
                return .missingOperand(command: first, operand: "one of " + seconds.joined(separator: ", "))
            }
            let nearest = NearestName.of(words[1], among: seconds)
            return .unknownCommand(words.joined(separator: " "), nearest: nearest.map { "\(first) \($0)" })
        }
        // `add` alone probably means `todo add`.
        if let full = table.commands.first(where: { $0.words.count > 1 && $0.words.last == first }) {
            return .unknownCommand(first, nearest: full.name)
        }
        if let nearest = NearestName.of(first, among: table.commands.compactMap(\.words.first)) {
            return .unknownCommand(first, nearest: nearest)
        }
        // `lst` may mean the `list` of `todo list`.
        let last = NearestName.of(first, among: table.commands.compactMap(\.words.last))
        return .unknownCommand(first, nearest: table.commands.first { last != nil && $0.words.last == last }?.name)
    }

    // MARK: - Options

    private func option(
        _ word: String,
        among options: [CommandOption]
    ) throws(UsageError) -> (CommandOption, attached: String?) {
        let pieces = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let spelling = String(pieces[0])
        guard let option = options.first(where: { $0.spellings.contains(spelling) }) else {
            let bare = String(spelling.drop { $0 == "-" })
            let nearest = NearestName.of(bare, among: options.filter { !$0.isHidden }.map(\.name))
            throw .unknownOption(spelling, nearest: nearest.map { "--" + $0 })
        }
        return (option, pieces.count > 1 ? String(pieces[1]) : nil)
    }

    private func value(
        of option: CommandOption,
        attached: String?,
        from rest: inout ArraySlice<String>
    ) throws(UsageError) -> [String] {
        guard option.valueCount > 0 else {
            guard attached == nil else { throw .unexpectedValue(option) }
            return [""]
        }
        var values = attached.map { [$0] } ?? []
        while values.count < option.valueCount {
            guard let value = rest.popFirst() else { throw .missingValue(option) }
            values.append(value)
        }
        for value in values where !option.choices.isEmpty && !option.choices.contains(value) {
            throw .invalidValue(option, value: value, hint: "it is one of " + option.choices.joined(separator: ", "))
        }
        return values
    }
}
