/// Dates and times in Korean, without spaces.
enum KoreanDate {
    /// The words of these dates, for suggestions.
    static let words = Array(named.keys) + weekdays.map { "\($0)요일" } + ["월말", "연말", "주말", "내년"]

    private static let named = [
        "오늘": 0, "내일": 1, "모레": 2, "내일모레": 2, "글피": 3, "어제": -1, "그제": -2, "그저께": -2,
    ]

    static let weekdays: [Character] = ["월", "화", "수", "목", "금", "토", "일"]

    /// The months that a word before a day refers to, counted from this month.
    private static let months = [("이번달", 0), ("다음달", 1), ("다다음달", 2)]

    /// The weeks that a word refers to, counted from this week.
    private static let weeks = [("이번주", 0), ("다음주", 1), ("다다음주", 2), ("지난주", -1)]

    /// Returns the day, or `nil` for another text.
    static func day(_ text: String, _ context: DateContext) throws(DateError) -> Day? {
        let (today, allowsPast) = (context.today, context.allowsPast)
        if let distance = named[text] { return today.adding(distance) }
        if let weekday = weekday(text[...]) { return today.next(weekday: weekday) }
        switch text {
        case "주말": return context.day(5)
        case "월말", "이번달말", "말일": return today.endOfMonth
        case "연말", "올해말": return Day(year: today.parts.year, month: 12, day: 31)
        case "다음달": return today.endOfMonth.adding(1)
        case "다음달말": return today.endOfMonth.adding(1).endOfMonth
        case "내년": return Day(year: today.parts.year + 1, month: 1, day: 1)
        default: break
        }
        for (name, count) in weeks where text.hasPrefix(name) {
            let rest = text.dropFirst(name.count)
            if rest.isEmpty { return week(count, context) }
            if rest == "말" || rest == "주말" { return context.day(5, weeks: count) }
            return weekday(rest).map { context.day($0, weeks: count) }
        }
        for (name, count) in months where text.hasPrefix(name) {
            var rest = text.dropFirst(name.count)
            guard let day = take("일", 1...2, &rest), rest.isEmpty else { return nil }
            let month = today.parts.year * 12 + today.parts.month - 1 + count
            return try CalendarDate.make(month / 12, month % 12 + 1, day, text)
        }
        if let day = distance(text, today, allowsPast: allowsPast) { return day }
        return try date(text, today)
    }

    /// Returns the day of a week without a weekday: the first one of a later week. Of this week that is in the past, so that it
    /// is the last one.
    private static func week(_ count: Int, _ context: DateContext) -> Day? {
        count < 0 ? nil : count == 0 ? context.day().adding(6) : context.day(weeks: count)
    }

    /// Parses `금요일` or `금`. `일` is a word of its own: work.
    private static func weekday(_ text: Substring) -> Int? {
        guard let first = text.first, text.dropFirst() == "요일" || text.count == 1 && first != "일" else { return nil }
        return weekdays.firstIndex(of: first)
    }

    private static let wholeDistances: [(name: String, unit: DateUnit, count: Int)] = [
        ("하루", .day, 1), ("이틀", .day, 2), ("사흘", .day, 3), ("나흘", .day, 4), ("닷새", .day, 5), ("열흘", .day, 10),
        ("보름", .day, 15), ("일주일", .week, 1), ("한주", .week, 1), ("두주", .week, 2),
        ("한달", .month, 1), ("두달", .month, 2), ("세달", .month, 3), ("석달", .month, 3), ("반년", .month, 6),
        ("일년", .year, 1),
    ]

    /// The units behind a number; one that ends with another comes before it.
    private static let units: [(name: String, unit: DateUnit)] = [
        ("개월", .month), ("주일", .week), ("일", .day), ("주", .week), ("달", .month), ("년", .year),
    ]

    /// Parses `3일뒤`, `2주후`, `2주일뒤`, `한달뒤` and, if that is allowed, `3일전`.
    private static func distance(_ text: String, _ today: Day, allowsPast: Bool) -> Day? {
        guard let last = text.last, last == "뒤" || last == "후" || last == "전" && allowsPast else { return nil }
        let body = text.dropLast()
        let sign = last == "전" ? -1 : 1
        if let whole = wholeDistances.first(where: { $0.name == body }) {
            return whole.unit.adding(sign * whole.count, to: today)
        }
        for (name, unit) in units where body.hasSuffix(name) {
            guard let count = CalendarDate.number(body.dropLast(name.count), 1...4) else { return nil }
            return unit.adding(sign * count, to: today)
        }
        return nil
    }

    /// Parses `2026년12월24일`, `12월24일` or `24일`.
    private static func date(_ text: String, _ today: Day) throws(DateError) -> Day? {
        var rest = text[...]
        let year = take("년", 4...4, &rest)
        let month = take("월", 1...2, &rest)
        guard let day = take("일", 1...2, &rest), rest.isEmpty else { return nil }
        if let month {
            if let year { return try CalendarDate.make(year, month, day, text) }
            return try CalendarDate.next(month: month, day: day, today, text)
        }
        guard year == nil else { return nil }
        guard (1...31).contains(day) else { throw .impossible(text, reason: "a month has the days 1 to 31") }
        // The next day with this number; at most one month in between is too short.
        let (thisYear, thisMonth, _) = today.parts
        for later in 0...2 {
            let index = thisYear * 12 + thisMonth - 1 + later
            if let found = Day(year: index / 12, month: index % 12 + 1, day: day), found >= today { return found }
        }
        return nil
    }

    /// Parses `정오`, `자정`, `15시`, `15시30분`, `오후3시반`, `새벽2시`, `밤12시`.
    ///
    /// - Returns: the time, and the number of days after the day with which it is written: `오늘밤12시` is the midnight at which
    ///   the next day begins.
    static func time(_ text: String) -> (time: TimeOfDay, days: Int)? {
        if text == "정오" { return TimeOfDay(hour: 12).map { ($0, 0) } }
        if text == "자정" { return (.midnight, 0) }
        var rest = text[...]
        let part = ["오전", "아침", "새벽", "오후", "낮", "저녁", "밤"].first { rest.hasPrefix($0) } ?? ""
        rest = rest.dropFirst(part.count)
        guard let hour = take("시", 1...2, &rest) else { return nil }
        var minute = 0
        if rest == "반" {
            minute = 30
        } else if !rest.isEmpty {
            guard let number = take("분", 1...2, &rest), rest.isEmpty else { return nil }
            minute = number
        }
        guard !part.isEmpty else { return TimeOfDay(hour: hour, minute: minute).map { ($0, 0) } }
        guard (1...12).contains(hour), part != "낮" || !(6...9).contains(hour) else { return nil }
        // The hours from midnight on are still called night.
        let isNextDay = part == "밤" && !(6...11).contains(hour) || part == "저녁" && hour == 12
        let isMorning = ["오전", "아침", "새벽"].contains(part) || part == "낮" && (10...11).contains(hour)
        let shift = isNextDay || isMorning ? 0 : 12
        return TimeOfDay(hour: hour % 12 + shift, minute: minute).map { ($0, isNextDay ? 1 : 0) }
    }

    /// Parses a number that the unit follows.
    private static func take(_ unit: Character, _ digits: ClosedRange<Int>, _ rest: inout Substring) -> Int? {
        guard let end = rest.firstIndex(of: unit), let number = CalendarDate.number(rest[..<end], digits) else {
            return nil
        }
        rest = rest[rest.index(after: end)...]
        return number
    }
}
