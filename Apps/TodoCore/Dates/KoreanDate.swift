/// Dates and times in Korean, without spaces.
enum KoreanDate {
    /// The words of these dates, for suggestions.
    static let words = Array(named.keys) + weekdays.map { "\($0)요일" } + ["월말", "연말", "주말", "내년"]

    private static let named = ["오늘": 0, "내일": 1, "모레": 2, "내일모레": 2, "글피": 3, "어제": -1, "그제": -2, "그저께": -2]

    static let weekdays: [Character] = ["월", "화", "수", "목", "금", "토", "일"]

    /// The months that a word before a day refers to, counted from this month.
    private static let months = [("이번달", 0), ("다음달", 1), ("다다음달", 2)]

    /// The weeks that a word refers to, counted from this week.
    private static let namedWeeks: [(name: String, count: Int)] = [
        ("이번주", 0), ("다음주", 1), ("다다음주", 2), ("지난주", -1),
    ]

    /// Returns the day, or `nil` for another text.
    static func day(_ text: String, _ context: DateContext) throws(DateError) -> Day? {
        let (today, allowsPast) = (context.today, context.allowsPast)
        if let distance = named[text] { return today.adding(distance) }
        if let weekday = weekday(text[...]) { return today.next(weekday: weekday) }
        switch text {
        case "주말": return weekend(0, today)
        case "월말", "말일": return today.endOfMonth
        case "연말", "올해말": return Day(year: today.parts.year, month: 12, day: 31)
        case "내년": return Day(year: today.parts.year + 1, month: 1, day: 1)
        default: break
        }
        for (name, count) in namedWeeks where text.hasPrefix(name) {
            let rest = text.dropFirst(name.count)
            if rest.isEmpty { return week(count, context) }
            if rest == "말" || rest == "주말" { return weekend(count, today) }
            return weekday(rest).map { context.day($0, weeks: count) }
        }
        for (name, count) in months where text.hasPrefix(name) {
            var rest = text.dropFirst(name.count)
            let index = today.parts.year * 12 + today.parts.month - 1 + count
            let (year, month) = (index / 12, index % 12 + 1)
            if rest == "말" || rest == "말일" { return try CalendarDate.make(year, month, 1, text).endOfMonth }
            if rest.isEmpty, count > 0 { return try CalendarDate.make(year, month, 1, text) }
            guard let day = take("일", 1...2, &rest), rest.isEmpty else { return nil }
            return try CalendarDate.make(year, month, day, text)
        }
        if let (unit, count) = distance(text, allowsPast: allowsPast) { return unit.adding(count, to: today) }
        return try date(text, today)
    }

    /// Returns the day of a week without a weekday: the first one of a later week. Of this week that is in the past, so that it
    /// is the last one.
    private static func week(_ count: Int, _ context: DateContext) -> Day? {
        count < 0 ? nil : count == 0 ? context.day().adding(6) : context.day(weeks: count)
    }

    /// Returns the Saturday of a weekend, or today if that is its Sunday.
    private static func weekend(_ count: Int, _ today: Day) -> Day {
        let saturday = today.adding(today.weekday == 6 ? -1 : 5 - today.weekday)
        return count == 0 ? max(saturday, today) : saturday.adding(7 * count)
    }

    /// Returns the number of weeks after this one to which `다음주` or `2주뒤` refer.
    static func weeks(_ text: String) -> Int? {
        if let week = namedWeeks.first(where: { $0.name == text }) { return week.count }
        return distance(text, allowsPast: false).flatMap { $0.unit == .week ? $0.count : nil }
    }

    /// Parses `금요일` or `금`. `일` is a word of its own: work.
    static func weekday(_ text: Substring) -> Int? {
        guard let first = text.first, text.dropFirst() == "요일" || text.count == 1 && first != "일" else { return nil }
        return weekdays.firstIndex(of: first)
    }

    private static let wholeDistances: [(name: String, unit: DateUnit, count: Int)] = [
        ("하루", .day, 1), ("이틀", .day, 2), ("사흘", .day, 3), ("나흘", .day, 4), ("닷새", .day, 5), ("열흘", .day, 10),
        ("보름", .day, 15), ("일주일", .week, 1), ("한주", .week, 1), ("두주", .week, 2), ("한달", .month, 1),
        ("두달", .month, 2), ("세달", .month, 3), ("석달", .month, 3), ("반년", .month, 6), ("일년", .year, 1),
    ]

    /// The units behind a number; one that ends with another comes before it.
    static let units: [(name: String, unit: DateUnit)] = [
        ("개월", .month), ("주일", .week), ("일", .day), ("주", .week), ("달", .month), ("년", .year),
    ]

    /// Parses `3일뒤`, `2주후에`, `2주일뒤`, `한달뒤` and, if that is allowed, `3일전`.
    private static func distance(_ text: String, allowsPast: Bool) -> (unit: DateUnit, count: Int)? {
        var body = text.hasSuffix("에") ? text.dropLast() : text[...]
        guard let last = body.popLast(), last == "뒤" || last == "후" || last == "전" && allowsPast else { return nil }
        let sign = last == "전" ? -1 : 1
        if let whole = wholeDistances.first(where: { $0.name == body }) { return (whole.unit, sign * whole.count) }
        for (name, unit) in units where body.hasSuffix(name) {
            return CalendarDate.number(body.dropLast(name.count), 1...4).map { (unit, sign * $0) }
        }
        return nil
    }

    /// Parses `2026년12월24일`, `내년12월24일`, `12월24일` or `24일`.
    private static func date(_ text: String, _ today: Day) throws(DateError) -> Day? {
        var rest = text[...]
        var year = take("년", 4...4, &rest)
        for (name, distance) in [("올해", 0), ("내년", 1)] where rest.hasPrefix(name) {
            year = today.parts.year + distance
            rest = rest.dropFirst(name.count)
        }
        let month = take("월", 1...2, &rest)
        guard let day = take("일", 1...2, &rest), rest.isEmpty else { return nil }
        if let month {
            if let year { return try CalendarDate.make(year, month, day, text) }
            return try CalendarDate.next(month: month, day: day, today, text)
        }
        guard year == nil else { return nil }
        return try CalendarDate.next(day: day, today, text)
    }

    /// The parts of the day with their hours.
    private static let parts: [(name: String, hours: [ClosedRange<Int>])] = [
        ("오전", [0...12]), ("아침", [4...11]), ("새벽", [1...7, 12...12]), ("오후", [1...23]), ("낮", [1...5, 10...17]),
        ("점심", [1...2, 11...14]),
        ("저녁", [4...12, 16...23]), ("밤", [1...4, 6...12, 18...23]),
    ]

    /// Parses `정오`, `자정`, `15시`, `15시30분`, `오후3시반`, `새벽2시`, `밤12시`.
    ///
    /// - Returns: the time, and the number of days after the day with which it is written: `오늘밤12시` is the midnight at which
    ///   the next day begins. The time is `nil` for one that does not exist, such as `25시` or `저녁1시`; the result is `nil` for
    ///   another text.
    static func time(_ text: String) -> (time: TimeOfDay?, days: Int)? {
        if text == "정오" { return (TimeOfDay(hour: 12), 0) }
        if text == "자정" { return (.midnight, 0) }
        var rest = text[...]
        let found = parts.first { rest.hasPrefix($0.name) }
        let part = found?.name ?? ""
        rest = rest.dropFirst(part.count)
        guard let hour = take("시", 1...2, &rest) else { return nil }
        var minute = 0
        if rest == "반" {
            minute = 30
        } else if !rest.isEmpty {
            guard let number = take("분", 1...2, &rest), rest.isEmpty else { return nil }
            minute = number
        }
        guard let found else {
            return hour == 24 && minute == 0 ? (.midnight, 1) : (TimeOfDay(hour: hour, minute: minute), 0)
        }
        guard found.hours.contains(where: { $0.contains(hour) }) else { return (nil, 0) }
        if hour > 12 { return (TimeOfDay(hour: hour, minute: minute), 0) }
        // The hours from midnight on are still called night.
        let isNextDay = part == "밤" && !(6...11).contains(hour) || part == "저녁" && hour == 12
        let isMorning = ["오전", "아침", "새벽"].contains(part) || ["낮", "점심"].contains(part) && (10...11).contains(hour)
        let shift = isNextDay || isMorning ? 0 : 12
        return (TimeOfDay(hour: hour % 12 + shift, minute: minute), isNextDay ? 1 : 0)
    }

    /// Parses a number that the unit follows.
    private static func take(_ unit: Character, _ digits: ClosedRange<Int>, _ rest: inout Substring) -> Int? {
        guard let end = rest.firstIndex(of: unit), let number = CalendarDate.number(rest[..<end], digits)
        else { return nil }
        rest = rest[rest.index(after: end)...]
        return number
    }
}
