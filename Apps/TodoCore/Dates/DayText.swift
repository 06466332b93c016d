package import AppLanguage

/// Days as people read them: today, tomorrow, Fri, 24 Dec; 오늘, 내일, 금요일, 12월 24일.
package enum DayText {
    private static let weekdays = [
        LocalizedText("Mon", ko: "월요일"), LocalizedText("Tue", ko: "화요일"), LocalizedText("Wed", ko: "수요일"),
        LocalizedText("Thu", ko: "목요일"), LocalizedText("Fri", ko: "금요일"), LocalizedText("Sat", ko: "토요일"),
        LocalizedText("Sun", ko: "일요일"),
    ]

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns a day as people read it.
    ///
    /// The days from yesterday to tomorrow have names, the five days after tomorrow are weekdays, and all others are dates,
    /// with a year if it is not the present one.
    ///
    /// - Parameters:
    ///   - day: the day.
    ///   - time: the time of the day, which follows it.
    ///   - today: the present day.
    /// - Returns: the text in every language.
    package static func text(_ day: Day, _ time: TimeOfDay? = nil, today: Day) -> LocalizedText {
        let name = name(day, today: today)
        guard let time else { return name }
        return LocalizedText("\(name(.english)) \(time)", ko: "\(name(.korean)) \(time)")
    }

    private static func name(_ day: Day, today: Day) -> LocalizedText {
        switch day.number - today.number {
        case 0: return LocalizedText("today", ko: "오늘")
        case 1: return LocalizedText("tomorrow", ko: "내일")
        case -1: return LocalizedText("yesterday", ko: "어제")
        case 2...6: return weekdays[day.weekday]
        default: break
        }
        let (year, month, number) = day.parts
        if year == today.parts.year {
            return LocalizedText("\(number) \(months[month - 1])", ko: "\(month)월 \(number)일")
        }
        return LocalizedText("\(number) \(months[month - 1]) \(year)", ko: "\(year)년 \(month)월 \(number)일")
    }
}
