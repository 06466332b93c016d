import TextEscaping

/// The error of a text that is not a date.
public enum DateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text has no known form.
    case unknown(String, nearest: String?)
    /// The calendar has no such day.
    case impossible(String, reason: String)
    /// The clock has no such time.
    case noTime(String)
    /// The date has another weekday than the one that is written with it.
    case otherWeekday(String, day: Day)
    /// The first number can be the month or the day.
    case ambiguous(String)
    /// Words of another date follow a date, with which they are no date.
    case trailing(String, after: String)

    /// What is wrong, and what would be right.
    public var description: String {
        switch self {
        case .unknown(let text, let nearest):
            text.quoted() + " is not a date; "
                + (nearest.map { "did you mean \($0.quoted())?" }
                    ?? "write 2026-03-09, today, tomorrow, fri, 3d, 2w, next week or 내일")
        case .impossible(let text, let reason): "\(text.quoted()) is not a date: \(reason)"
        case .noTime(let text): "\(text.quoted()) is not a time; write 15:00, 3pm or 오후 3시"
        case .otherWeekday(let text, let day):
            "\(text.quoted()) is not a date: \(day) is a \(EnglishDate.weekdays[day.weekday].capitalized)"
        case .ambiguous(let text): "\(text.quoted()) has two meanings; write the year first, as in 2026-03-09"
        case .trailing(let text, let date):
            "\(text.quoted()) is not read as part of the date \(date.quoted()); write one date, and other words before it"
        }
    }
}
