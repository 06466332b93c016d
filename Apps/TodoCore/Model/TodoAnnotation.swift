/// A line of a note that begins with the time at which it was written, such as `2026-03-09 15:00 called back`.
///
/// It is text like the rest of the note, so that every format and every server carries it.
package struct TodoAnnotation: Hashable, Sendable {
    /// The time, to the minute.
    package let date: Date
    /// The text without the time.
    package let text: String

    /// Reads a line of a note; `nil` if it does not begin with a time.
    init?(_ line: some StringProtocol, zone: Zone) {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[1].count == 5, let day = Day(iso: String(words[0])),
            let time = TimeOfDay(words[1])
        else { return nil }
        (date, text) = (zone.date(day, time), String(words[2]))
        guard Self.line(text, at: date, zone: zone) == line else { return nil }
    }

    /// Returns the line of a text that is written at a time.
    package static func line(_ text: some StringProtocol, at date: Date, zone: Zone) -> String {
        let (day, time) = zone.local(date)
        return "\(day) \(time) \(text)"
    }
}
