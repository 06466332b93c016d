/// What the program says of itself.
struct HelpText {
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
            lines.append(usage + String(repeating: " ", count: width - usage.count) + definition.summary)
        }
        lines += ["", "Anywhere:"] + table(CommandOption.global)
        lines += ["", "Examples:"]
        for example in definitions.compactMap(\.examples.first) where !example.isEmpty {
            lines.append("  \(program) \(example)")
        }
        lines += [
            "",
            "Exit codes: 0 done, 1 nothing matched, 2 wrong usage, 3 data, 4 network, 130 interrupted.",
            "`\(program) COMMAND --help` tells more.",
        ]
        return lines.joined(separator: "\n")
    }

    /// The help for one command.
    func help(for definition: CommandDefinition) -> String {
        guard !definition.words.isEmpty else { return overview() }
        var lines = ["\(program) \(definition.usage)", "", "  " + definition.summary]
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
        return options.map { option in
            let variable = option.variable.map { " (or \($0))" } ?? ""
            return "  " + option.usage + String(repeating: " ", count: width - option.usage.count) + option.help
                + variable
        }
    }
}
