/// The words that a shell offers for a value or an operand.
public enum Completion: Hashable, Sendable {
    /// None: the value is free text.
    case none
    /// The paths of files.
    case files
    /// The paths of folders.
    case folders
    /// These words.
    case words([String])
    /// The lines that the program prints for these arguments: a word and, after a tab, its description. The options of the table
    /// that are on the line, such as a folder of data, come in addition.
    case output([String])
}

/// An option of a command, such as `--due DATE` or the flag `--json`.
public struct CommandOption: Hashable, Sendable {
    /// The name without its dashes.
    public var name: String
    /// The letter of the short form, such as `o` for `-o`.
    public var letter: Character?
    /// The placeholder of the value in the help, or `nil` for a flag.
    ///
    /// A placeholder of several words, such as `FROM TO`, takes that many values.
    public var value: String?
    /// What the option does, in a few words without a full stop.
    public var help: String
    /// The environment variable that sets the value if the option is missing.
    ///
    /// The parser does not read it; the help and the manual page name it.
    public var variable: String?
    /// The only valid values; any text is valid if it is empty.
    public var choices: [String]
    /// The words that a shell offers for the value if there are no ``choices``.
    public var completion: Completion
    /// Whether the option may occur more than once.
    public var isRepeatable: Bool
    /// Whether the command needs the option.
    public var isRequired: Bool
    /// Whether the help, the completions and the manual page leave the option out.
    public var isHidden: Bool

    /// Creates an option.
    ///
    /// - Parameters:
    ///   - name: the name without its dashes.
    ///   - letter: the letter of the short form.
    ///   - value: the placeholder of the value; `nil` for a flag.
    ///   - help: what the option does, in a few words.
    ///   - variable: the environment variable that sets the value if the option is missing.
    ///   - choices: the only valid values.
    ///   - completion: the words that a shell offers for the value.
    ///   - isRepeatable: whether the option may occur more than once.
    ///   - isRequired: whether the command needs the option.
    ///   - isHidden: whether the help leaves the option out.
    public init(
        _ name: String,
        letter: Character? = nil,
        value: String? = nil,
        help: String,
        variable: String? = nil,
        choices: [String] = [],
        completion: Completion = .none,
        isRepeatable: Bool = false,
        isRequired: Bool = false,
        isHidden: Bool = false
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.help = help
        self.variable = variable
        self.choices = choices
        self.completion = completion
        self.isRepeatable = isRepeatable
        self.isRequired = isRequired
        self.isHidden = isHidden
    }

    /// The option as it is written: `--due DATE`.
    public var usage: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }

    /// The number of values: 0 for a flag.
    var valueCount: Int { value.map { $0.split(separator: " ").count } ?? 0 }

    /// The names as they are typed: `--output`, `-o`.
    var spellings: [String] { ["--" + name] + (letter.map { ["-\($0)"] } ?? []) }

    /// The words that a shell offers for the value.
    var valueCompletion: Completion { choices.isEmpty ? completion : .words(choices) }
}
