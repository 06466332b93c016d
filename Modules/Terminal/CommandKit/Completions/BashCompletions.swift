/// The completions for bash (3.2 and later, which macOS has).
struct BashCompletions<Verb: Hashable & Sendable> {
    let table: CommandTable<Verb>

    var source: String {
        """
        # bash completion for \(table.program)
        \(table.functionName)() {
            local IFS=$'\\n' command="" options="" i
            local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
            COMPREPLY=()
            # bash splits --name=value into three words.
            if [[ "$current" == "=" ]]; then
                current=""
            elif [[ "$previous" == "=" ]]; then
                previous="${COMP_WORDS[COMP_CWORD-2]}"
            fi
            for (( i = 1; i < COMP_CWORD; i++ )); do
                case "${COMP_WORDS[i]}" in
        \(skippedOptions)            -?*|=) ;;
                    *) command="${command:+$command }${COMP_WORDS[i]}" ;;
                esac
            done
            case "$previous" in
        \(values)    esac
            if [[ "$current" == -* ]]; then
                case "$command " in
        \(options)        esac
                COMPREPLY=($(compgen -W "$options" -- "$current"))
                return
            fi
            case "$command " in
        \(words)    esac
        }
        # The words come from stored data: compgen -W would expand them.
        \(table.functionName)_output() {
            local word description
            while IFS=$'\\t' read -r word description; do
                [[ "$word" == "$current"* ]] || continue
                # A list of candidates shows the descriptions; what is inserted is the word alone.
                if [[ "$COMP_TYPE" == 63 && -n "$description" ]]; then word="$word  $description"; fi
                COMPREPLY+=("$word")
            done < <("${COMP_WORDS[0]}" "$@" 2>/dev/null)
        }
        complete -F \(table.functionName) \(table.program)

        """
    }

    private var skippedOptions: String {
        table.optionsByValueCount.map { count, options in
            "            \(patterns(options))) (( i += \(count) )) ;;\n"
        }.joined()
    }

    private var values: String {
        table.allOptions.filter { $0.valueCount > 0 }.map { option in
            "        \(patterns([option]))) \(reply(option.valueCompletion)); return ;;\n"
        }.joined()
    }

    private var options: String {
        table.commandsByPattern.map { command in
            let names = names(of: table.options(of: command))
            let pattern = command.words.isEmpty ? "*" : "\(shellQuoted(command.name + " "))*"
            return "            \(pattern)) options=\(list(names)) ;;\n"
        }.joined() + (table.unnamedCommand == nil ? defaultOptions : "")
    }

    private var defaultOptions: String {
        "            *) options=\(list(names(of: table.commonOptions))) ;;\n"
    }

    private func names(of options: [CommandOption]) -> [String] {
        options.filter { !$0.isHidden }.map { "--" + $0.name }
    }

    private var words: String {
        var cases: [String] = []
        for group in table.groups {
            cases.append(
                "\(shellQuoted(group + " "))) \(reply(.words(table.nextWords(after: [group]).map(\.word)))) ;;"
            )
        }
        for command in table.commandsByPattern where !command.words.isEmpty && command.operands.completion != .none {
            cases.append("\(shellQuoted(command.name + " "))*) \(reply(command.operands.completion)) ;;")
        }
        let first = table.nextWords(after: []).map(\.word)
        if !first.isEmpty { cases.append("' ') \(reply(.words(first))) ;;") }
        if let operands = table.unnamedCommand?.operands, operands.completion != .none {
            cases.append("*) \(reply(operands.completion)) ;;")
        }
        return cases.map { "        \($0)\n" }.joined()
    }

    private func reply(_ completion: Completion) -> String {
        switch completion {
        case .none: "COMPREPLY=()"
        case .files: "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$current\"))"
        case .folders: "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$current\"))"
        case .output(let arguments):
            "\(table.functionName)_output \(arguments.map { shellQuoted($0) }.joined(separator: " "))"
        case .words(let words): "COMPREPLY=($(compgen -W \(list(words)) -- \"$current\"))"
        }
    }

    private func list(_ words: [String]) -> String { "$'" + words.joined(separator: "\\n") + "'" }

    private func patterns(_ options: [CommandOption]) -> String {
        options.flatMap(\.spellings).joined(separator: "|")
    }
}
