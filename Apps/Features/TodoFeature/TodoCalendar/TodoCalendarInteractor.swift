import AppLanguage
import AppUI
import RIBs
import TodoCore

/// The values that the calendar shows.
struct TodoCalendarModel: Sendable {
    /// The selected day.
    var selected: Day
    /// The current day.
    var today: Day
    /// The number of open todos that are due on each day of the visible weeks.
    var counts: [Day: Int] = [:]
    /// The open todos that are due on the selected day.
    var due: [Todo] = []
    /// How days are written, and with which day a week begins.
    var dates = DateStyle()

    /// The visible days: the whole weeks of the month of the selected day.
    var days: ClosedRange<Day> {
        let first = selected.adding(1 - selected.parts.day)
        let weekday = dates.firstWeekday.number
        return first.startOfWeek(weekday)...first.endOfMonth.startOfWeek(weekday).adding(6)
    }

    /// The number of visible weeks.
    var weeks: Int { (days.upperBound.number - days.lowerBound.number + 1) / 7 }
}

/// The logic of the calendar: counts the todos that are due in a month.
@MainActor
final class TodoCalendarInteractor: PresentableInteractor<any TodoCalendarPresentable>, TodoCalendarPresentableListener
{
    weak var listener: (any TodoCalendarListener)?

    private let today: @Sendable () -> Day
    private var snapshot: TodoSnapshot
    private(set) var model: TodoCalendarModel
    private var counting: Task<Void, Never>?

    init(
        presenter: any TodoCalendarPresentable,
        snapshot: TodoSnapshot,
        selected: Day? = nil,
        dates: DateStyle = DateStyle(),
        today: @escaping @Sendable () -> Day
    ) {
        self.today = today
        self.snapshot = snapshot
        model = TodoCalendarModel(selected: selected ?? today(), today: today(), dates: dates)
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        update()
    }

    override func willResignActive() {
        super.willResignActive()
        counting?.cancel()
    }

    /// Shows other todos, or the same on another day.
    func show(_ snapshot: TodoSnapshot) {
        self.snapshot = snapshot
        model.today = today()
        update()
    }

    private func update() {
        presenter.show(model)
        counting?.cancel()
        let (snapshot, days, selected) = (snapshot, model.days, model.selected)
        counting = Task { [weak self] in
            let found = await snapshot.due(in: days, on: selected)
            guard !Task.isCancelled, let self, isActive else { return }
            (model.counts, model.due) = found
            presenter.show(model)
        }
    }

    // MARK: - TodoCalendarPresentableListener

    func didSelect(_ day: Day) {
        model.selected = day
        update()
    }

    func didChoose(_ day: Day) { listener?.todoCalendarDidChoose(day) }

    func didChooseClose() { listener?.todoCalendarDidClose() }
}

/// Creates the calendar.
@MainActor
final class TodoCalendarBuilder: Builder<any TodoListDependency> {
    /// Creates the RIB, with the current day selected for `nil`.
    func build(
        withListener listener: any TodoCalendarListener,
        snapshot: TodoSnapshot,
        selected: Day?
    ) -> any TodoCalendarRouting {
        let viewController = TodoCalendarViewController(appearance: dependency.appearance, keyMap: dependency.keyMap)
        let interactor = TodoCalendarInteractor(
            presenter: viewController,
            snapshot: snapshot,
            selected: selected,
            dates: dependency.appearance.dates,
            today: dependency.today
        )
        interactor.listener = listener
        return TodoCalendarRouter(interactor: interactor, viewController: viewController)
    }
}

/// The router of the calendar, which has no children.
@MainActor
final class TodoCalendarRouter: ViewableRouter<TodoCalendarInteractor, TodoCalendarViewController>, TodoCalendarRouting
{
    var selectedDay: Day { interactor.model.selected }

    func show(_ snapshot: TodoSnapshot) { interactor.show(snapshot) }
}

// MARK: - Protocols

/// The router of the calendar, as its parent uses it.
@MainActor
protocol TodoCalendarRouting: ViewableRouting {
    /// The selected day, for a start after a kill.
    var selectedDay: Day { get }

    /// Shows other todos.
    func show(_ snapshot: TodoSnapshot)
}

/// The parent of the calendar.
@MainActor
protocol TodoCalendarListener: AnyObject {
    /// Called when the todos of a day are to be listed.
    func todoCalendarDidChoose(_ day: Day)

    /// Called when the calendar is to be closed.
    func todoCalendarDidClose()
}

/// The screen of the calendar, as its interactor uses it.
@MainActor
protocol TodoCalendarPresentable: Presentable {
    var listener: (any TodoCalendarPresentableListener)? { get set }

    /// Shows a month.
    func show(_ model: TodoCalendarModel)
}

/// The user's actions in the calendar.
@MainActor
protocol TodoCalendarPresentableListener: AnyObject {
    /// Another day was selected.
    func didSelect(_ day: Day)

    /// The todos of a day are to be listed.
    func didChoose(_ day: Day)

    /// The calendar is to be closed.
    func didChooseClose()
}
