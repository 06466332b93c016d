package import AppLanguage

/// Days as people read them: today, tomorrow, Fri, 24 Dec; 오늘, 내일, 금요일, 12월 24일.
package enum DayText {
    private static let weekdays = [
        LocalizedText("Mon", ko: "월요일"), LocalizedText("Tue", ko: "화요일"), LocalizedText("Wed", ko: "수요일"),
        LocalizedText("Thu", ko: "목요일"), LocalizedText("Fri", ko: "금요일"), LocalizedText("Sat", ko: "토요일"),
        LocalizedText("Sun", ko: "일요일"),
    ]

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static let fullMonths = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Returns a day as people read it.
    ///
    /// The days from yesterday to tomorrow have names, the five days after tomorrow are weekdays, and all others are dates,
    /// with a year if it is not the present one.
    package static func text(
        _ day: Day,
        _ time: TimeOfDay? = nil,
        today: Day,
        style: DateStyle = DateStyle()
    ) -> LocalizedText {
        let name = name(day, today: today, style)
        guard let time else { return name }
        return LocalizedText("\(name(.english)) \(time)", ko: "\(name(.korean)) \(time)")
    }

    /// Returns the day and the time of a moment, where the user is.
    package static func text(_ date: Date, today: Day, style: DateStyle = DateStyle()) -> LocalizedText {
        let (day, time) = Zone.system.local(date)
        return text(day, time, today: today, style: style)
    }

    /// Returns a time in seconds as hours and minutes: `1 h 20 min`, `1시간 20분`.
    package static func duration(_ seconds: Double) -> LocalizedText {
        let minutes = Int(min(max(0, seconds), 1e12) / 60)
        return LocalizedText("\(minutes / 60) h \(minutes % 60) min", ko: "\(minutes / 60)시간 \(minutes % 60)분")
    }

    /// Returns a date with its weekday, whatever the present day is: `Fri 27 Mar`, `3월 27일 금요일`.
    package static func exact(_ day: Day, today: Day, style: DateStyle) -> LocalizedText {
        let (date, weekday) = (date(day, today: today, style), weekdays[day.weekday])
        return LocalizedText("\(weekday(.english)) \(date(.english))", ko: "\(date(.korean)) \(weekday(.korean))")
    }

    /// Returns a day and its time in fewer columns: `15:00` for today, `Thu 10:30`, `목 10:30`. Without a time, and on other
    /// days, it is the ``text(_:_:today:style:)`` of the day alone.
    package static func brief(_ day: Day, _ time: TimeOfDay?, today: Day, style: DateStyle) -> LocalizedText {
        guard let time, (0...6).contains(day.number - today.number) else {
            return text(day, today: today, style: style)
        }
        if day == today { return LocalizedText(verbatim: "\(time)") }
        return LocalizedText(
            "\(weekdays[day.weekday](.english)) \(time)",
            ko: "\(shortWeekdays[day.weekday](.korean)) \(time)"
        )
    }

    /// Returns a day in about five columns, for a narrow list: `15:00` for today, `Thu`, `03-09`, `09.03.`, `03/09`, and the
    /// year alone for a day of another year.
    package static func short(_ day: Day, _ time: TimeOfDay?, today: Day, style: DateStyle) -> LocalizedText {
        switch day.number - today.number {
        case 0: return time.map { LocalizedText(verbatim: "\($0)") } ?? text(day, today: today, style: style)
        case 1...6: return LocalizedText(weekdays[day.weekday](.english), ko: shortWeekdays[day.weekday](.korean))
        default: break
        }
        let year = day.parts.year
        guard year == today.parts.year else { return LocalizedText(verbatim: "\(year)") }
        return switch style.format {
        case .words, .iso: LocalizedText(verbatim: String("\(day)".dropFirst(5)))
        case .dmy, .mdy:
            LocalizedText(verbatim: String(digits(day, style: style).dropLast(style.format == .dmy ? 4 : 5)))
        }
    }

    /// Returns a date in digits: `2026-03-09`, `09.03.2026`, `03/09/2026`.
    package static func digits(_ day: Day, style: DateStyle) -> String {
        // The parts of ISO 8601 have leading zeros.
        let parts = "\(day)".split(separator: "-")
        guard parts.count == 3 else { return "\(day)" }
        return switch style.format {
        case .words, .iso: "\(day)"
        case .dmy: "\(parts[2]).\(parts[1]).\(parts[0])"
        case .mdy: "\(parts[1])/\(parts[2])/\(parts[0])"
        }
    }

    /// Returns the name of a month with its year: `March 2026`, `2026년 3월`.
    package static func month(_ day: Day) -> LocalizedText {
        let (year, month, _) = day.parts
        return LocalizedText("\(fullMonths[month - 1]) \(year)", ko: "\(year)년 \(month)월")
    }

    /// The weekdays in two columns, from Monday on.
    package static let shortWeekdays = [
        LocalizedText("Mo", ko: "월"), LocalizedText("Tu", ko: "화"), LocalizedText("We", ko: "수"),
        LocalizedText("Th", ko: "목"), LocalizedText("Fr", ko: "금"), LocalizedText("Sa", ko: "토"),
        LocalizedText("Su", ko: "일"),
    ]

    /// Returns the day until which a todo is hidden: `from Fri`, `금요일부터`.
    package static func hidden(until day: Day, today: Day, style: DateStyle = DateStyle()) -> LocalizedText {
        let name = text(day, today: today, style: style)
        return LocalizedText("from \(name(.english))", ko: "\(name(.korean))부터")
    }

    /// Returns a repetition in words, which ``Recurrence`` parses: `every 2 weeks`, `2주마다`; `every Mon, Thu until 2026-12-31`.
    package static func text(_ recurrence: Recurrence, style: DateStyle = DateStyle()) -> LocalizedText {
        let (one, several, koreanOne, koreanSeveral) =
            switch recurrence.unit {
            case .day: ("day", "days", "매일", "일마다")
            case .week: ("week", "weeks", "매주", "주마다")
            case .month: ("month", "months", "매월", "개월마다")
            case .year: ("year", "years", "매년", "년마다")
            }
        let count = recurrence.count
        var english = count == 1 ? "every \(one)" : "every \(count) \(several)"
        var korean = count == 1 ? koreanOne : "\(count)\(koreanSeveral)"
        switch recurrence.days {
        case .weekdays(let days):
            let names = days.map { weekdays[$0](.english) }.joined(separator: ", ")
            english = count == 1 ? "every \(names)" : "\(english) on \(names)"
            korean += " " + days.map { shortWeekdays[$0](.korean) }.joined(separator: ", ")
        case .weekday(let day, let ordinal):
            let (which, koreanWhich) = ordinal < 0 ? ("last", "마지막") : ordinals[ordinal - 1]
            english += " on the \(which) \(weekdays[day](.english))"
            korean += " \(koreanWhich) \(weekdays[day](.korean))"
        case .monthDay(let day):
            english += " on day \(day)"
            korean += " \(day)일"
        case .lastDay:
            english += " on the last day"
            korean += " 말일"
        case nil where recurrence.isStrict:
            english += " after the due day"
            korean = "마감일 기준 \(korean)"
        case nil: break
        }
        if let until = recurrence.until {
            let day = digits(until, style: style)
            english += " until \(day)"
            korean += ", \(day)까지"
        }
        if let remaining = recurrence.remaining {
            english += remaining == 1 ? ", the last time" : ", \(remaining) times"
            korean += ", \(remaining)번"
        }
        return LocalizedText(english, ko: korean)
    }

    private static let ordinals = [
        ("1st", "첫째"), ("2nd", "둘째"), ("3rd", "셋째"), ("4th", "넷째"), ("5th", "다섯째"),
    ]

    private static func name(_ day: Day, today: Day, _ style: DateStyle) -> LocalizedText {
        switch day.number - today.number {
        case 0: return LocalizedText("today", ko: "오늘")
        case 1: return LocalizedText("tomorrow", ko: "내일")
        case -1: return LocalizedText("yesterday", ko: "어제")
        case 2...6: return weekdays[day.weekday]
        default: return date(day, today: today, style)
        }
    }

    /// Returns a date, with its year if it is not the present one.
    private static func date(_ day: Day, today: Day, _ style: DateStyle) -> LocalizedText {
        guard style.format == .words else { return LocalizedText(verbatim: digits(day, style: style)) }
        let (year, month, number) = day.parts
        if year == today.parts.year {
            return LocalizedText("\(number) \(months[month - 1])", ko: "\(month)월 \(number)일")
        }
        return LocalizedText("\(number) \(months[month - 1]) \(year)", ko: "\(year)년 \(month)월 \(number)일")
    }
}
