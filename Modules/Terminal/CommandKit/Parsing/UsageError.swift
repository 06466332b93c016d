import TextEscaping

/// The error of a command line that is not valid; its description says what would be.
public enum UsageError: Error, Hashable, Sendable {
    /// There is no command of this name.
    case unknownCommand(String, nearest: String?)
    /// The command has no option of this name.
    case unknownOption(String, nearest: String?)
    /// The command needs the option.
    case missingOption(CommandOption, command: String)
    /// The option has fewer values than it needs.
    case missingValue(CommandOption)
    /// The option is a flag and has a value.
    case unexpectedValue(CommandOption)
    /// The value is not one of the choices, or is malformed; the hint says what is valid.
    case invalidValue(CommandOption, value: String, hint: String)
    /// The option occurs more than once.
    case repeated(CommandOption)
    /// The command has fewer operands than it needs.
    case missingOperand(command: String, operand: String)
    /// The command has more operands than it accepts; the associated value is the first of them.
    case unexpectedOperand(String, command: String)
}

extension UsageError: CustomStringConvertible {
    /// One line without a full stop, which can be displayed on a terminal.
    public var description: String {
        switch self {
        case .unknownCommand(let word, let nearest): "there is no command \(word.quoted())" + suggestion(nearest)
        case .unknownOption(let word, let nearest): "there is no option \(word.quoted()) here" + suggestion(nearest)
        case .missingOption(let option, let command): "\(command) needs \(option.usage)"
        case .missingValue(let option): "--\(option.name) needs a value: \(option.usage)"
        case .unexpectedValue(let option): "--\(option.name) does not take a value"
        case .invalidValue(let option, let value, let hint): "--\(option.name) cannot be \(value.quoted()); \(hint)"
        case .repeated(let option): "--\(option.name) occurs twice; write it once"
        case .missingOperand(let command, let operand): "\(command) needs \(operand)"
        case .unexpectedOperand(let word, let command): "\(command) does not take \(word.quoted())"
        }
    }

    private func suggestion(_ nearest: String?) -> String {
        nearest.map { "; did you mean \"\($0)\"?" } ?? "; --help lists them all"
    }
}
