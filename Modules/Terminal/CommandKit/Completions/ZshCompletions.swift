/// The completions for zsh, with the summaries of commands and options.
struct ZshCompletions<Verb: Hashable & Sendable> {
    let table: CommandTable<Verb>

    var source: String {
        """
        #compdef \(table.program)
        \(table.functionName)() {
            local command="" i
            local -a items
            for (( i = 2; i < CURRENT; i++ )); do
                case "${words[i]}" in
        \(skippedOptions)            (-?*) ;;
                    (*) command="${command:+$command }${words[i]}" ;;
                esac
            done
            case "${words[CURRENT-1]}" in
        \(values)    esac
            if [[ "${words[CURRENT]}" == -* ]]; then
                case "$command " in
        \(options)        esac
                _describe -o option items
                return
            fi
            case "$command " in
        \(words)    esac
        }
        \(table.functionName)_output() {
            local name="$1" word description
            local -a items
            shift
            while IFS=$'\\t' read -r word description; do
                items+=("${word//:/\\\\:}:${description}")
            done < <("${words[1]}" "$@" 2>/dev/null)
            _describe "$name" items
        }
        if [[ "${funcstack[1]}" == \(table.functionName) ]]; then
            \(table.functionName) "$@"
        else
            compdef \(table.functionName) \(table.program)
        fi

        """
    }

    private var skippedOptions: String {
        table.optionsByValueCount.map { count, options in
            "            (\(patterns(options))) (( i += \(count) )) ;;\n"
        }.joined()
    }

    private var values: String {
        table.allOptions.filter { $0.valueCount > 0 }.map { option in
            "        (\(patterns([option]))) \(offer(option.valueCompletion, option.value ?? "")); return ;;\n"
        }.joined()
    }

    private var options: String {
        var cases = table.commandsByPattern.map { command in
            let pattern = command.words.isEmpty ? "*" : "\(shellQuoted(command.name + " "))*"
            return "            (\(pattern)) items=(\(list(table.options(of: command)))) ;;\n"
        }
        if table.unnamedCommand == nil { cases.append("            (*) items=(\(list(table.commonOptions))) ;;\n") }
        return cases.joined()
    }

    private var words: String {
        var cases: [String] = []
        for group in table.groups {
            cases.append("(\(shellQuoted(group + " "))) \(describe(table.nextWords(after: [group]))) ;;")
        }
        for command in table.commandsByPattern where !command.words.isEmpty && command.operands.completion != .none {
            let operands = command.operands
            cases.append("(\(shellQuoted(command.name + " "))*) \(offer(operands.completion, operands.name)) ;;")
        }
        let first = table.nextWords(after: [])
        if !first.isEmpty { cases.append("(' ') \(describe(first)) ;;") }
        if let operands = table.unnamedCommand?.operands, operands.completion != .none {
            cases.append("(*) \(offer(operands.completion, operands.name)) ;;")
        }
        return cases.map { "        \($0)\n" }.joined()
    }

    private func offer(_ completion: Completion, _ name: String) -> String {
        switch completion {
        case .none: "_message \(shellQuoted(name))"
        case .files: "_files"
        case .folders: "_files -/"
        case .output(let arguments):
            "\(table.functionName)_output \(shellQuoted(name)) \(arguments.map { shellQuoted($0) }.joined(separator: " "))"
        case .words(let words): "compadd -- \(words.map { shellQuoted($0) }.joined(separator: " "))"
        }
    }

    private func describe(_ words: [(word: String, summary: String)]) -> String {
        let items = words.map { shellQuoted("\(colonEscaped($0.word)):\($0.summary)") }.joined(separator: " ")
        return "items=(\(items)); _describe command items"
    }

    private func list(_ options: [CommandOption]) -> String {
        options.filter { !$0.isHidden }
            .map { shellQuoted("--\(colonEscaped($0.name)):\($0.help)") }.joined(separator: " ")
    }

    private func colonEscaped(_ word: String) -> String {
        word.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:")
    }

    private func patterns(_ options: [CommandOption]) -> String {
        options.flatMap(\.spellings).joined(separator: "|")
    }
}
