/// Repetitions as the RRULE of iCalendar (RFC 5545, 3.3.10).
extension Recurrence {
    /// Parses the value of an RRULE; `nil` for one that no ``Recurrence`` represents.
    ///
    /// - Parameters:
    ///   - rule: the value, such as `FREQ=WEEKLY;BYDAY=MO,TH`.
    ///   - start: the day from which it repeats; months without this day are skipped.
    ///   - time: the time of day at which it repeats; `nil` for whole days, for which an UNTIL with a time is its day.
    ///   - zone: the time zone of the days, for an UNTIL in UTC.
    init?(rule: String, start: Day?, time: TimeOfDay? = nil, zone: Zone = .utc) {
        var fields: [String: String] = [:]
        for part in rule.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, fields.updateValue(pair[1].uppercased(), forKey: pair[0].uppercased()) == nil else {
                return nil
            }
        }
        let known: Set<String> = [
            "FREQ", "INTERVAL", "WKST", "BYDAY", "BYMONTH", "BYMONTHDAY", "BYSETPOS", "UNTIL", "COUNT",
        ]
        let units = ["DAILY": DateUnit.day, "WEEKLY": .week, "MONTHLY": .month, "YEARLY": .year]
        guard Set(fields.keys).isSubset(of: known), let unit = units[fields["FREQ"] ?? ""],
            let count = Int(fields["INTERVAL"] ?? "1")
        else { return nil }
        let month = fields["BYMONTH"]
        if let month {
            // The month and the day of the start are those of the rule without them.
            guard unit == .year, let (_, startMonth, day) = start?.parts, month == "\(startMonth)" else { return nil }
            if fields["BYMONTHDAY"] == "\(day)" { fields["BYMONTHDAY"] = nil }
        }
        let days = fields["BYDAY"]?.split(separator: ",")
        let dates = fields["BYMONTHDAY"]?.split(separator: ",").map { Int($0) }
        let place = fields["BYSETPOS"]
        var isSkipping = false
        var result: Recurrence?
        switch (unit, days, dates, place) {
        case (_, nil, nil, nil):
            result = Recurrence(every: count, unit, isStrict: true)
            let (_, month, day) = start?.parts ?? (1, 1, 1)
            isSkipping = unit == .month && day > 28 || unit == .year && month == 2 && day == 29
        case (.week, let days?, nil, nil), (.day, let days?, nil, nil):
            // With another first day of the week, every second week has other days.
            guard count == 1 || unit == .week && fields["WKST"] ?? "MO" == "MO" else { return nil }
            let weekdays = days.map { Self.codes.firstIndex(of: String($0)) }
            guard !weekdays.contains(nil) else { return nil }
            result = Recurrence(every: count, on: .weekdays(weekdays.compactMap(\.self)))
        case (.month, let days?, nil, _) where days.count == 1:
            let ordinal = Int(place ?? String(days[0].dropLast(2)))
            guard let ordinal,
                let weekday = Self.codes.firstIndex(of: String(place == nil ? days[0].suffix(2) : days[0]))
            else { return nil }
            result = Recurrence(every: count, on: .weekday(weekday, ordinal: ordinal))
        case (.month, nil, [-1], nil): result = Recurrence(every: count, on: .lastDay)
        case (.month, nil, let dates?, nil) where dates.count == 1:
            guard let day = dates[0] else { return nil }
            result = Recurrence(every: count, on: .monthDay(day))
            isSkipping = day > 28
        case (.month, nil, let dates?, "-1"):
            // The way of RFC 5545 to say: this day, or the last one of a shorter month.
            guard let last = dates.last ?? nil, last >= 28, dates == Array(28...last) else { return nil }
            result = last == 31 ? Recurrence(every: count, on: .lastDay) : Recurrence(every: count, on: .monthDay(last))
        case (.year, nil, [28, 29], "-1") where month == "2": result = Recurrence(every: count, .year, isStrict: true)
        default: return nil
        }
        guard var result else { return nil }
        result.skipsShortMonths = isSkipping
        if let until = fields["UNTIL"] {
            guard let (day, seconds) = Timestamp.local(until.hasSuffix("Z") ? until.dropLast() : until[...])
            else { return nil }
            result.until = day
            if let time, let seconds {
                // A clock time without a zone is one in UTC for the calculation.
                let zone = until.hasSuffix("Z") ? zone : .utc
                let end = zone.local(Date(timeIntervalSince1970: Double(day.number * 86_400 + seconds)))
                result.until = end.time < time ? end.day.adding(-1).inCalendar : end.day
            }
        }
        if let count = fields["COUNT"] {
            guard let count = Int(count), (1...9_999).contains(count) else { return nil }
            result.remaining = count
        }
        self = result
    }

    /// Returns the value of an RRULE. Other programs count from a due day, never from a completion.
    ///
    /// - Parameters:
    ///   - monthDay: the day of the month on which the todo repeats: that of its due day, or a later one if its month is too
    ///     short.
    ///   - month: the month of the start; only 29 February depends on it.
    ///   - hasTime: whether the start has a time, which UNTIL must then have, too.
    /// - Returns: the value.
    func rule(monthDay: Int?, month: Int? = nil, hasTime: Bool = false) -> String {
        var fields = ["FREQ=" + ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"][DateUnit.allCases.firstIndex(of: unit) ?? 0]]
        if count > 1 { fields.append("INTERVAL=\(count)") }
        /// Adds a day that is the last one of shorter months.
        func add(_ day: Int) {
            if skipsShortMonths || day <= 28 {
                if days != nil { fields.append("BYMONTHDAY=\(day)") }
            } else if day == 31 {
                fields.append("BYMONTHDAY=-1")
            } else {
                fields.append("BYMONTHDAY=\((28...day).map(String.init).joined(separator: ","));BYSETPOS=-1")
            }
        }
        switch days {
        case nil:
            if unit == .month, let monthDay { add(monthDay) }
            if unit == .year, isStrict, !skipsShortMonths, month == 2, monthDay == 29 {
                fields.append("BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1")
            }
        case .weekdays(let weekdays): fields.append("BYDAY=" + weekdays.map { Self.codes[$0] }.joined(separator: ","))
        case .weekday(let weekday, let ordinal): fields.append("BYDAY=\(ordinal)\(Self.codes[weekday])")
        case .monthDay(let day): add(day)
        case .lastDay: fields.append("BYMONTHDAY=-1")
        }
        if let until { fields.append("UNTIL=" + until.description.filter { $0 != "-" } + (hasTime ? "T235959" : "")) }
        if let remaining { fields.append("COUNT=\(remaining)") }
        return fields.joined(separator: ";")
    }

    private static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
}
