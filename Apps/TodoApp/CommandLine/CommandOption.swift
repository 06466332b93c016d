/// An option that a command takes, such as `--due DATE`.
struct CommandOption: Sendable, Hashable {
    /// The name without its dashes.
    let name: String
    /// What stands for its value in the help; `nil` for a flag.
    let value: String?
    /// What it does, in a few words.
    let help: String
    /// The environment variable that means the same where the option is not given.
    var variable: String?
    /// The only values it takes; empty where any text will do.
    var choices: [String] = []
    /// Whether it may be given more than once.
    var isRepeatable = false

    /// How it is written: `--due DATE`.
    var usage: String {
        value.map { "--\(name) \($0)" } ?? "--\(name)"
    }
}

extension CommandOption {
    static let json = CommandOption(name: "json", value: nil, help: "one JSON document instead of text")

    /// The options that every command takes.
    static let global: [CommandOption] = [
        CommandOption(
            name: "data-dir",
            value: "DIR",
            help: "where everything is kept",
            variable: "PAWKIT_DATA_DIR"
        ),
        CommandOption(
            name: "image-api",
            value: "URL",
            help: "another address for the picture API",
            variable: "PAWKIT_IMAGE_API"
        ),
        CommandOption(
            name: "backend",
            value: "URL",
            help: "an account server, for doctor to look at",
            variable: "PAWKIT_BACKEND"
        ),
        CommandOption(
            name: "color",
            value: "WHEN",
            help: "auto, always or never",
            choices: ["auto", "always", "never"]
        ),
        CommandOption(name: "plain", value: nil, help: "plain lines: no full screen, no colour"),
        CommandOption(name: "no-animation", value: nil, help: "nothing moves on the screen"),
        CommandOption(name: "version", value: nil, help: "print the version"),
        CommandOption(name: "help", value: nil, help: "print this help"),
    ]
}
