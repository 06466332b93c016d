package import CivilDates

/// A DATE or a DATE-TIME of iCalendar: a day, or a time in UTC, in a named zone, or in that of the reader.
package struct ICalendarTime: Hashable, Sendable {
    /// What a clock time refers to.
    package enum Zone: Hashable, Sendable {
        /// The same clock time everywhere.
        case floating
        case utc
        /// The zone of a VTIMEZONE or of the zoneinfo database.
        case named(String)
    }

    /// The day.
    package let date: CivilDate
    /// The seconds since midnight; `nil` for a DATE.
    package let seconds: Int?
    /// The zone; a DATE is floating.
    package let zone: Zone

    /// Creates a value.
    package init(_ date: CivilDate, seconds: Int? = nil, zone: Zone = .floating) {
        (self.date, self.seconds, self.zone) = (date, seconds, seconds == nil ? .floating : zone)
    }

    /// Parses the value of a property, such as DUE, with its TZID; `nil` for any other text.
    package init?(_ property: ICalendarProperty) { self.init(property.value, zoneName: property["TZID"]) }

    /// Parses `20260309`, `20260309T150000` or `20260309T150000Z`; `nil` for any other text. A leap second is the second
    /// before it.
    package init?(_ text: some StringProtocol, zoneName: String? = nil) {
        let isUTC = text.hasSuffix("Z")
        let bytes = Array(isUTC ? text.utf8.dropLast() : text.utf8[...])
        func number(_ range: Range<Int>) -> Int? {
            range.reduce(0) { value, index in
                guard let value, (0x30...0x39).contains(bytes[index]) else { return nil }
                return value * 10 + Int(bytes[index] - 0x30)
            }
        }
        guard bytes.count == 8 && !isUTC || bytes.count == 15 && bytes[8] == UInt8(ascii: "T"),
            let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        guard bytes.count == 15 else {
            self.init(date)
            return
        }
        guard let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        let zone: Zone = isUTC ? .utc : zoneName.map { .named($0) } ?? .floating
        self.init(date, seconds: hour * 3600 + minute * 60 + min(second, 59), zone: zone)
    }

    /// Creates the time in UTC of a number of seconds since 1970.
    package init(secondsSince1970 seconds: Int) {
        let day = CivilDate.day(ofSecond: seconds)
        self.init(CivilDate(daysSince1970: day), seconds: seconds - day * 86_400, zone: .utc)
    }

    /// The clock time in seconds since 1970 as if it were in UTC; a day begins at midnight.
    package var clockSeconds: Int { date.daysSince1970 * 86_400 + (seconds ?? 0) }

    /// Returns the same clock time on another day.
    package func adding(days: Int) -> ICalendarTime {
        ICalendarTime(CivilDate(daysSince1970: date.daysSince1970 + days), seconds: seconds, zone: zone)
    }

    /// The value as it is written.
    package var value: String {
        func padded(_ number: Int) -> String { CivilDate.padded(number, to: 2) }
        let day = CivilDate.padded(date.year, to: 4) + padded(date.month) + padded(date.day)
        guard let seconds else { return day }
        return day + "T" + padded(seconds / 3600) + padded(seconds / 60 % 60) + padded(seconds % 60)
            + (zone == .utc ? "Z" : "")
    }

    /// Returns the property of this value.
    package func property(_ name: String) -> ICalendarProperty {
        var parameters: [(name: String, value: String)] = []
        if seconds == nil { parameters = [("VALUE", "DATE")] }
        if case .named(let zone) = zone { parameters = [("TZID", zone)] }
        return ICalendarProperty(name, parameters, value: value)
    }
}

/// A DURATION of iCalendar, such as `-PT15M`. Days and weeks are nominal: they preserve the clock time when clocks change.
package struct ICalendarDuration: Hashable, Sendable {
    /// The days and weeks, in days; negative if the duration is.
    package let days: Int
    /// The hours, minutes and seconds, in seconds; negative if the duration is.
    package let seconds: Int

    /// Creates a duration whose parts are both not negative or both not positive.
    package init(days: Int = 0, seconds: Int = 0) { (self.days, self.seconds) = (days, seconds) }

    /// Parses a duration; `nil` for any other text, and for numbers of more than nine digits.
    package init?(_ text: some StringProtocol) {
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
        var (days, seconds, isTime) = (0, 0, false)
        while let first = rest.first {
            if first == UInt8(ascii: "T"), !isTime {
                isTime = true
                rest.removeFirst()
                guard !rest.isEmpty else { return nil }
                continue
            }
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest[digits.endIndex...]
            guard (1...9).contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self)),
                let unit = rest.popFirst()
            else { return nil }
            switch (unit, isTime) {
            case (UInt8(ascii: "W"), false): days += number * 7
            case (UInt8(ascii: "D"), false): days += number
            case (UInt8(ascii: "H"), true): seconds += number * 3600
            case (UInt8(ascii: "M"), true): seconds += number * 60
            case (UInt8(ascii: "S"), true): seconds += number
            default: return nil
            }
        }
        self.init(days: isNegative ? -days : days, seconds: isNegative ? -seconds : seconds)
    }

    /// The value as it is written.
    package var value: String {
        let (days, seconds) = (abs(self.days), abs(self.seconds))
        let parts = [(seconds / 3600, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")].filter { $0.0 > 0 }
        let time = parts.isEmpty && days > 0 ? "" : "T" + (parts.isEmpty ? "0S" : parts.map { "\($0)\($1)" }.joined())
        return (self.days < 0 || self.seconds < 0 ? "-P" : "P") + (days > 0 ? "\(days)D" : "") + time
    }
}
