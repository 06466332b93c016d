/// The completions for fish, with the summaries of commands and options.
struct FishCompletions<Verb: Hashable & Sendable> {
    let table: CommandTable<Verb>

    var source: String {
        var lines = ["# fish completion for \(table.program)", functions, "complete -c \(table.program) -f"]
        for prefix in [[]] + table.groups.map({ [$0] }) {
            let condition = at([prefix.joined() + " "])
            for (word, summary) in table.nextWords(after: prefix) { lines.append(line(condition, word, summary)) }
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

    /// The condition that the words of the line so far match one of the patterns.
    private func at(_ patterns: [String]) -> String {
        "\(table.functionName)_at " + patterns.map(quoted).joined(separator: " ")
    }

    private func condition(of command: Command<Verb>) -> String? {
        // A command whose name begins with that of this one has other operands and options.
        let longer = table.nextWords(after: command.words).map {
            (command.words + [$0.word]).joined(separator: " ") + " *"
        }
        let conditions =
            (command.words.isEmpty ? [] : [at([command.name + " *"])]) + (longer.isEmpty ? [] : ["not " + at(longer)])
        return conditions.isEmpty ? nil : conditions.joined(separator: "; and ")
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

    /// The functions that read the line, compare its words, and run the program with the options that are passed on.
    private var functions: String {
        var cases: [String] = []
        func add(_ patterns: String, _ commands: String...) {
            cases += ["            case \(patterns)"] + commands.map { "                " + $0 }
        }
        let passed = table.passedOptions
        if !passed.isEmpty {
            add(passed.patterns(separator: " "), "set name $word", "set skipped 1")
            add("'\(passed.attachedPatterns(separator: "' '"))'", "set -a given $word")
        }
        for (count, options) in table.optionsByValueCount {
            add(options.patterns(separator: " "), "set skipped \(count)")
            if count > 1 { add("'\(options.attachedPatterns(separator: "' '"))'", "set skipped \(count - 1)") }
        }
        return """
            # Sets words to those of the command and its operands, and given to the options that are passed on.
            function \(table.functionName)_read --no-scope-shadowing
                set -l skipped 1
                set -l name
                for word in (commandline -opc)
                    if test $skipped -gt 0
                        set skipped (math $skipped - 1)
                        if set -q name[1]
                            set -a given $name (string replace -r '^~/' "$HOME/" -- $word)
                            set name
                        end
                        continue
                    end
                    # Of joined letters only the last one has a value.
                    set word (string replace -r '^-[\(table.flagLetters)]+(?=.)' - -- $word)
                    switch "$word"
                        case --
                            # Operands follow. A blank matches neither a name that goes on nor one that is to begin.
                            set -a words ' '
                            break
            \(cases.joined(separator: "\n"))
                        case -
                            set -a words -
                        case '-*'
                        case '*'
                            set -a words $word
                    end
                end
            end
            # Whether the words match a pattern.
            function \(table.functionName)_at
                set -l words
                set -l given
                \(table.functionName)_read
                for pattern in $argv
                    string match -q -- $pattern "$words "; and return
                end
                return 1
            end
            # The words that the program prints.
            function \(table.functionName)_output
                set -l words
                set -l given
                \(table.functionName)_read
                \(table.program) $argv $given 2>/dev/null
            end
            """
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
