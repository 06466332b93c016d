package import AppLanguage

extension DatePhrase {
    /// Returns typical dates that begin with a text, as they are typed.
    ///
    /// - Parameters:
    ///   - text: the beginning, which may be empty. A number is the beginning of a distance.
    ///   - today: the day that they count from.
    ///   - firstWeekday: the day with which weeks begin, 0 for Monday to 6 for Sunday.
    ///   - language: the language whose dates come first. Those of the other one follow if the text is their beginning.
    /// - Returns: the dates with their days; the text itself is not one of them.
    package static func suggestions(
        for text: String,
        today: Day,
        firstWeekday: Int = 0,
        language: AppLanguage
    ) -> [(text: String, day: Day)] {
        let start = text.lowercased()
        let others = AppLanguage.allCases.filter { $0 != language && !start.isEmpty }
        let dates = ([language] + others).flatMap { typical($0, start, today) }
        return dates.compactMap { date in
            guard date.hasPrefix(start), date != start else { return nil }
            let phrase = try? DatePhrase(parsing: date, today: today, firstWeekday: firstWeekday)
            return phrase.map { (date, $0.day) }
        }
    }

    private static func typical(_ language: AppLanguage, _ start: String, _ today: Day) -> [String] {
        if start.first?.isNumber == true {
            let number = start.prefix { $0.isNumber }
            let units = language == .korean ? ["일 뒤", "주 뒤", "개월 뒤"] : ["d", "w", "m"]
            return units.map { number + $0 }
        }
        // The days after those with names, up to a week from today.
        func weekdays(_ names: [String], from first: Int) -> [String] {
            (first...7).map { names[today.adding($0).weekday] }
        }
        switch language {
        case .english:
            return ["today", "tomorrow"] + weekdays(EnglishDate.weekdays, from: 2) + ["next week", "eow", "eom"]
        case .korean:
            return ["오늘", "내일", "모레"] + weekdays(KoreanDate.weekdays.map { "\($0)요일" }, from: 3)
                + ["다음 주", "주말", "월말"]
        }
    }
}
