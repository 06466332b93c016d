/// The completions for fish, with the summaries of commands and options.
struct FishCompletions<Verb: Hashable & Sendable> {
    let table: CommandTable<Verb>

    var source: String {
        var lines = ["# fish completion for \(table.program)"] + output + ["complete -c \(table.program) -f"]
        let noCommand = "not __fish_seen_subcommand_from " + firstWords.joined(separator: " ")
        for (word, summary) in table.nextWords(after: []) { lines.append(line(noCommand, word, summary)) }
        for group in table.groups {
            let seconds = table.nextWords(after: [group])
            let condition =
                "__fish_seen_subcommand_from \(group); and not __fish_seen_subcommand_from "
                + seconds.map(\.word).joined(separator: " ")
            for (word, summary) in seconds { lines.append(line(condition, word, summary)) }
        }
        for command in table.commands {
            let condition = condition(of: command)
            for option in command.options where !option.isHidden { lines.append(line(condition, option)) }
            switch command.operands.completion {
            case .none: break
            case .files: lines.append(line(condition, "-F"))
            case .folders: lines.append(line(condition, "-a '(__fish_complete_directories)'"))
            case .words(let words): lines.append(line(condition, "-a \(list(words))"))
            case .output(let arguments): lines.append(line(condition, "-a \(quoted(substitution(arguments)))"))
            }
        }
        for option in table.commonOptions where !option.isHidden { lines.append(line(nil, option)) }
        return lines.joined(separator: "\n") + "\n"
    }

    private var firstWords: [String] { table.nextWords(after: []).map(\.word) }

    private func condition(of command: Command<Verb>) -> String? {
        if command.words.isEmpty {
            return firstWords.isEmpty ? nil : "not __fish_seen_subcommand_from " + firstWords.joined(separator: " ")
        }
        // A command whose name begins with that of this one has other operands and options.
        let longer = table.nextWords(after: command.words).map(\.word).joined(separator: " ")
        let seen = command.words.map { "__fish_seen_subcommand_from \($0)" }
        return (seen + (longer.isEmpty ? [] : ["not __fish_seen_subcommand_from " + longer])).joined(
            separator: "; and "
        )
    }

    private func line(_ condition: String?, _ arguments: String) -> String {
        "complete -c \(table.program)" + (condition.map { " -n \(quoted($0))" } ?? "") + " " + arguments
    }

    private func line(_ condition: String, _ word: String, _ summary: String) -> String {
        line(condition, "-a \(list([word])) -d \(quoted(summary))")
    }

    private func line(_ condition: String?, _ option: CommandOption) -> String {
        var arguments = "-l \(option.name)" + (option.letter.map { " -s \($0)" } ?? "")
        if option.valueCount > 0 {
            switch option.valueCompletion {
            case .none: arguments += " -x"
            case .files: arguments += " -r -F"
            case .folders: arguments += " -x -a '(__fish_complete_directories)'"
            case .words(let words): arguments += " -x -a \(list(words))"
            case .output(let words): arguments += " -x -a \(quoted(substitution(words)))"
            }
        }
        return line(condition, arguments + " -d \(quoted(option.help))")
    }

    private func substitution(_ arguments: [String]) -> String {
        "(\(table.functionName)_output \(arguments.joined(separator: " ")))"
    }

    /// The function that runs the program with the options of the line that are passed on.
    private var output: [String] {
        let options = table.passedOptions
        let collection = """
                set -l name
                for word in (commandline -opc)
                    if set -q name[1]
                        set -a given $name (string replace -r '^~/' "$HOME/" -- $word)
                        set name
                        continue
                    end
                    switch $word
                        case \(options.patterns(separator: " "))
                            set name $word
                        case '\(options.patterns("=*", separator: "' '"))'
                            set -a given $word
                    end
                end
            """
        return ["function \(table.functionName)_output", "    set -l given"] + (options.isEmpty ? [] : [collection])
            + ["    \(table.program) $argv $given 2>/dev/null", "end"]
    }

    /// Quotes words twice, since fish expands what it offers.
    private func list(_ words: [String]) -> String { quoted(words.map(quoted).joined(separator: " ")) }

    private func quoted(_ text: String) -> String {
        shellQuoted(
            text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\"),
            apostrophe: "\\'"
        )
    }
}
