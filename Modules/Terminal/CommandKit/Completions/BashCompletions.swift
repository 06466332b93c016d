/// The completions for bash (3.2 and later, which macOS has).
struct BashCompletions<Verb: Hashable & Sendable> {
    let table: CommandTable<Verb>

    var source: String {
        """
        # bash completion for \(table.program)
        \(table.functionName)() {
            local IFS=$'\\n' command="" options="" name plain quote="" head="" skipped="" ended="" i
            local apostrophe="'" escaped="'\\\\''"
            local -a given=() words=()
            local line="$COMP_LINE" typed current previous
            COMPREPLY=()
            # bash divides words at these characters, and the program does not: it gets one word where there is no blank.
            for (( i = 0; i <= COMP_CWORD; i++ )); do
                current="${COMP_WORDS[i]}"
                if [[ $i != 0 && "$line" != [[:blank:]]* && ("$typed" == *[=:@] || "$current" == [=:@]*) ]]; then
                    words[${#words[@]}-1]+="$current"
                else
                    words+=("$current")
                fi
                typed="$current"
                line="${line#"${line%%[![:blank:]]*}"}"
                line="${line#"$current"}"
            done
            local last=$(( ${#words[@]} - 1 ))
            typed="${words[last]}" previous="${words[last-1]}"
            current="$typed"
            for (( i = 1; i < last; i++ )); do
                name="${words[i]}"
                \(table.removingFlags(from: "name"))
                case "$name" in
        \(passedOptions)\(skippedOptions)            --) ended=1; break ;;
                    -?*) ;;
                    *) command="${command:+$command }$name" ;;
                esac
            done
            \(table.removingFlags(from: "previous"))
            if [[ "$ended" ]]; then
                # Operands follow. The second blank matches neither a name that goes on nor one that is to begin.
                command+=" "
                previous=""
            elif [[ "$typed" == -*=* ]]; then
                previous="${typed%%=*}"
                current="${typed#*=}"
                head="$previous="
            fi
            # What is typed is compared without its quotation.
            case "$current" in \\"*|\\'*) quote="${current:0:1}" ;; esac
            # What is inserted replaces the text after the last of these characters, or after the quotation mark.
            local breaks="${COMP_WORDBREAKS//[!=:]/}"
            if [[ "$quote" ]]; then
                head=""
                if [[ "$quote" == "$apostrophe" ]]; then skipped="${current%"${current##*"$escaped"}"}"; fi
            elif [[ "$breaks" && "$typed" == *[!\\\\][$breaks]* ]]; then
                head=""
                skipped="${current%"${typed##*[!\\\\][$breaks]}"}"
            fi
            \(table.functionName)_plain "$skipped"
            skipped="$plain"
            \(table.functionName)_plain "$current"
            current="$plain"
            \(table.functionName)_offer
            for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]="$head${COMPREPLY[i]:${#skipped}}"; done
        }
        # Sets COMPREPLY to the words that may stand for $current.
        \(table.functionName)_offer() {
            case "$previous" in
        \(values)    esac
            if [[ ! "$ended" && "$current" == -* ]]; then
                case "$command " in
        \(options)        esac
                COMPREPLY=($(compgen -W "$options" -- "$current"))
                return
            fi
            case "$command " in
        \(words)    esac
        }
        # Sets plain to a word without its quotation. Nothing in it is expanded.
        \(table.functionName)_plain() {
            plain="$1"
            case "$1" in
                \\"*) plain="${plain:1}"; plain="${plain%\\"}" ;;
                \\'*)
                    plain="${plain:1}"
                    if [[ "$plain" != *"$escaped" ]]; then plain="${plain%"$apostrophe"}"; fi
                    plain="${plain//"$escaped"/$apostrophe}"
                    return ;;
            esac
            plain="${plain//\\\\/}"
        }
        # Adds an option with $plain as its value to those of the program that prints words.
        \(table.functionName)_give() {
            if [[ "$plain" == "~/"* ]]; then plain="$HOME${plain:1}"; fi
            given+=("$1" "$plain")
        }
        # Sets plain to a word as it is inserted, after the quotation mark that was typed.
        \(table.functionName)_quoted() {
            local special=$' \\t\\\\\\'"$`&;()<>|*?[]{}~#!' character i
            case "$quote" in
                \\") special='\\"$`' ;;
                \\') special="" ;;
            esac
            plain="$1"
            [[ "$1" == *[!A-Za-z0-9_@%+=:,./-]* ]] || return
            plain=""
            for (( i = 0; i < ${#1}; i++ )); do
                character="${1:i:1}"
                if [[ "$quote$character" == "$apostrophe$apostrophe" ]]; then
                    plain+="$escaped"
                    continue
                fi
                if [[ "$special" == *"$character"* ]]; then plain+="\\\\"; fi
                plain+="$character"
            done
        }
        # Offers words, as compgen -W does without expanding them.
        \(table.functionName)_words() {
            local word
            for word; do
                [[ "$word" == "$current"* ]] || continue
                \(table.functionName)_quoted "${word:${#skipped}}"
                COMPREPLY+=("$head$plain")
            done
            head="" skipped=""
        }
        # Offers the words that the program prints, which come from stored data.
        \(table.functionName)_output() {
            local word description
            while IFS=$'\\t' read -r word description; do
                [[ "$word" == "$current"* ]] || continue
                # A list of candidates shows the descriptions; what is inserted is the word alone.
                if [[ "$COMP_TYPE" == 63 ]]; then
                    word="$word${description:+  $description}"
                else
                    \(table.functionName)_quoted "${word:${#skipped}}"
                    word="$head$plain"
                fi
                COMPREPLY+=("$word")
            done < <("${words[0]}" "$@" "${given[@]}" 2>/dev/null)
            head="" skipped=""
        }
        complete -F \(table.functionName) \(table.program)

        """
    }

    private var passedOptions: String {
        let options = table.passedOptions
        guard !options.isEmpty else { return "" }
        let letters = options.compactMap(\.letter).map { "-\($0)*" }.joined(separator: "|")
        let attachedToLetters = """
                        \(letters))
                            plain="${name:2}"
                            \(table.functionName)_plain "${plain#=}"
                            \(table.functionName)_give "${name:0:2}" ;;

            """
        return """
                        \(options.patterns()))
                            (( i++ ))
                            \(table.functionName)_plain "${words[i]}"
                            if (( i < last )); then \(table.functionName)_give "$name"; fi ;;
                        \(options.map { "--\($0.name)=*" }.joined(separator: "|")))
                            \(table.functionName)_plain "${name#*=}"
                            \(table.functionName)_give "${name%%=*}" ;;

            """ + (letters.isEmpty ? "" : attachedToLetters)
    }

    private var skippedOptions: String {
        table.optionsByValueCount.map { count, options in
            "            \(options.patterns())) (( i += \(count) )) ;;\n"
                + (count > 1 ? "            \(options.attachedPatterns())) (( i += \(count - 1) )) ;;\n" : "")
        }.joined()
    }

    private var values: String {
        table.valueCases { reply($0.valueCompletion) }.map { "        \($0.patterns)) \($0.body) ;;\n" }.joined()
    }

    private var options: String {
        table.commandsByPattern.map { command in
            let names = names(of: table.options(of: command))
            return "            \(table.pattern(of: command))) options=\(list(names)) ;;\n"
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
            cases.append("\(table.pattern(of: command))) \(reply(command.operands.completion)) ;;")
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
        case .words(let words):
            "\(table.functionName)_words \(words.map { shellQuoted($0) }.joined(separator: " "))"
        }
    }

    private func list(_ words: [String]) -> String { "$'" + words.joined(separator: "\\n") + "'" }
}
