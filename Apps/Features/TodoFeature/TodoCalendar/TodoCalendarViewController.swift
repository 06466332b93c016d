import AppLanguage
import AppUI
import NeedleKit
import RIBs
import TerminalUI
import TodoCore

/// A month with the number of todos that are due on each day, and the todos of the selected day below it.
@MainActor
final class TodoCalendarViewController: ViewController, TodoCalendarPresentable, ViewControllable, KeyHinting,
    TodoSheetContent
{
    weak var listener: (any TodoCalendarPresentableListener)?

    /// The rows from which on the calendar has the same height for every month.
    private static let roomyRows = 14

    let sheetSize = GridSize(width: 65, height: 24)

    private let language: AppLanguage
    private let calendar: CalendarView
    private let list: DueList
    private let keyMap: KeyMap
    private var model: TodoCalendarModel?
    /// The height of the calendar, and the rows between it and the list.
    private var arranged: (height: Int, gap: Int)?

    init(appearance: Appearance, keyMap: KeyMap) {
        language = appearance.language
        self.keyMap = keyMap
        calendar = CalendarView(selectedDay: CalendarDay(number: 0))
        list = DueList(language: language)
        super.init()
        title = TodoCalendarText.title(language)
    }

    var keyHints: [KeyHint] { keyMap.hints(TodoCalendarAction.self) }

    override func viewDidLoad() {
        super.viewDidLoad()
        for child in [calendar, list] as [View] { view.addSubview(child) }
        arrange()
        let language = language
        calendar.weekdayNames = DayText.shortWeekdays.map { $0(language) }
        calendar.monthTitle = { year, month in
            Day(year: year, month: month, day: 1).map { DayText.month($0)(language) } ?? ""
        }
        calendar.onSelect = { [weak self] in self?.listener?.didSelect(Day(number: $0.number)) }
        calendar.onActivate = { [weak self] in self?.listener?.didChoose(Day(number: $0.number)) }
        calendar.onKey = { [weak self] in self?.handle($0) ?? false }
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        calendar.becomeFirstResponder()
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        arrange()
    }

    /// Where the rows are few, the calendar has those of the weeks alone, so that a row is left for the list if possible.
    private func arrange() {
        let isRoomy = view.bounds.height >= Self.roomyRows
        let weeks = isRoomy ? 6 : model?.weeks ?? 6
        let wanted = (height: 2 + weeks, gap: isRoomy ? 1 : 0)
        if let arranged, arranged == wanted { return }
        arranged = wanted
        calendar.ndl.remakeConstraints { make in
            make.top.equalTo(view)
            make.left.equalTo(view)
            make.right.equalTo(view)
            make.height.lessThanOrEqualTo(view)
            make.height.equalTo(Double(wanted.height)).priority(900)
        }
        list.ndl.remakeConstraints { make in
            make.top.equalTo(calendar.ndl.bottom).offset(Double(wanted.gap))
            make.left.equalTo(view).offset(1)
            make.right.equalTo(view).offset(-1)
            make.bottom.equalTo(view).priority(950)
        }
    }

    // The sheet would close by Escape, also where another key closes the calendar.
    override func keyDown(_ key: Key) -> Bool { handle(key) || key == Key(.escape) }

    /// Performs the action of a key, or moves by a letter; returns false for a key without an action.
    func handle(_ key: Key) -> Bool {
        guard let model else { return false }
        switch keyMap.action(key, of: TodoCalendarAction.self) {
        case .list: listener?.didChoose(model.selected)
        case .before: listener?.didSelect(model.selected.adding(months: -1))
        case .after: listener?.didSelect(model.selected.adding(months: 1))
        case .today: listener?.didSelect(model.today)
        case .close: listener?.didChooseClose()
        case nil: return MovementKeys.letters[key].map(calendar.keyDown) ?? false
        }
        return true
    }

    func userDidClose() { listener?.didChooseClose() }

    func show(_ model: TodoCalendarModel) {
        self.model = model
        let (language, styles) = (language, TodoStyles(theme: view.theme))
        calendar.firstWeekday = model.dates.firstWeekday.number
        calendar.today = CalendarDay(number: model.today.number)
        calendar.selectedDay = CalendarDay(number: model.selected.number)
        calendar.dayName = { DayText.text(Day(number: $0.number), today: model.today, style: model.dates)(language) }
        calendar.content = { day in
            guard let count = model.counts[Day(number: day.number)], count > 0 else { return nil }
            let isOverdue = day.number < model.today.number
            return CalendarView.DayContent(
                badge: (isOverdue ? TodoStyles.overdueSign : "·") + (count > 9 ? "+" : "\(count)"),
                badgeStyle: isOverdue ? styles.overdue : styles.project,
                accessibilityLabel: (isOverdue ? TodoStyles.overdueSign + " " : "") + "\(count)"
            )
        }
        list.show(model)
        arrange()
    }
}

/// The selected day and the todos that are due on it. If they do not fit, the last row has the number of the others; a
/// single row has the day and the first todos.
@MainActor
private final class DueList: View {
    private let language: AppLanguage
    private var model: TodoCalendarModel?

    init(language: AppLanguage) {
        self.language = language
        super.init()
    }

    func show(_ model: TodoCalendarModel) {
        self.model = model
        setNeedsDisplay()
    }

    private var heading: String {
        model.map { DayText.text($0.selected, today: $0.today, style: $0.dates)(language) } ?? ""
    }

    /// The todos of the selected day, which the calendar names.
    override var plainText: [String] {
        guard let model else { return [] }
        return model.due.isEmpty ? [TodoCalendarText.nothing(language)] : model.due.map { "[ ] \($0.title)" }
    }

    override func draw(in canvas: Canvas) {
        guard let model else { return }
        guard bounds.height > 1 else {
            let due =
                model.due.isEmpty ? TodoCalendarText.nothing(language) : model.due.map(\.title).joined(separator: ", ")
            canvas.text(TextLayout.truncate("\(heading): \(due)", to: bounds.width), x: 0, y: 0, style: theme.title)
            return
        }
        canvas.text(heading, x: 0, y: 0, style: theme.title)
        let rows = bounds.height - 1
        for (index, todo) in model.due.prefix(max(0, rows)).enumerated() {
            let isLast = index == rows - 1 && model.due.count > rows
            let text = isLast ? TodoCalendarText.more(model.due.count - index)(language) : "[ ] \(todo.title)"
            canvas.text(TextLayout.truncate(text, to: bounds.width), x: 0, y: 1 + index)
        }
        if model.due.isEmpty { canvas.text(TodoCalendarText.nothing(language), x: 0, y: 1, style: theme.secondary) }
    }
}

/// The texts of the calendar.
enum TodoCalendarText {
    static let title = LocalizedText("Calendar", ko: "달력")
    static let screen = LocalizedText("the calendar", ko: "달력")
    static let list = LocalizedText("list the day", ko: "이 날의 할 일")
    static let before = LocalizedText("month before", ko: "이전 달")
    static let after = LocalizedText("month after", ko: "다음 달")
    static let today = LocalizedText("today", ko: "오늘")
    static let nothing = LocalizedText("Nothing is due.", ko: "마감인 일이 없습니다.")

    static func more(_ count: Int) -> LocalizedText { LocalizedText("and \(count) more", ko: "외 \(count)개") }
}
