import TextEscaping

extension CommandTable {
    /// Parses a command line.
    ///
    /// The words of a command's name come first among those that are not options. Options may stand anywhere, as
    /// `--name value`, `--name=value`, `-n value`, `-nvalue` or `-n=value`; `--` ends them. The letters of flags may be joined,
    /// also with that of an option with a value behind them: `-ab`, `-abn value`. A single `-` is an operand. `help` before a
    /// command, and `--help` or `help` after the first word of a group of commands, print their help.
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
        let places = places(in: arguments, among: table.allOptions)
        let words = places.words.map { arguments[$0] }
        if let first = places.words.first, words[0] == "help", first == 0 || hasNamedCommands,
            !table.commands.contains(where: { $0.words.first == "help" })
        {
            // `help todo add` is `todo add --help`.
            var arguments = arguments
            arguments[first] = "--help"
            return try parse(arguments)
        }
        let named = namedCommand(in: arguments)
        if named == nil, asksForGroup(words, places.options.map { arguments[$0] }) {
            return .print(table.help(forGroup: words[0]) + "\n")
        }
        let command =
            named?.command
            ?? table.unnamedCommand.flatMap { unnamed in
                words.isEmpty || unnamed.operands.maximum > 0 || !hasNamedCommands ? unnamed : nil
            }
        if command == nil, let first = places.words.first {
            // The first word may be the value of an option that is not known.
            for place in places.options.prefix(while: { $0 < first }) {
                _ = try options(in: arguments[place], among: table.allOptions)
            }
            throw unknown(words)
        }
        var rest = arguments
        for place in named?.places.reversed() ?? [] { rest.remove(at: place) }
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
            for (option, attached) in try self.options(in: word, among: options) {
                guard values[option.name] == nil || option.isRepeatable else { throw .repeated(option) }
                values[option.name, default: []] += try value(of: option, attached: attached, from: &rest)
            }
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
        guard words.count == 1 else { return false }
        return options.contains { word in
            known(in: word, among: table.commonOptions)?.contains { $0.option == .help && $0.attached == nil } == true
        }
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

    /// Returns the command with the longest name on a line, and the places of the words of its name.
    ///
    /// A letter may be a flag of one command and take a value in another, so that each command reads the line by its own
    /// options. If none finds its name, each reads it by the options of all.
    private func namedCommand(in arguments: [String]) -> (command: Command<Verb>, places: ArraySlice<Int>)? {
        let candidates = table.commands.filter { !$0.words.isEmpty && $0.words.allSatisfy(arguments.contains) }
        let all = candidates.isEmpty ? [] : table.allOptions
        for isOwn in [true, false] {
            let found: [(command: Command<Verb>, places: ArraySlice<Int>)] = candidates.compactMap { command in
                let options = isOwn ? table.options(of: command) + all : all
                let places = places(in: arguments, among: options).words.prefix(command.words.count)
                return places.map { arguments[$0] } == command.words ? (command, places) : nil
            }
            if let longest = found.max(by: { $0.places.count < $1.places.count }) { return longest }
        }
        return nil
    }

    /// Returns the places of the words and of the options before `--`; the values of options are neither.
    private func places(in arguments: [String], among options: [CommandOption]) -> (words: [Int], options: [Int]) {
        var places: (words: [Int], options: [Int]) = ([], [])
        var index = 0
        while index < arguments.count, arguments[index] != "--" {
            if Self.isOption(arguments[index]) {
                places.options.append(index)
                index += valueCount(after: arguments[index], among: options)
            } else {
                places.words.append(index)
            }
            index += 1
        }
        return places
    }

    private static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }

    private var hasNamedCommands: Bool { table.commands.contains { !$0.words.isEmpty } }

    /// Returns the number of words after an option that are its values: one less if the first one is attached.
    private func valueCount(after word: String, among options: [CommandOption]) -> Int {
        guard let (option, attached) = known(in: word, among: options)?.last else { return 0 }
        return max(0, option.valueCount - (attached == nil ? 0 : 1))
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

    /// An option on a line, with the value in the same word.
    private typealias Occurrence = (option: CommandOption, attached: String?)

    private func options(in word: String, among options: [CommandOption]) throws(UsageError) -> [Occurrence] {
        if let known = known(in: word, among: options) { return known }
        let spelling = String(word.prefix { $0 != "=" })
        let bare = String(spelling.drop { $0 == "-" })
        let nearest = NearestName.of(bare, among: options.filter { !$0.isHidden }.map(\.name))
        throw .unknownOption(spelling, nearest: nearest.map { "--" + $0 })
    }

    /// Returns the options of a word: one such as `--name`, or the letters behind one dash; `nil` if one is not known.
    private func known(in word: String, among options: [CommandOption]) -> [Occurrence]? {
        let spelling = String(word.prefix { $0 != "=" })
        if let option = options.first(where: { $0.spellings.contains(spelling) }) {
            return [(option, spelling == word ? nil : String(word.dropFirst(spelling.count + 1)))]
        }
        // `-output` is a mistyped `--output`, not the value `utput` of `-o`.
        if word.hasPrefix("--") || options.contains(where: { !$0.isHidden && spelling == "-" + $0.name }) { return nil }
        var found: [Occurrence] = []
        var rest = word.dropFirst()
        while let letter = rest.popFirst() {
            guard let option = options.first(where: { $0.letter == letter }) else { return nil }
            let isAssigned = rest.first == "="
            if isAssigned || option.valueCount > 0, !rest.isEmpty {
                return found + [(option, String(isAssigned ? rest.dropFirst() : rest))]
            }
            found.append((option, nil))
        }
        return found
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
