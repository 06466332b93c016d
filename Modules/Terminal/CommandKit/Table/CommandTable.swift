/// The commands of a program, from which the parser, the help, the shell completions and the manual page are made.
///
/// Each of these four is an extension in its own file: none needs the others.
public struct CommandTable<Verb: Hashable & Sendable>: Sendable {
    /// A section of the help between the options and the examples, such as the description of a file format.
    public struct Topic: Hashable, Sendable {
        /// The heading, without a colon.
        public var title: String
        /// The text, whose lines are printed as they are.
        public var text: String

        /// Creates a topic.
        public init(_ title: String, _ text: String) {
            self.title = title
            self.text = text
        }
    }

    /// An exit status of the program.
    public struct ExitStatus: Hashable, Sendable {
        /// The number.
        public var code: Int32
        /// The meaning, in a few words.
        public var meaning: String

        /// Creates an exit status.
        public init(_ code: Int32, _ meaning: String) {
            self.code = code
            self.meaning = meaning
        }
    }

    /// The program's name as it is typed.
    public var program: String
    /// What the program is, in a few words without a full stop.
    public var summary: String
    /// The version that `--version` prints; there is no such option if it is `nil`.
    public var version: String?
    /// The commands, in the order of the help.
    public var commands: [Command<Verb>]
    /// The options that every command accepts.
    ///
    /// `--help` (`-h`), `--version`, `--completions` and `--manual` come in addition.
    public var options: [CommandOption]
    /// Further sections of the help.
    public var topics: [Topic]
    /// The exit statuses.
    public var exitStatuses: [ExitStatus]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - program: the program's name as it is typed.
    ///   - summary: what the program is, in a few words.
    ///   - version: the version that `--version` prints.
    ///   - commands: the commands.
    ///   - options: the options that every command accepts.
    ///   - topics: further sections of the help.
    ///   - exitStatuses: the exit statuses.
    public init(
        program: String,
        summary: String,
        version: String? = nil,
        commands: [Command<Verb>],
        options: [CommandOption] = [],
        topics: [Topic] = [],
        exitStatuses: [ExitStatus] = []
    ) {
        self.program = program
        self.summary = summary
        self.version = version
        self.commands = commands
        self.options = options
        self.topics = topics
        self.exitStatuses = exitStatuses
    }

    /// The command that runs without a name.
    var unnamedCommand: Command<Verb>? { commands.first { $0.words.isEmpty } }

    /// The options that every command accepts, with those of CommandKit.
    var commonOptions: [CommandOption] {
        options + (version == nil ? [] : [.version]) + [.help, .completions, .manual]
    }

    /// Returns the options that are accepted with a command: its own, those of the table and those of every program.
    public func options(of command: Command<Verb>) -> [CommandOption] { command.options + commonOptions }

    /// All options of the table, each once.
    var allOptions: [CommandOption] {
        var all: [CommandOption] = []
        for option in commands.flatMap(\.options) + commonOptions where !all.contains(option) { all.append(option) }
        return all
    }
}

extension CommandOption {
    static let help = CommandOption("help", letter: "h", help: "print this help", isRepeatable: true)
    static let version = CommandOption("version", help: "print the version", isRepeatable: true)
    static let completions = CommandOption(
        "completions",
        value: "SHELL",
        help: "print the completions for bash, zsh or fish",
        choices: Shell.allCases.map(\.rawValue)
    )
    static let manual = CommandOption(
        "manual",
        help: "print the manual page; read it with man -l -",
        isRepeatable: true
    )
}
