import AppLanguage
import AppTestSupport
import AppUI
import Foundation
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing
import TodoCore

@testable import TodoFeature

@Suite("The details of a todo")
@MainActor
struct TodoDetailTests {
    @MainActor
    final class Presenter: TodoDetailPresentable {
        weak var listener: (any TodoDetailPresentableListener)?
        private(set) var models: [TodoDetailModel] = []
        func show(_ model: TodoDetailModel) { models.append(model) }
    }

    @MainActor
    final class Listener: TodoDetailListener {
        private(set) var calls: [String] = []
        func todoDetailDidClose() { calls.append("close") }
        func todoDetailDidChooseEdit(_ todo: Todo) { calls.append("edit \(todo.title)") }
        func todoDetailDidToggle(_ todo: Todo) { calls.append("toggle \(todo.title)") }
        func todoDetailDidRestore(_ receipt: TodoReceipt) { calls.append("restore \(receipt.todos[0].title)") }
        func todoDetailDidFail(_ error: TodoError) { calls.append("\(error)") }
    }

    private let presenter = Presenter()
    private let listener = Listener()
    private let services: TodoServices
    private let interactor: TodoDetailInteractor

    init() throws {
        services = try TodoServices(["walk"])
        interactor = TodoDetailInteractor(presenter: presenter, dependency: services)
        interactor.listener = listener
        interactor.activate()
    }

    @Test("The todo is shown at once and its history a moment later; moving on reads no history")
    func history() async throws {
        services.store.changeOutside(as: "edit \"run\"") { $0[0].title = "run" }
        let todo = services.store.kept[0]
        interactor.show(TodoFamily(todo: todo))
        #expect(presenter.models.last?.family?.todo == todo)
        #expect(presenter.models.last?.history == nil)
        try await eventually { services.manualClock.sleepers == 1 }
        services.manualClock.advance(by: TodoDetailInteractor.patience)
        try await eventually { presenter.models.last?.history?.count == 1 }
        #expect(presenter.models.last?.history?.first?.versions.first?.differences.first?.before == "walk")
        interactor.show(nil)
        #expect(presenter.models.last?.family == nil && presenter.models.last?.history == nil)
    }

    @Test("A version before a change is restored; a change that is gone is reported")
    func restore() async throws {
        services.store.changeOutside(as: "edit \"run\"") { $0[0].title = "run" }
        interactor.show(TodoFamily(todo: services.store.kept[0]))
        interactor.didChooseRestore(0)
        try await eventually { listener.calls == ["restore walk"] }
        #expect(services.store.kept[0].title == "walk")
        interactor.didChooseRestore(99)
        try await eventually { listener.calls.count == 2 }
        #expect(listener.calls[1].contains("no change 99"))
        _ = services.store.takeCalls()
    }

    private func lines(_ model: TodoDetailModel, _ language: AppLanguage = .english) -> [String] {
        TodoDetailLines(model, width: 60, language: language, styles: TodoStyles(theme: Theme())).lines.map {
            $0.map(\.text).joined(separator: " ")
        }
    }

    @Test("Fields, note, subtasks and history are lines, in both languages")
    func content() throws {
        var todo = Todo(
            id: TodoID(serial: 1),
            draft: try TodoDraft(
                quick: "(A) bake +home @kitchen due:2026-03-19 rec:1w see https://x.test",
                today: .sample
            ),
            now: .sample
        )
        todo.note = "two\nlines"
        var flour = Todo(id: TodoID(serial: 2), draft: try TodoDraft(title: "flour"), now: .sample)
        flour.completed = .sample
        let entry = TodoLogEntry(
            number: 3,
            summary: "edit \"bake\"",
            date: .sample,
            process: "Dog[7]",
            isUndone: false,
            versions: [
                TodoLogEntry.Version(
                    id: todo.id,
                    before: Todo(id: todo.id, draft: try TodoDraft(title: "cook"), now: .sample),
                    after: todo
                )
            ]
        )
        let model = TodoDetailModel(
            family: TodoFamily(todo: todo, parent: nil, subtasks: [flour]),
            history: [entry],
            today: .sample
        )
        let english = lines(model).joined(separator: "\n")
        for text in [
            "(A) bake", "! yesterday 2026-03-19", "+home", "@kitchen", "every week", "https://x.test", "two\nlines",
            "Subtasks (1 of 1 done)", "[x] flour", "Dog[7]", "title: cook → bake",
        ] {
            #expect(english.contains(text), "\(text) is missing in\n\(english)")
        }
        let korean = lines(model, .korean).joined(separator: "\n")
        for text in ["! 어제", "1주마다", "하위 작업", "제목: cook → bake", "\"bake\" 편집"] {
            #expect(korean.contains(text), "\(text) is missing in\n\(korean)")
        }
        #expect(lines(TodoDetailModel(today: .sample)) == ["No todo is selected."])
    }
}

@Suite("The calendar of due days")
@MainActor
struct TodoCalendarTests {
    @MainActor
    final class Presenter: TodoCalendarPresentable {
        weak var listener: (any TodoCalendarPresentableListener)?
        private(set) var models: [TodoCalendarModel] = []
        func show(_ model: TodoCalendarModel) { models.append(model) }
    }

    @Test("The weeks of the month are counted, and the todos of the selected day listed; the next month counts again")
    func counts() async throws {
        let lines = ["a due:today", "b due:today", "c due:2026-04-02", "d due:2026-05-20"]
        let todos = try lines.enumerated().map { index, line in
            Todo(id: TodoID(serial: UInt64(index)), draft: try TodoDraft(quick: line, today: .sample), now: .sample)
        }
        let presenter = Presenter()
        let interactor = TodoCalendarInteractor(presenter: presenter, snapshot: TodoSnapshot(todos)) { .sample }
        interactor.activate()
        let second = try #require(Day(year: 2026, month: 4, day: 2))
        try await eventually { presenter.models.last?.counts == [.sample: 2, second: 1] }
        #expect(Set(presenter.models.last?.due.map(\.title) ?? []) == ["a", "b"])
        let model = try #require(presenter.models.last)
        #expect("\(model.days.lowerBound)" == "2026-02-23" && "\(model.days.upperBound)" == "2026-04-05")
        interactor.didSelect(Day.sample.adding(months: 2))
        try await eventually { presenter.models.last?.due.map(\.title) == ["d"] }
        interactor.show(TodoSnapshot([]))
        try await eventually { presenter.models.last?.counts.isEmpty == true }
        interactor.deactivate()
    }

    @Test("Keys and clicks move through days and months, and Enter chooses")
    func keys() async throws {
        let month = TodoMonthView(language: .english)
        var selected: [Day] = []
        var chosen: [Day] = []
        var model = TodoCalendarModel(selected: .sample, today: .sample)
        month.model = model
        month.onSelect = { day in
            selected.append(day)
            model.selected = day
            month.model = model
        }
        month.onChoose = { chosen.append($0) }
        let calendar = TodoCalendarViewController(
            appearance: try TodoServices([]).appearance,
            keyMap: .standard
        )
        let listener = CalendarActions(select: { month.onSelect?($0) }, choose: { month.onChoose?($0) })
        calendar.listener = listener
        month.onKey = { key in
            calendar.show(model)
            return calendar.handle(key)
        }
        for key in [Key(.right), Key(.down), Key(.pageDown), Key(.end), .character("t"), Key(.enter)] {
            #expect(month.keyDown(key))
        }
        #expect(selected.map(\.description) == ["2026-03-21", "2026-03-28", "2026-04-28", "2026-04-30", "2026-03-20"])
        #expect(chosen == [.sample])
    }
}

/// The actions of the keys of a calendar.
@MainActor
private final class CalendarActions: TodoCalendarPresentableListener {
    private let select: (Day) -> Void
    private let choose: (Day) -> Void

    init(select: @escaping (Day) -> Void, choose: @escaping (Day) -> Void) {
        (self.select, self.choose) = (select, choose)
    }

    func didSelect(_ day: Day) { select(day) }
    func didChoose(_ day: Day) { choose(day) }
    func didChooseClose() {}
}
