/// A command line that makes no sense, and what would.
enum UsageError: Error, Hashable {
    /// No command is called so.
    case unknownCommand(String, nearest: String?)
    /// The command takes no option of this name.
    case unknownOption(String, nearest: String?)
    /// The option wants a value and has none.
    case missingValue(CommandOption)
    /// The option is a flag and was given a value.
    case unexpectedValue(CommandOption)
    /// The value is none of those the option takes, or is not of its form.
    case invalidValue(CommandOption, value: String, hint: String)
    /// The option was given more than once.
    case repeated(CommandOption)
    /// The command wants operands and has none.
    case missingOperand(command: String, operand: String)
    /// The command does not take this many operands.
    case unexpectedOperand(String, command: String)
    /// An edit was asked for that changes nothing.
    case nothingToChange
}

extension UsageError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknownCommand(let word, let nearest):
            "there is no command \"\(printable(word))\"" + suggestion(nearest)
        case .unknownOption(let word, let nearest):
            "there is no option \"\(printable(word))\" here" + suggestion(nearest)
        case .missingValue(let option):
            "--\(option.name) wants a value: \(option.usage)"
        case .unexpectedValue(let option):
            "--\(option.name) takes no value"
        case .invalidValue(let option, let value, let hint):
            "--\(option.name) cannot be \"\(printable(value))\"; \(hint)"
        case .repeated(let option):
            "--\(option.name) is given twice; once is enough"
        case .missingOperand(let command, let operand):
            "\(command) wants \(operand)"
        case .unexpectedOperand(let word, let command):
            "\(command) does not take \"\(printable(word))\""
        case .nothingToChange:
            "nothing to change; name an option such as --title or --due"
        }
    }

    private func suggestion(_ nearest: String?) -> String {
        nearest.map { "; did you mean \"\($0)\"?" } ?? "; --help lists them all"
    }
}
