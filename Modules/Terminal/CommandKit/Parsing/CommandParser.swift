import TextEscaping

extension CommandTable {
    /// Parses a command line.
    ///
    /// The words of a command's name come first among those that are not options. Options may stand anywhere, as
    /// `--name value`, `--name=value` or `-n value`; `--` ends them. A single `-` is an operand. `help` before a command, and
    /// `--help` or `help` after the first word of a group of commands, print their help.
    ///
    /// - Parameter arguments: the words after the program's name.
    /// - Returns: the command to run, or the text to print for `--help`, `--version`, `--completions` or `--manual`.
    /// - Throws: ``UsageError`` for the first word that is not valid.
    public func parse(_ arguments: [String]) throws(UsageError) -> Invocation<Verb> {
        try CommandParser(table: self).parse(arguments)
    }
}

/// Parses the words of a command line by a table.
struct CommandParser<Verb: Hashable & Sendable> {
    let table: CommandTable<Verb>

    func parse(_ arguments: [String]) throws(UsageError) -> Invocation<Verb> {
        let places = places(in: arguments)
        let words = places.words.map { arguments[$0] }
        if let first = places.words.first, words[0] == "help", first == 0 || hasNamedCommands,
            !table.commands.contains(where: { $0.words.first == "help" })
        {
            // `help todo add` is `todo add --help`.
            var arguments = arguments
            arguments[first] = "--help"
            return try parse(arguments)
        }
        let named = table.commands.filter { !$0.words.isEmpty && words.starts(with: $0.words) }
            .max { $0.words.count < $1.words.count }
        if named == nil, asksForGroup(words, places.options.map { arguments[$0] }) {
            return .print(table.help(forGroup: words[0]) + "\n")
        }
        let command =
            named
            ?? table.unnamedCommand.flatMap { unnamed in
                words.isEmpty || unnamed.operands.maximum > 0 || !hasNamedCommands ? unnamed : nil
            }
        if command == nil, let first = places.words.first {
            // The first word may be the value of an option that is not known.
            for place in places.options.prefix(while: { $0 < first }) {
                _ = try option(arguments[place], among: table.allOptions)
            }
            throw unknown(words)
        }
        var rest = arguments
        for place in places.words.prefix(command?.words.count ?? 0).reversed() { rest.remove(at: place) }
        let options = command.map(table.options(of:)) ?? table.commonOptions
        let (operands, values) = try parse(rest[...], options)
        // These do not require a command and its operands.
        if let text = text(for: values, command) { return .print(text) }
        guard let command else {
            let words = table.nextWords(after: []).map(\.word)
            throw .missingOperand(command: table.program, operand: "one of " + words.joined(separator: ", "))
        }
        try check(operands, of: command)
        if let missing = command.options.first(where: { $0.isRequired && values[$0.name] == nil }) {
            throw .missingOption(missing, command: command.name)
        }
        return .run(ParsedCommand(command: command, operands: operands, values: values))
    }

    /// Divides the words after those of the command's name into operands and the values of options.
    private func parse(
        _ words: ArraySlice<String>,
        _ options: [CommandOption]
    ) throws(UsageError) -> (operands: [String], values: [String: [String]]) {
        var rest = words
        var operands: [String] = []
        var values: [String: [String]] = [:]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard Self.isOption(word) else {
                operands.append(word)
                continue
            }
            let (option, attached) = try option(word, among: options)
            guard values[option.name] == nil || option.isRepeatable else { throw .repeated(option) }
            values[option.name, default: []] += try value(of: option, attached: attached, from: &rest)
        }
        return (operands, values)
    }

    /// Returns what `--help`, `--version`, `--completions` or `--manual` prints; `nil` without them.
    private func text(for values: [String: [String]], _ command: Command<Verb>?) -> String? {
        if values[CommandOption.help.name] != nil { return (command.map(table.help(for:)) ?? table.help()) + "\n" }
        if let version = table.version, values[CommandOption.version.name] != nil {
            return "\(table.program) \(version)\n"
        }
        if let shell = values[CommandOption.completions.name]?.last.flatMap(Shell.init) {
            return table.completions(for: shell)
        }
        return values[CommandOption.manual.name] != nil ? table.manualPage() : nil
    }

    /// Returns whether the words are the first one of a group of commands, and `help` or an option for it.
    private func asksForGroup(_ words: [String], _ options: [String]) -> Bool {
        guard let group = words.first, table.groups.contains(group) else { return false }
        if words == [group, "help"] { return true }
        return words.count == 1 && options.contains { CommandOption.help.spellings.contains($0) }
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

    /// Returns the places of the words and of the options before `--`; the values of options are neither.
    private func places(in arguments: [String]) -> (words: [Int], options: [Int]) {
        var places: (words: [Int], options: [Int]) = ([], [])
        var index = 0
        while index < arguments.count, arguments[index] != "--" {
            if Self.isOption(arguments[index]) {
                places.options.append(index)
                index += valueCount(afterOption: arguments[index])
            } else {
                places.words.append(index)
            }
            index += 1
        }
        return places
    }

    private static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }

    private var hasNamedCommands: Bool { table.commands.contains { !$0.words.isEmpty } }

    /// Returns the number of words after an option that are its values: one less if `=` attaches the first one.
    private func valueCount(afterOption word: String) -> Int {
        let spelling = String(word.prefix { $0 != "=" })
        let count = table.allOptions.first { $0.spellings.contains(spelling) }?.valueCount ?? 0
        return spelling == word ? count : max(0, count - 1)
    }

    private func unknown(_ words: [String]) -> UsageError {
        let words = words.prefix(2)
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
