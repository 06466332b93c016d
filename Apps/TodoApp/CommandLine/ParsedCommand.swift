/// A command line, understood.
struct ParsedCommand: Sendable {
    /// The command that was named.
    let definition: CommandDefinition
    /// What stands beside the options, in order.
    let operands: [String]
    /// The values of each option given; a flag has one empty value.
    let values: [String: [String]]

    /// Whether a flag was given.
    func has(_ name: String) -> Bool {
        values[name] != nil
    }

    /// The value of an option; the last one counts where it was given several times.
    func value(_ name: String) -> String? {
        values[name]?.last
    }

    /// All values of an option that may be repeated; `nil` where it was not given.
    func allValues(_ name: String) -> [String]? {
        values[name]
    }
}
