import EssentialFoundation
import TodoCore

/// Times in the output of commands.
enum DateText {
    /// Returns a time in a zone, to the minute: `2026-03-09 15:00`.
    static func text(_ date: Date, _ zone: Zone) -> String {
        let (day, time) = zone.local(date)
        return "\(day) \(time)"
    }
}
