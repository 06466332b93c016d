import CivilDates

/// A time zone as a VTIMEZONE defines it: changes of the distance from UTC, each at a time or once a year.
package struct ICalendarTimeZone: Sendable {
    /// A STANDARD or DAYLIGHT component.
    private struct Observance: Sendable {
        /// The clock times at which it begins, in seconds since 1970 as if they were in UTC.
        var starts: [Int]
        var offsetBefore: Int
        var offset: Int
        var rule: ICalendarRule?

        /// Returns its last beginning at or before a clock time.
        func lastStart(before clock: Int) -> Int? {
            var starts = self.starts
            if let rule, let first = starts.first {
                let year = CivilDate(daysSince1970: CivilDate.day(ofSecond: clock)).year
                let day = CivilDate.day(ofSecond: first)
                let (start, time) = (CivilDate(daysSince1970: day), first - day * 86_400)
                // UNTIL is in UTC.
                let end = rule.until.map { $0.clockSeconds + ($0.zone == .utc ? offsetBefore : 0) } ?? .max
                let years = [year - 1, year] + (rule.until.map { [$0.date.year - 1, $0.date.year] } ?? [])
                starts += years.compactMap { rule.firstDay(inYear: $0, start: start) }
                    .map { $0.daysSince1970 * 86_400 + time }
                    .filter { $0 >= first && $0 <= end }
            }
            return starts.filter { $0 <= clock }.max()
        }
    }

    /// The TZID.
    package let name: String
    private let observances: [Observance]

    /// Reads a VTIMEZONE; `nil` if it has no name or defines no distance from UTC.
    package init?(_ component: ICalendarComponent) {
        guard component.name == "VTIMEZONE", let name = component.property("TZID")?.plainText else { return nil }
        observances = component.components.compactMap { part in
            guard ["STANDARD", "DAYLIGHT"].contains(part.name),
                let offset = part.property("TZOFFSETTO").flatMap({ Self.offset($0.value) }),
                let start = part.property("DTSTART").flatMap({ ICalendarTime($0) })
            else { return nil }
            let dates = part.properties("RDATE").flatMap { $0.value.split(separator: ",") }
            return Observance(
                starts: [start.clockSeconds] + dates.compactMap { ICalendarTime($0)?.clockSeconds },
                offsetBefore: part.property("TZOFFSETFROM").flatMap { Self.offset($0.value) } ?? offset,
                offset: offset,
                rule: part.property("RRULE").flatMap { ICalendarRule($0.value) }
            )
        }
        if observances.isEmpty { return nil }
        self.name = name
    }

    /// Returns the distance from UTC in seconds, east positive, at a clock time in seconds since 1970 as if it were in UTC.
    ///
    /// A time that a change skips has the distance before the change (RFC 5545, section 3.3.5).
    package func offset(atClock clock: Int) -> Int {
        let current = observances.compactMap { observance in
            observance.lastStart(before: clock).map { (start: $0, observance: observance) }
        }.max { $0.start < $1.start }
        if let (start, observance) = current {
            let isSkipped = clock - start < observance.offset - observance.offsetBefore
            return isSkipped ? observance.offsetBefore : observance.offset
        }
        let first = observances.min { ($0.starts.first ?? 0) < ($1.starts.first ?? 0) }
        return first?.offsetBefore ?? 0
    }

    /// Parses `+0100` or `-053015`.
    private static func offset(_ text: String) -> Int? {
        let digits = text.dropFirst()
        guard let sign = text.first, "+-".contains(sign), [4, 6].contains(digits.count), digits.allSatisfy(\.isASCII),
            let number = Int(digits)
        else { return nil }
        let whole = digits.count == 4 ? number * 100 : number
        return (whole / 10_000 * 3600 + whole / 100 % 100 * 60 + whole % 100) * (sign == "-" ? -1 : 1)
    }
}
