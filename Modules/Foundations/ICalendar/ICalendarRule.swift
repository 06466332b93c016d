package import CivilDates

/// A rule of repetition (RRULE) of iCalendar: its parts in the order of the text, of which unknown ones are preserved.
package struct ICalendarRule: Hashable, Sendable {
    /// A part, such as `BYDAY=MO,WE`, in upper case.
    package struct Part: Hashable, Sendable {
        package let name: String
        package let values: [String]
    }

    /// A day of the week, 0 for Monday to 6 for Sunday, perhaps the nth of the month or year, counted from the end if negative.
    package struct Weekday: Hashable, Sendable {
        package let ordinal: Int?
        package let day: Int
    }

    /// The parts.
    package let parts: [Part]

    /// Creates a rule.
    package init(_ parts: [(name: String, value: String)]) {
        self.parts = parts.map { Part(name: $0.name, values: [$0.value]) }
    }

    /// Parses a rule; `nil` if a part has no value, or if there is no FREQ.
    package init?(_ text: some StringProtocol) {
        var parts: [Part] = []
        for part in text.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            parts.append(
                Part(name: pair[0].uppercased(), values: pair[1].split(separator: ",").map { $0.uppercased() })
            )
        }
        self.parts = parts
        if frequency == nil { return nil }
    }

    /// The rule as it is written.
    package var value: String { parts.map { "\($0.name)=\($0.values.joined(separator: ","))" }.joined(separator: ";") }

    /// Returns the values of a part, whose name is in upper case.
    package subscript(_ name: String) -> [String]? { parts.first { $0.name == name }?.values }

    /// The unit: `DAILY`, `WEEKLY`, `MONTHLY`, `YEARLY` and others.
    package var frequency: String? { self["FREQ"]?.first }
    /// The number of units between two occurrences; `nil` if it is malformed.
    package var interval: Int? { self["INTERVAL"].map { $0.first.flatMap { Int($0) } } ?? 1 }
    /// The number of occurrences.
    package var count: Int? { self["COUNT"]?.first.flatMap { Int($0) } }
    /// The end of the repetition.
    package var until: ICalendarTime? { self["UNTIL"]?.first.flatMap { ICalendarTime($0) } }
    /// The days of the week; empty without any, or with malformed ones.
    package var weekdays: [Weekday] {
        let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
        let days = (self["BYDAY"] ?? []).map { text -> Weekday? in
            guard let day = names.firstIndex(of: String(text.suffix(2))) else { return nil }
            let ordinal = text.dropLast(2)
            if !ordinal.isEmpty, Int(ordinal) == nil { return nil }
            return Weekday(ordinal: Int(ordinal), day: day)
        }
        return days.contains(nil) ? [] : days.compactMap(\.self)
    }
    /// The months, from 1 to 12; the days of the month, from 1 to 31, counted from the end if negative.
    package var months: [Int] { numbers("BYMONTH") }
    package var monthDays: [Int] { numbers("BYMONTHDAY") }

    private func numbers(_ name: String) -> [Int] { (self[name] ?? []).compactMap { Int($0) } }

    /// Returns the first day in a year that a yearly rule selects by month, weekday and day of the month; `nil` if it selects
    /// none, or by other parts. Parts that select a time of day are those of the DTSTART.
    ///
    /// - Parameters:
    ///   - year: the year.
    ///   - start: the day of the DTSTART, whose month and day a rule repeats that selects neither weekdays nor days.
    /// - Returns: the day.
    package func firstDay(inYear year: Int, start: CivilDate? = nil) -> CivilDate? {
        let known: Set = [
            "FREQ", "INTERVAL", "UNTIL", "BYMONTH", "BYDAY", "BYMONTHDAY", "BYHOUR", "BYMINUTE", "BYSECOND", "WKST",
        ]
        let start = self["BYDAY"] == nil && self["BYMONTHDAY"] == nil ? start : nil
        let months = self["BYMONTH"] == nil ? start.map { [$0.month] } ?? [] : months
        guard frequency == "YEARLY", interval == 1, parts.allSatisfy({ known.contains($0.name) }), months.count == 1
        else { return nil }
        if let start { return CivilDate(year: year, month: months[0], day: start.day) }
        let length = CivilDate.daysInMonth(min(max(months[0], 1), 12), year: year)
        let dates = (1...length).compactMap { CivilDate(year: year, month: months[0], day: $0) }
        return dates.first { date in
            let isMonthDay = monthDays.contains(date.day) || monthDays.contains(date.day - length - 1)
            let isWeekday = weekdays.contains { weekday in
                guard weekday.day == CivilDate.weekday(ofDay: date.daysSince1970) else { return false }
                guard let ordinal = weekday.ordinal else { return true }
                return ordinal == (date.day - 1) / 7 + 1 || ordinal == -((length - date.day) / 7 + 1)
            }
            return (monthDays.isEmpty || isMonthDay) && (weekdays.isEmpty || isWeekday)
                && !(monthDays.isEmpty && weekdays.isEmpty)
        }
    }
}
