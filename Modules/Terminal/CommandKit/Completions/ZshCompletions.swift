/// The completions for zsh, with the summaries of commands and options.
struct ZshCompletions<Verb: Hashable & Sendable> {
    let table: CommandTable<Verb>

    var source: String {
        """
        #compdef \(table.program)
        \(table.functionName)() {
            local command="" current="${words[CURRENT]}" previous="${words[CURRENT-1]}" ended="" name value i
            local -a items given
            for (( i = 2; i < CURRENT; i++ )); do
                name="${words[i]}"
                \(table.removingFlags(from: "name"))
                case "$name" in
        \(passedOptions)\(skippedOptions)            (--) ended=1; break ;;
                    (-?*) ;;
                    (*) command="${command:+$command }$name" ;;
                esac
            done
            \(table.removingFlags(from: "previous"))
            if [[ "$ended" ]]; then
                # Operands follow. The second blank matches neither a name that goes on nor one that is to begin.
                command+=" "
                previous=""
            elif [[ "$current" == -*=* ]]; then
                previous="${current%%=*}"
                compset -P 1 '*='
            fi
            case "$previous" in
        \(values)    esac
            if [[ ! "$ended" && "$current" == -* ]]; then
                if [[ "$current" == *=* ]]; then return; fi
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
            done < <("${words[1]}" "$@" "${given[@]}" 2>/dev/null)
            _describe "$name" items
        }
        if [[ "${funcstack[1]}" == \(table.functionName) ]]; then
            \(table.functionName) "$@"
        else
            compdef \(table.functionName) \(table.program)
        fi

        """
    }

    private var passedOptions: String {
        let options = table.passedOptions
        guard !options.isEmpty else { return "" }
        return """
                        (\(options.patterns()))
                            value="${(Q)words[i+1]}"
                            if [[ "$value" == "~/"* ]]; then value="$HOME${value:1}"; fi
                            if (( i + 1 < CURRENT )); then given+=("$name" "$value"); fi
                            (( i += 1 )) ;;
                        (\(options.attachedPatterns())) given+=("${(Q)name}") ;;

            """
    }

    private var skippedOptions: String {
        table.optionsByValueCount.map { count, options in
            "            (\(options.patterns())) (( i += \(count) )) ;;\n"
                + (count > 1 ? "            (\(options.attachedPatterns())) (( i += \(count - 1) )) ;;\n" : "")
        }.joined()
    }

    private var values: String {
        table.valueCases { offer($0.valueCompletion, $0.value ?? "") }
            .map { "        (\($0.patterns)) \($0.body) ;;\n" }.joined()
    }

    private var options: String {
        var cases = table.commandsByPattern.map { command in
            return "            (\(table.pattern(of: command))) items=(\(list(table.options(of: command)))) ;;\n"
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
            cases.append("(\(table.pattern(of: command))) \(offer(operands.completion, operands.name)) ;;")
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
}
