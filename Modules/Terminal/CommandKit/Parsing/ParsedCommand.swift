/// A valid command line.
public struct ParsedCommand<Verb: Hashable & Sendable>: Sendable {
    /// The command.
    public let command: Command<Verb>
    /// The operands, in order.
    public let operands: [String]
    /// The values of each option that occurs, by its name; a flag has one empty value.
    let values: [String: [String]]

    /// Identifies the command in the program.
    public var verb: Verb { command.verb }

    /// Whether an option occurs.
    public func has(_ name: String) -> Bool { values[name] != nil }

    /// The value of an option, or `nil` if it does not occur; the last one if there are several.
    public func value(_ name: String) -> String? { values[name]?.last }

    /// All values of an option that is repeatable or takes several, or `nil` if it does not occur.
    public func allValues(_ name: String) -> [String]? { values[name] }
}

/// The result of parsing: a command to run, or a text to print.
public enum Invocation<Verb: Hashable & Sendable>: Sendable {
    /// The program runs this command.
    case run(ParsedCommand<Verb>)
    /// The program prints this text on standard output and exits with 0: the help, the version, the completions or the
    /// manual page.
    case print(String)
}
