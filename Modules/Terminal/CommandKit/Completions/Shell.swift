/// A shell for which completions can be made.
public enum Shell: String, CaseIterable, Hashable, Sendable {
    case bash, zsh, fish
}

extension CommandTable {
    /// Returns the source of the completions for a shell.
    ///
    /// - bash: `source <(Dog --completions bash)`, or a file in `/usr/share/bash-completion/completions`;
    /// - zsh: a file named `_Dog` in a folder of `fpath`;
    /// - fish: a file `Dog.fish` in `~/.config/fish/completions`.
    public func completions(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletions(table: self).source
        case .zsh: ZshCompletions(table: self).source
        case .fish: FishCompletions(table: self).source
        }
    }

    /// The words that may follow a command's words: each first word once, and the second words of each group.
    ///
    /// - Returns: the words with the summary of their command; a group has the summaries' beginning.
    func nextWords(after prefix: [String]) -> [(word: String, summary: String)] {
        var found: [(word: String, summary: String)] = []
        for command in commands where command.words.count > prefix.count && command.words.starts(with: prefix) {
            let word = command.words[prefix.count]
            guard !found.contains(where: { $0.word == word }) else { continue }
            let isGroup = command.words.count > prefix.count + 1
            found.append((word, isGroup ? "commands for \(word)" : command.summary))
        }
        return found
    }

    /// The commands with the longest names first, since a shell uses the first pattern that matches.
    var commandsByPattern: [Command<Verb>] { commands.sorted { $0.words.count > $1.words.count } }

    /// The first words of the commands whose names have two.
    var groups: [String] {
        var groups: [String] = []
        for command in commands where command.words.count > 1 && !groups.contains(command.words[0]) {
            groups.append(command.words[0])
        }
        return groups
    }

    /// The options of a line with which the program also prints the words of ``Completion/output(_:)``, so that it reads the same
    /// data.
    var passedOptions: [CommandOption] { options.filter { $0.valueCount == 1 } }

    /// The cases for the word before a value, by the spellings of its option. Where commands accept different options of one
    /// spelling, `$command` chooses. bash and zsh read the same text.
    ///
    /// - Parameter offer: returns what offers the values of an option.
    /// - Returns: the patterns and what follows them.
    func valueCases(_ offer: (CommandOption) -> String) -> [(patterns: String, body: String)] {
        var cases: [(patterns: String, body: String)] = []
        var seen: Set<String> = []
        for option in allOptions where option.valueCount > 0 {
            for spelling in option.spellings where seen.insert(spelling).inserted {
                let owners = commandsByPattern.compactMap { command in
                    options(of: command).first { $0.spellings.contains(spelling) }.map {
                        (command, offer: $0.valueCount > 0 ? offer($0) + "; return" : nil)
                    }
                }
                var body = offer(option) + "; return"
                if Set(owners.map(\.offer)).count > 1 {
                    let arms = owners.map { command, offer in "(\(pattern(of: command))) \(offer ?? ":") ;;" }
                    body = "case \"$command \" in \(arms.joined(separator: " ")) esac"
                }
                if let last = cases.last, last.body == body {
                    cases[cases.count - 1].patterns += "|" + spelling
                } else {
                    cases.append((spelling, body))
                }
            }
        }
        return cases
    }

    /// The pattern of the words of a command and all that may follow.
    func pattern(of command: Command<Verb>) -> String {
        command.words.isEmpty ? "*" : shellQuoted(command.name + " ") + "*"
    }

    /// The options with values, by the number of values.
    var optionsByValueCount: [(count: Int, options: [CommandOption])] {
        let counts = Set(allOptions.map(\.valueCount)).subtracting([0]).sorted()
        return counts.map { count in (count, allOptions.filter { $0.valueCount == count }) }
    }

    /// The letters that are flags in every command.
    var flagLetters: String {
        let options = allOptions
        let others = Set(options.filter { $0.valueCount > 0 }.compactMap(\.letter))
        return String(Set(options.compactMap(\.letter)).subtracting(others).sorted())
    }

    /// A line of bash and zsh that leaves the last option of joined letters in a variable, since only that one has a value.
    func removingFlags(from variable: String) -> String {
        "while [[ \"$\(variable)\" == -[\(flagLetters)]?* ]]; do \(variable)=\"-${\(variable):2}\"; done"
    }

    /// The name of a shell function for the program.
    var functionName: String {
        "_" + String(program.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}

extension [CommandOption] {
    /// The spellings of the options as one pattern.
    func patterns(separator: String = "|") -> String { flatMap(\.spellings).joined(separator: separator) }

    /// The patterns of the options with a value in the same word; they follow ``patterns(separator:)``, which they match too.
    func attachedPatterns(separator: String = "|") -> String {
        flatMap { ["--\($0.name)=*"] + ($0.letter.map { ["-\($0)*"] } ?? []) }.joined(separator: separator)
    }
}

/// Quotes a text for a shell: in apostrophes, each apostrophe inside written as `escape`.
func shellQuoted(_ text: String, apostrophe escape: String = "'\\''") -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: escape) + "'"
}
