import AppLanguage
import AppTestSupport
import Testing

@testable import TodoCore

@Suite("Days as people say them")
struct DayTextTests {
    /// Friday, 20 March 2026.
    private let today = Day.sample

    @Test(
        "The days around today have names, the days after tomorrow are weekdays, all others are dates",
        arguments: [
            (-366, "19 Mar 2025", "2025년 3월 19일"), (-2, "18 Mar", "3월 18일"), (-1, "yesterday", "어제"),
            (0, "today", "오늘"), (1, "tomorrow", "내일"), (2, "Sun", "일요일"), (6, "Thu", "목요일"),
            (7, "27 Mar", "3월 27일"), (287, "1 Jan 2027", "2027년 1월 1일"),
        ]
    )
    func days(distance: Int, english: String, korean: String) {
        let text = DayText.text(today.adding(distance), today: today)
        #expect(text(.english) == english)
        #expect(text(.korean) == korean)
    }

    @Test("A time follows its day")
    func time() {
        let text = DayText.text(today, TimeOfDay(hour: 15), today: today)
        #expect(text(.english) == "today 15:00")
        #expect(text(.korean) == "오늘 15:00")
    }

    @Test("The same day has another name after midnight")
    func midnight() {
        let day = today.adding(1)
        #expect(DayText.text(day, today: today)(.english) == "tomorrow")
        #expect(DayText.text(day, today: day)(.english) == "today")
        #expect(DayText.text(day, today: day.adding(1))(.english) == "yesterday")
    }

    @Test(
        "A repetition and a threshold are words",
        arguments: [
            ("1d", "every day", "매일"), ("2w", "every 2 weeks", "2주마다"),
            ("+1m", "every month after the due day", "마감일 기준 매월"), ("yearly", "every year", "매년"),
            ("mon,thu", "every Mon, Thu", "매주 월, 목"), ("2w:fri", "every 2 weeks on Fri", "2주마다 금"),
            ("1m:2tue", "every month on the 2nd Tue", "매월 둘째 화요일"),
            ("2m:-1fri", "every 2 months on the last Fri", "2개월마다 마지막 금요일"),
            ("1m:15;count=3", "every month on day 15, 3 times", "매월 15일, 3번"),
            ("1m:last;until=2026-12-31", "every month on the last day until 2026-12-31", "매월 말일, 2026-12-31까지"),
            ("1w;until=2026-12-31;count=1", "every week until 2026-12-31, the last time", "매주, 2026-12-31까지, 1번"),
        ]
    )
    func recurrence(form: String, english: String, korean: String) throws {
        let recurrence = try #require(Recurrence(form))
        let text = DayText.text(recurrence)
        #expect(text(.english) == english)
        #expect(text(.korean) == korean)
        for format in DateStyle.Format.allCases {
            var style = DateStyle()
            style.format = format
            let shown = DayText.text(recurrence, style: style)
            for language in AppLanguage.allCases { #expect(Recurrence(shown(language)) == recurrence, "\(shown)") }
        }
        #expect(DayText.hidden(until: today.adding(1), today: today)(.korean) == "내일부터")
    }

    @Test(
        "A line on a terminal has days as people say them and a sign for overdue todos; a line in a pipe has ISO 8601"
    )
    func lines() throws {
        let todo = try Todo(line: "walk due:2026-03-19 rec:1w")
        #expect(TodoLine(isStyled: false, today: today).text(for: todo).hasSuffix("walk due:2026-03-19 rec:1w"))
        let english = TodoLine(isStyled: false, today: today, spoken: .english).text(for: todo)
        #expect(english.hasSuffix("walk ! yesterday every week"))
        #expect(TodoLine(isStyled: false, today: today, spoken: .korean).text(for: todo).hasSuffix("walk ! 어제 매주"))
    }
}
