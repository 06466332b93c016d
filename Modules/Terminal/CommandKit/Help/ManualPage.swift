extension CommandTable {
    /// Returns the manual page of the program in section 1, as input of `man` (groff's man macros).
    public func manualPage() -> String {
        var page = ManualPage()
        let version = version.map { "\(program) \($0)" } ?? program
        page.macro("TH", program.uppercased(), "1", "", version)
        page.section("NAME")
        page.text("\(program) - \(summary)")
        page.section("SYNOPSIS")
        for command in commands { page.usage(program, command.usage) }
        let named = commands.filter { !$0.words.isEmpty }
        if !named.isEmpty { page.section("COMMANDS") }
        for command in named {
            page.item("\(program) \(command.name)", command.summary)
            if !command.options.isEmpty {
                page.macro("RS")
                page.options(command.options)
                page.macro("RE")
            }
        }
        page.section("OPTIONS")
        page.options((unnamedCommand?.options ?? []) + commonOptions)
        for topic in topics {
            page.section(topic.title.uppercased())
            page.verbatim(topic.text)
        }
        let variables = allOptions.filter { $0.variable != nil && !$0.isHidden }
        if !variables.isEmpty { page.section("ENVIRONMENT") }
        for option in variables {
            page.item(option.variable ?? "", "The value of --\(option.name) if the option is missing: \(option.help).")
        }
        if !exitStatuses.isEmpty { page.section("EXIT STATUS") }
        for status in exitStatuses { page.item("\(status.code)", status.meaning) }
        let examples = commands.flatMap(\.examples).filter { !$0.isEmpty }
        if !examples.isEmpty {
            page.section("EXAMPLES")
            page.verbatim(examples.map { "\(program) \($0)" }.joined(separator: "\n"))
        }
        return page.source
    }
}

/// Writes the source of a manual page: macros on separate lines, and escaped text.
private struct ManualPage {
    private(set) var source = ""

    mutating func macro(_ name: String, _ arguments: String...) {
        source += ([".\(name)"] + arguments.map { "\"\(Self.escaped($0))\"" }).joined(separator: " ") + "\n"
    }

    mutating func section(_ title: String) { macro("SH", title) }

    mutating func text(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { source += Self.line(line) + "\n" }
    }

    mutating func verbatim(_ text: String) {
        source += ".PP\n.nf\n"
        self.text(text)
        source += ".fi\n"
    }

    mutating func usage(_ program: String, _ parts: [String]) {
        source += ".HP\n.B \(Self.escaped(program))\n"
        if !parts.isEmpty { text(parts.joined(separator: " ")) }
    }

    mutating func item(_ name: String, _ meaning: String) {
        source += ".TP\n.B \(Self.escaped(name))\n"
        text(meaning)
    }

    mutating func options(_ options: [CommandOption]) {
        for option in options where !option.isHidden {
            let letter = option.letter.map { ", -\($0)" } ?? ""
            let choices = option.choices.isEmpty ? "" : " (\(option.choices.joined(separator: ", ")))"
            item(option.usage + letter, option.help + choices)
        }
    }

    /// A line of text: a period or an apostrophe at its beginning would start a macro.
    private static func line(_ text: Substring) -> String {
        let escaped = escaped(String(text))
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "\"": escaped += "\\(dq"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
