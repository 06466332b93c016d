import AppLanguage
import AppUI
import NeedleKit
import RIBs
import TerminalUI
import TodoCore

/// A month with the number of todos that are due on each day, and the todos of the selected day below it.
@MainActor
final class TodoCalendarViewController: ViewController, TodoCalendarPresentable, ViewControllable, KeyHinting {
    weak var listener: (any TodoCalendarPresentableListener)?

    private let language: AppLanguage
    private let month: TodoMonthView
    private let pane: Pane
    private let keyMap: KeyMap

    init(appearance: Appearance, keyMap: KeyMap) {
        language = appearance.language
        self.keyMap = keyMap
        month = TodoMonthView(language: appearance.language)
        pane = Pane(month)
        super.init()
        title = TodoCalendarText.title(language)
    }

    var keyHints: [KeyHint] { keyMap.hints(TodoCalendarAction.self) }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(pane)
        pane.ndl.makeConstraints { make in
            make.center.equalTo(view)
            make.width.lessThanOrEqualTo(view)
            make.width.equalTo(44).priority(700)
            make.height.lessThanOrEqualTo(view)
            make.height.equalTo(view).offset(-2).priority(600)
            make.height.lessThanOrEqualTo(24)
        }
        month.onSelect = { [weak self] in self?.listener?.didSelect($0) }
        month.onChoose = { [weak self] in self?.listener?.didChoose($0) }
        month.onKey = { [weak self] in self?.handle($0) ?? false }
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        month.becomeFirstResponder()
    }

    override func keyDown(_ key: Key) -> Bool {
        _ = handle(key)
        // The keys of the screen below do not apply.
        return true
    }

    /// Performs the action of a key; returns false for a key without one.
    func handle(_ key: Key) -> Bool {
        guard let model = month.model, let action = keyMap.action(key, of: TodoCalendarAction.self) else {
            return false
        }
        switch action {
        case .list: listener?.didChoose(model.selected)
        case .before: listener?.didSelect(model.selected.adding(months: -1))
        case .after: listener?.didSelect(model.selected.adding(months: 1))
        case .today: listener?.didSelect(model.today)
        case .close: listener?.didChooseClose()
        }
        return true
    }

    func show(_ model: TodoCalendarModel) {
        pane.title = DayText.month(model.selected)(language)
        month.model = model
    }
}

/// The days of a month, and the todos of the selected day.
@MainActor
final class TodoMonthView: Control {
    /// Called when another day is selected.
    var onSelect: ((Day) -> Void)?
    /// Called when the todos of a day are to be listed.
    var onChoose: ((Day) -> Void)?
    /// Called with each key before the view uses it. Returns whether the key was handled.
    var onKey: ((Key) -> Bool)?
    /// The values.
    var model: TodoCalendarModel? { didSet { setNeedsDisplay() } }

    private let language: AppLanguage

    init(language: AppLanguage) {
        self.language = language
        super.init()
        layoutNode.verticalHugging = .low
    }

    /// The columns of a day: its number and the number of its todos.
    private var cellWidth: Int { max(3, min(6, bounds.width / 7)) }

    override func didMoveToWindow() { background = theme.panel }
    override func traitsDidChange() { background = theme.panel }

    override func keyDown(_ key: Key) -> Bool {
        if onKey?(key) == true { return true }
        guard let model else { return false }
        let day = model.selected
        switch key {
        case Key(.left), .character("h"): onSelect?(day.adding(-1))
        case Key(.right), .character("l"): onSelect?(day.adding(1))
        case Key(.up), .character("k"): onSelect?(day.adding(-7))
        case Key(.down), .character("j"): onSelect?(day.adding(7))
        case Key(.home): onSelect?(day.adding(1 - day.parts.day))
        case Key(.end): onSelect?(day.endOfMonth)
        default: return false
        }
        return true
    }

    override func mouse(_ event: MouseEvent) -> Bool {
        guard let model else { return false }
        switch event.kind {
        case .wheelUp: onSelect?(model.selected.adding(months: -1))
        case .wheelDown: onSelect?(model.selected.adding(months: 1))
        case .down(.left):
            let (column, row) = ((event.location.x - 1) / cellWidth, event.location.y - 1)
            guard (0..<7).contains(column), row >= 0 else { return true }
            let day = model.days.lowerBound.adding(row * 7 + column)
            guard model.days.contains(day) else { return true }
            if day == model.selected { onChoose?(day) } else { onSelect?(day) }
        default: return false
        }
        return true
    }

    /// The days of the month on which todos are due, with their number, then the selected day and its todos.
    override var plainText: [String] {
        guard let model else { return [] }
        let month = model.selected.parts.month
        let days = model.counts.filter { $0.key.parts.month == month && $0.value > 0 }.sorted { $0.key < $1.key }
        let todos = model.due.map { "[ ] \($0.title)" }
        return days.map {
            "\(DayText.text($0.key, today: model.today)(language))\($0.key < model.today ? " !" : ""): \($0.value)"
        }
            + ["> " + DayText.text(model.selected, today: model.today)(language)]
            + (todos.isEmpty ? [TodoCalendarText.nothing(language)] : todos)
    }

    override func draw(in canvas: Canvas) {
        guard let model else { return }
        let styles = TodoStyles(theme: theme)
        for (column, name) in DayText.shortWeekdays.enumerated() {
            canvas.text(name(language), x: 1 + column * cellWidth, y: 0, style: theme.secondary)
        }
        var y = 1
        var day = model.days.lowerBound
        while day <= model.days.upperBound, y < bounds.height {
            for column in 0..<7 { draw(day.adding(column), model, styles, in: canvas, x: 1 + column * cellWidth, y: y) }
            day = day.adding(7)
            y += 1
        }
        guard y + 1 < bounds.height else { return }
        let title = DayText.text(model.selected, today: model.today)(language)
        canvas.text(title, x: 1, y: y + 1, style: theme.title)
        let rows = bounds.height - y - 2
        for (index, todo) in model.due.prefix(rows).enumerated() {
            let isLast = index == rows - 1 && model.due.count > rows
            let text = isLast ? TodoCalendarText.more(model.due.count - index)(language) : "[ ] \(todo.title)"
            canvas.text(TextLayout.truncate(text, to: bounds.width - 2), x: 1, y: y + 2 + index)
        }
        if model.due.isEmpty, rows > 0 {
            canvas.text(TodoCalendarText.nothing(language), x: 1, y: y + 2, style: theme.secondary)
        }
    }

    private func draw(_ day: Day, _ model: TodoCalendarModel, _ styles: TodoStyles, in canvas: Canvas, x: Int, y: Int) {
        let (_, month, number) = day.parts
        let isInMonth = month == model.selected.parts.month
        let count = model.counts[day] ?? 0
        var style = isInMonth ? Style.plain : theme.secondary
        if day == model.today { style = styles.today }
        if day == model.selected {
            canvas.cover(Rect(x: x - 1, y: y, width: min(cellWidth, 5), height: 1), style: theme.selection)
            style = Style(attributes: .bold)
        }
        canvas.text((number < 10 ? " " : "") + "\(number)", x: x, y: y, style: style)
        guard count > 0 else { return }
        let isOverdue = day < model.today
        var mark = isOverdue ? styles.overdue : styles.project
        if day == model.selected { mark.foreground = .standard }
        let text = cellWidth < 5 ? (isOverdue ? "!" : "•") : (isOverdue ? "!" : "·") + (count > 9 ? "+" : "\(count)")
        canvas.text(text, x: x + 2, y: y, style: mark)
    }
}

/// The texts of the calendar.
enum TodoCalendarText {
    static let title = LocalizedText("Calendar", ko: "달력")
    static let screen = LocalizedText("the calendar", ko: "달력")
    static let list = LocalizedText("list the day", ko: "이 날의 할 일")
    static let before = LocalizedText("month before", ko: "지난달")
    static let after = LocalizedText("month after", ko: "다음 달")
    static let today = LocalizedText("today", ko: "오늘")
    static let nothing = LocalizedText("Nothing is due.", ko: "마감인 일이 없습니다.")

    static func more(_ count: Int) -> LocalizedText {
        LocalizedText("and \(count) more", ko: "외 \(count)개")
    }
}
