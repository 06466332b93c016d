import TextEscaping

extension CommandTable {
    /// Returns the help of the whole program: the commands, the common options and an example for each command.
    ///
    /// No line is wider than 80 columns, except in topics and for words that are wider.
    public func help() -> String {
        let named = commands.filter { !$0.words.isEmpty }
        var lines = HelpText.wrap(HelpText.words("\(program): \(summary)"), indent: 2) + ["", "Usage:"]
        if named.isEmpty, let command = unnamedCommand {
            lines += HelpText.wrap([program] + command.usage, indent: 6, first: 2)
        } else {
            lines += HelpText.columns(commands.map { (usageHead($0), $0.summary) })
        }
        let options = unnamedCommand?.options ?? []
        if named.isEmpty {
            lines += ["", "Options:"] + HelpText.table(options + commonOptions)
        } else {
            if !options.isEmpty { lines += ["", "Options:"] + HelpText.table(options) }
            lines += ["", "Anywhere:"] + HelpText.table(commonOptions)
        }
        for topic in topics {
            lines += ["", topic.title + ":"]
            lines += topic.text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : "  " + $0 }
        }
        lines += examples(of: commands.flatMap { $0.words.isEmpty ? $0.examples : Array($0.examples.prefix(1)) })
        if !exitStatuses.isEmpty {
            let codes = exitStatuses.map { "\($0.code) \($0.meaning)" }.joined(separator: ", ")
            lines += [""] + HelpText.wrap(HelpText.words("Exit codes: \(codes)."), indent: 2)
        }
        if !named.isEmpty { lines += ["`\(program) COMMAND --help` describes one command."] }
        return lines.joined(separator: "\n")
    }

    /// Returns the help of one command: its usage, options and examples.
    public func help(for command: Command<Verb>) -> String {
        guard !command.words.isEmpty else { return help() }
        var lines = HelpText.wrap([program] + command.usage, indent: 4) + [""]
        lines += HelpText.wrap(HelpText.words(command.summary), indent: 2, first: 2)
        if !command.options.isEmpty { lines += ["", "Options:"] + HelpText.table(command.options) }
        lines += ["", "Anywhere:"] + HelpText.table(commonOptions)
        return (lines + examples(of: command.examples)).joined(separator: "\n")
    }

    /// Returns the help of the commands whose names begin with a word: their usage, summaries and examples.
    func help(forGroup group: String) -> String {
        let members = commands.filter { $0.words.count > 1 && $0.words.first == group }
        var lines = ["\(program) \(group) COMMAND", ""]
        lines += HelpText.columns(members.map { (usageHead($0), $0.summary) })
        lines += ["", "Anywhere:"] + HelpText.table(commonOptions)
        lines += examples(of: members.flatMap { Array($0.examples.prefix(1)) })
        lines += ["", "`\(program) \(group) COMMAND --help` describes one command."]
        return lines.joined(separator: "\n")
    }

    private func usageHead(_ command: Command<Verb>) -> String {
        // The operands of a command that has a name are in its own help.
        ([program] + command.words + (command.words.isEmpty ? [command.operands.usage].compactMap(\.self) : []))
            .joined(separator: " ")
    }

    private func examples(of arguments: [String]) -> [String] {
        let lines = arguments.filter { !$0.isEmpty }.map { "  \(program) \($0)" }
        return lines.isEmpty ? [] : ["", "Examples:"] + lines
    }
}

/// The layout of help: lines of at most 80 columns, so that they fit any terminal.
enum HelpText {
    private static let width = 80

    static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// The options in two columns.
    static func table(_ options: [CommandOption]) -> [String] {
        columns(
            options.filter { !$0.isHidden }.map { option in
                let letter = option.letter.map { " (-\($0))" } ?? ""
                let variable = option.variable.map { " (or \($0))" } ?? ""
                return (option.usage + letter, option.help + variable)
            }
        )
    }

    /// Rows of a name and its meaning, in two columns.
    static func columns(_ rows: [(name: String, meaning: String)]) -> [String] {
        let indent = (rows.map { CellWidth.of($0.name) }.max() ?? 0) + 4
        return rows.flatMap { row in
            var lines = wrap(words(row.meaning), indent: indent, first: indent)
            lines[0] = "  " + row.name + lines[0].dropFirst(CellWidth.of(row.name) + 2)
            return lines
        }
    }

    /// Wraps parts into lines, dividing no part.
    ///
    /// - Parameters:
    ///   - parts: the parts.
    ///   - indent: the number of spaces before each line but the first.
    ///   - first: the number of spaces before the first line.
    /// - Returns: the lines, at least one.
    static func wrap(_ parts: [String], indent: Int, first: Int = 0) -> [String] {
        var lines = [String(repeating: " ", count: first)]
        var isEmpty = true
        for part in parts {
            if !isEmpty, CellWidth.of(lines[lines.count - 1]) + 1 + CellWidth.of(part) > width {
                lines.append(String(repeating: " ", count: indent))
                isEmpty = true
            }
            lines[lines.count - 1] += (isEmpty ? "" : " ") + part
            isEmpty = false
        }
        return lines
    }
}
