/// A time of day to the minute, without a time zone.
public struct TimeOfDay: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Minutes since midnight, from 0 to 1,439.
    public let minutes: Int

    /// Creates a time; `nil` if it is not from 0:00 to 23:59.
    public init?(hour: Int, minute: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        minutes = hour * 60 + minute
    }

    /// The hour from 0 to 23.
    public var hour: Int { minutes / 60 }
    /// The minute from 0 to 59.
    public var minute: Int { minutes % 60 }

    /// The time in the form of ISO 8601, such as `15:00`.
    public var description: String {
        (hour < 10 ? "0" : "") + "\(hour)" + (minute < 10 ? ":0" : ":") + "\(minute)"
    }

    /// Earlier times come first.
    public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool { left.minutes < right.minutes }

    /// Parses a time as people type it: `15:00`, `9:30`, `3pm`, `3:30 pm`, `noon`, `midnight`; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        var word = text.lowercased().filter { !$0.isWhitespace }[...]
        switch word {
        case "noon": self.init(hour: 12)
        case "midnight": self.init(hour: 0)
        default:
            var shift: Int?
            if word.hasSuffix("am") || word.hasSuffix("pm") {
                shift = word.hasSuffix("pm") ? 12 : 0
                word = word.dropLast(2)
            }
            let fields = word.split(separator: ":", omittingEmptySubsequences: false)
            guard (shift == nil ? 2...2 : 1...2).contains(fields.count),
                let hour = CalendarDate.number(fields[0], 1...2),
                let minute = fields.count == 1 ? 0 : CalendarDate.number(fields[1], 2...2)
            else { return nil }
            if let shift {
                guard (1...12).contains(hour) else { return nil }
                self.init(hour: hour % 12 + shift, minute: minute)
            } else {
                self.init(hour: hour, minute: minute)
            }
        }
    }
}

extension TimeOfDay: TextCodable {
    public static func explanation(ofInvalid text: String) -> String {
        "a time is written 15:00, not \"\(text)\""
    }
}
