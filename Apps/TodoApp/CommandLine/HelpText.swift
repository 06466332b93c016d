/// What the program says of itself.
struct HelpText {
    /// No line is longer: it fits any terminal.
    private static let width = 80

    /// The program's name, as it is typed.
    let program: String
    /// The commands it knows.
    let definitions: [CommandDefinition]

    /// The help for the whole program.
    func overview() -> String {
        var lines = ["\(program): your todos, and a picture of a \(program.lowercased()) beside them", "", "Usage:"]
        let usages = definitions.map {
            line($0.words.isEmpty ? program : "\(program) \($0.words.joined(separator: " "))")
        }
        let width = (usages.map(\.count).max() ?? 0) + 2
        for (usage, definition) in zip(usages, definitions) {
            lines += column(usage, definition.summary, at: width)
        }
        lines += ["", "Anywhere:"] + table(CommandOption.global)
        lines += ["", "Examples:"]
        for example in definitions.compactMap(\.examples.first) where !example.isEmpty {
            lines.append("  \(program) \(example)")
        }
        let codes = "Exit codes: 0 done, 1 nothing matched, 2 wrong usage, 3 data, 4 network, 130 interrupted."
        lines += [""] + wrap(words(codes), indent: 2)
        lines.append("`\(program) COMMAND --help` tells more.")
        return lines.joined(separator: "\n")
    }

    /// The help for one command.
    func help(for definition: CommandDefinition) -> String {
        guard !definition.words.isEmpty else { return overview() }
        var lines = wrap([program] + definition.usage, indent: 4) + [""]
        lines += wrap(words(definition.summary), indent: 2, first: 2)
        if !definition.options.isEmpty { lines += ["", "Options:"] + table(definition.options) }
        lines += ["", "Anywhere:"] + table(CommandOption.global)
        lines += ["", "Examples:"] + definition.examples.map { "  \(program) \($0)" }
        return lines.joined(separator: "\n")
    }

    private func line(_ text: String) -> String {
        "  " + text
    }

    private func table(_ options: [CommandOption]) -> [String] {
        let width = (options.map { $0.usage.count }.max() ?? 0) + 2
        return options.flatMap { option in
            let variable = option.variable.map { " (or \($0))" } ?? ""
            return column("  " + option.usage, option.help + variable, at: width + 2)
        }
    }

    /// A name, and in a column beside it what it means.
    private func column(_ name: String, _ text: String, at indent: Int) -> [String] {
        var lines = wrap(words(text), indent: indent, first: indent)
        lines[0] = name + lines[0].dropFirst(name.count)
        return lines
    }

    private func words(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }

    /// The parts on lines of at most ``width`` characters, none of them divided.
    ///
    /// - Parameters:
    ///   - parts: what stays together.
    ///   - indent: the spaces before every line but the first.
    ///   - first: the spaces before the first line.
    /// - Returns: the lines, at least one.
    private func wrap(_ parts: [String], indent: Int, first: Int = 0) -> [String] {
        var lines = [String(repeating: " ", count: first)]
        var isEmpty = true
        for part in parts {
            if !isEmpty, lines[lines.count - 1].count + 1 + part.count > Self.width {
                lines.append(String(repeating: " ", count: indent))
                isEmpty = true
            }
            lines[lines.count - 1] += (isEmpty ? "" : " ") + part
            isEmpty = false
        }
        return lines
    }
}
