/// The operands of a command: the words that are neither its name nor its options.
public struct Operands: Hashable, Sendable {
    /// The placeholder of one operand in the help, such as `FILE`.
    public let name: String
    /// The minimum number of operands.
    public let minimum: Int
    /// The maximum number of operands.
    public let maximum: Int
    /// The words that a shell offers.
    public let completion: Completion
    /// How the operands are written, if the name and the numbers do not say it.
    private let form: String?

    private init(_ name: String, _ count: ClosedRange<Int>, _ completion: Completion, form: String? = nil) {
        self.name = name
        minimum = count.lowerBound
        maximum = count.upperBound
        self.completion = completion
        self.form = form
    }

    /// No operand.
    public static let none = Operands("", 0...0, .none)

    /// Exactly one operand.
    public static func one(_ name: String, completion: Completion = .none) -> Operands {
        Operands(name, 1...1, completion)
    }

    /// One operand or none.
    public static func optional(_ name: String, completion: Completion = .none) -> Operands {
        Operands(name, 0...1, completion)
    }

    /// One or more operands.
    ///
    /// - Parameters:
    ///   - name: the placeholder of one operand.
    ///   - usage: how they are written; by default `NAME...`. Words that are one value together are written `NAME`.
    ///   - completion: the words that a shell offers.
    /// - Returns: the operands.
    public static func oneOrMore(_ name: String, usage: String? = nil, completion: Completion = .none) -> Operands {
        Operands(name, 1 ... .max, completion, form: usage)
    }

    /// Any number of operands.
    ///
    /// - Parameters:
    ///   - name: the placeholder of one operand.
    ///   - usage: how they are written; by default `[NAME...]`, or a name of several words as it is.
    ///   - completion: the words that a shell offers.
    /// - Returns: the operands.
    public static func any(_ name: String, usage: String? = nil, completion: Completion = .none) -> Operands {
        Operands(name, 0 ... .max, completion, form: usage)
    }

    /// As many operands as the range allows; the name has a word for each, such as `REV1 REV2 [PACKAGE]`.
    public static func between(_ name: String, _ count: ClosedRange<Int>, completion: Completion = .none) -> Operands {
        Operands(name, count, completion)
    }

    /// The operands as they are written: `ID`, `ID...`, `[PACKAGE]` or `[AREA...]`; `nil` for no operands.
    public var usage: String? {
        guard maximum > 0 else { return nil }
        if let form { return form }
        if name.contains(" ") { return name }
        let text = maximum > 1 ? name + "..." : name
        return minimum == 0 ? "[\(text)]" : text
    }
}

/// A command of a program: its name, what it accepts and its help.
public struct Command<Verb: Hashable & Sendable>: Sendable {
    /// Identifies the command in the program.
    public var verb: Verb
    /// The words of its name: `["todo", "add"]`; none for the command that runs without a name.
    public var words: [String]
    /// The operands.
    public var operands: Operands
    /// The options; those of the table come in addition.
    public var options: [CommandOption]
    /// What the command does, in a few words without a full stop.
    public var summary: String
    /// Example arguments, without the program's name.
    public var examples: [String]

    /// Creates a command.
    ///
    /// - Parameters:
    ///   - verb: identifies the command in the program.
    ///   - words: the words of its name, at most two; none for the command that runs without a name.
    ///   - operands: the operands.
    ///   - options: the options.
    ///   - summary: what the command does, in a few words.
    ///   - examples: example arguments, without the program's name.
    public init(
        _ verb: Verb,
        words: [String] = [],
        operands: Operands = .none,
        options: [CommandOption] = [],
        summary: String,
        examples: [String] = []
    ) {
        self.verb = verb
        self.words = words
        self.operands = operands
        self.options = options
        self.summary = summary
        self.examples = examples
    }

    /// The words of the name in one text.
    public var name: String { words.joined(separator: " ") }

    /// The parts of the usage line without the program's name; a part is never divided between two lines.
    var usage: [String] {
        words + [operands.usage].compactMap(\.self)
            + options.filter { !$0.isHidden }.map { option in
                (option.isRequired ? option.usage : "[\(option.usage)]") + (option.isRepeatable ? "..." : "")
            }
    }
}
