import TerminalUI

extension GalleryExample {
    /// A calendar with what is due on each day.
    static let calendar = GalleryExample("calendar", "Calendar") {
        let today = CalendarDay(number: 20_779)
        let calendar = CalendarView(selectedDay: today, today: today)
        calendar.weekdayNames = ["월", "화", "수", "목", "금", "토", "일"]
        calendar.monthTitle = { year, month in "\(year)년 \(month)월" }
        calendar.content = { day in
            switch day.parts.day {
            case 3: .init(lines: ["우유 사기"])
            case 12: .init(badge: "·3", lines: ["Call 엄마", "passport", "치과"])
            case 25: .init(lines: ["크리스마스 🎄"])
            default: nil
            }
        }
        return ViewController(filledBy: calendar)
    }
}
