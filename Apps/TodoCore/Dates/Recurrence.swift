import TextEscaping

/// The repetition of a todo: completing it creates the next one.
///
/// The next due day counts from the day of completion or, in the strict form with `+`, from the due day: bills repeat
/// strictly, watering plants does not.
public struct Recurrence: Hashable, Sendable, CustomStringConvertible {
    /// The number of units, from 1 to 999.
    public let count: Int
    /// The unit.
    public let unit: DateUnit
    /// Whether the next day counts from the due day instead of the day of completion.
    public let isStrict: Bool

    /// Creates a recurrence; `nil` if the count is not from 1 to 999.
    public init?(every count: Int = 1, _ unit: DateUnit, isStrict: Bool = false) {
        guard (1...999).contains(count) else { return nil }
        self.count = count
        self.unit = unit
        self.isStrict = isStrict
    }

    /// Parses `daily`, `weekly`, `monthly`, `yearly`, `3d`, `2w`, `1m`, `1y`, each perhaps after a `+`; `nil` for any
    /// other text.
    public init?(_ text: some StringProtocol) {
        let isStrict = text.first == "+"
        let word = (isStrict ? text.dropFirst() : text[...]).lowercased()
        if let index = Self.names.firstIndex(of: word) {
            self.init(every: 1, DateUnit.allCases[index], isStrict: isStrict)
            return
        }
        guard let unit = word.last.flatMap({ DateUnit(letter: $0) }),
            let count = CalendarDate.number(word.dropLast(), 1...3)
        else { return nil }
        self.init(every: count, unit, isStrict: isStrict)
    }

    /// The form `3d` or, if it is strict, `+3d`.
    public var description: String { (isStrict ? "+" : "") + "\(count)\(unit.letter)" }

    /// What is valid, for messages.
    static let validForms = "daily, weekly, monthly, yearly, 3d, 2w, 1m or 1y, with + to count from the due day"

    private static let names = ["daily", "weekly", "monthly", "yearly"]

    /// Returns the due day of the next todo: the first one in the future.
    ///
    /// - Parameters:
    ///   - due: the due day of the completed todo; `nil` if it has none.
    ///   - completed: the day of completion.
    /// - Returns: the day.
    public func next(after due: Day?, completed: Day) -> Day {
        guard isStrict, let due else { return unit.adding(count, to: completed) }
        // Each day counts from the first one: the 31st does not become the 28th for ever after a February.
        var step = 1
        var next = unit.adding(count, to: due)
        while next <= completed, step < 100_000 {
            step += 1
            next = unit.adding(count * step, to: due)
        }
        return next
    }
}

extension Recurrence: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Recurrence(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\(text.quoted()) is not a recurrence; write \(Self.validForms)"
            )
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
