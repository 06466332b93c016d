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
        let isActive = true
        func todoDetailDidClose() { calls.append("close") }
        func todoDetailDidChooseEdit(_ todo: Todo) { calls.append("edit \(todo.title)") }
        func todoDetailDidChooseText(_ todo: Todo) { calls.append("text \(todo.title)") }
        func todoDetailDidChooseJump(to todo: Todo) { calls.append("jump \(todo.title)") }
        func todoDetailDidToggle(_ todo: Todo) { calls.append("toggle \(todo.title)") }
        func todoDetailDidChooseWork(_ todo: Todo) { calls.append("work \(todo.title)") }
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
        // A change of the todo that is shown is in it at once.
        let (shop, gone) = (UUID(), UUID())
        let trip = try Todo(line: "trip", serial: 50)
        services.store.changeOutside(as: "edit \"fly\"") { todos in
            (todos[0].title, todos[0].uuid, todos[0].dependencies) = ("fly", shop, [shop, gone])
            todos[0].parent = trip.id
            todos.append(trip)
        }
        interactor.show(TodoFamily(todo: services.store.kept[0]))
        try await eventually { presenter.models.last?.history?.count == 2 }
        #expect(presenter.models.last?.names == [shop: "fly"] && presenter.models.last?.parents == [trip.id: "trip"])
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

    private func lines(_ model: TodoDetailModel, _ language: AppLanguage = .english, width: Int = 60) -> [String] {
        TodoDetailLines(model, width: width, language: language, styles: TodoStyles(theme: Theme())).lines.map {
            $0.map(\.text).joined(separator: " ")
        }
    }

    @Test("Fields, note, subtasks and history are lines, in both languages")
    func content() throws {
        let line = "(A) bake +home @kitchen due:2026-03-19 rec:1w see https://x.test"
        var todo = try Todo(line: line, note: "two\nlines")
        todo.spent = 3_540
        todo.dependencies = [UUID()]
        todo.started = Zone.system.date(.sample, try #require(TimeOfDay(hour: 9, minute: 0)))
        var flour = try Todo(line: "flour", serial: 2)
        flour.completed = .sample
        let entry = TodoLogEntry(
            number: 3,
            summary: "edit \"bake\"",
            date: .sample,
            process: "Dog[7]",
            isUndone: false,
            versions: [
                TodoLogEntry.Version(id: todo.id, before: try Todo(line: "cook"), after: todo)
            ]
        )
        let added = TodoLogEntry(
            number: 2,
            summary: "add \"cook\"",
            date: .sample,
            process: "Dog[7]",
            isUndone: false,
            versions: [TodoLogEntry.Version(id: todo.id, before: nil, after: try Todo(line: "cook"))]
        )
        let model = TodoDetailModel(
            family: TodoFamily(
                todo: todo,
                parent: try Todo(line: "party", serial: 3),
                subtasks: [flour],
                waitsFor: [try Todo(line: "shop", serial: 4)],
                neededBy: [try Todo(line: "eat", serial: 5)]
            ),
            history: [entry, added],
            today: .sample,
            time: TimeOfDay(hour: 9, minute: 21),
            names: [todo.dependencies[0]: "shop"]
        )
        let english = lines(model).joined(separator: "\n")
        for text in [
            "(A) bake", "! yesterday 2026-03-19", "+home", "@kitchen", "every week", "https://x.test",
            "working        today 09:00", "spent          1 h 20 min", "two\nlines",
            "Subtasks (1 of 1 done)\n[x] flour", "Waits for\n[ ] shop", "Awaited by\n[ ] eat", "Part of\n[ ] party",
            "title: cook → bake", "after: none → shop",
        ] {
            #expect(english.contains(text), "\(text) is missing in\n\(english)")
        }
        #expect(!english.contains("none → cook"), "a todo that was added had no fields before")
        let korean = lines(model, .korean).joined(separator: "\n")
        for text in [
            "! 어제", "매주", "하위 작업", "먼저 할 일", "이 일을 기다리는", "상위 할 일", "제목: cook → bake", "\"bake\" 편집", "1시간 20분",
        ] {
            #expect(korean.contains(text), "\(text) is missing in\n\(korean)")
        }
        #expect(lines(TodoDetailModel(today: .sample)) == ["No todo is selected."])
        // The due day is not cut, and a name of the week has its date where there is room.
        for (due, width, day) in [
            ("tomorrow", 36, "tomorrow 2026-03-21"), ("2026-03-19 09:00", 36, "! yesterday 09:00"),
            ("tomorrow", 31, "tomorrow 2026-03-21"), ("tomorrow", 30, "tomorrow"), ("2026-03-26", 36, "Thu 2026-03-26"),
            ("2026-03-27", 36, "27 Mar"),
        ] {
            let todo = try Todo(line: "bake due:\(due)")
            let model = TodoDetailModel(family: TodoFamily(todo: todo), today: .sample)
            let narrow = lines(model, width: width)
            #expect(narrow.contains("due        \(day)") && narrow.allSatisfy { $0.count <= width }, "\(narrow)")
        }
    }

    @Test("The history shows the parts of long texts that differ, and the other values as the fields do")
    func differences() throws {
        func lines(_ before: String, _ after: String, _ language: AppLanguage = .english) throws -> [String] {
            // The first line of each is the title with the fields, and the note follows.
            let todos = try [before, after].map { text in
                let parts = text.split(separator: "\n", maxSplits: 1)
                var todo = try Todo(line: String(parts[0]))
                todo.note = parts.dropFirst().first.map(String.init)
                return todo
            }
            return TodoDifferenceText(model: TodoDetailModel(today: .sample), language: language).lines(
                TodoLogEntry.Version(id: todos[0].id, before: todos[0], after: todos[1])
            )
        }
        let long = "A very long title that goes on for more than forty cells"
        let korean = "아주 긴 제목은 마흔 칸을 훌쩍 넘어서 끝까지 다 보이지 않습니다"
        let word = String(repeating: "x", count: 50)
        for (before, after, expected) in [
            ("\(long) and ends with one", "\(long) and ends with two", "title: …ends with one → …ends with two"),
            (long, "\(long) now", "title: …forty cells → …forty cells now"),
            ("\(korean) 하나", "\(korean) 둘", "title: …다 보이지 않습니다 하나 → …다 보이지 않습니다 둘"),
            ("\(word)1", "\(word)2", "title: …xxxxxxxxxxxx1 → …xxxxxxxxxxxx2"),
            ("walk one", "walk two", "title: walk one → walk two"),
            ("a\nfirst", "a\nfirst\n\nsecond", "note: … → second"),
            ("a\nfirst\nsecond\nlast", "a\nfirst\nlast", "note: second → last"),
            ("a\nfirst\nsecond", "a\nfirst", "note: second → …"), ("a\nfirst", "a\nfirst\n", "note: changed"),
        ] {
            #expect(try lines(before, after) == [expected])
        }
        // Each value is as in the fields above the history, in both languages.
        var before = try Todo(line: "bake due:2026-03-19 rec:1w")
        var after = try Todo(line: "bake due:2026-03-25 15:00 t:2026-03-24 rec:mon,thu")
        (before.parent, after.parent) = (TodoID(serial: 7), TodoID(serial: 8))
        (after.completed, after.isArchived) = (.sample, true)
        (before.spent, after.spent) = (61, 62)
        let model = TodoDetailModel(today: .sample, parents: [TodoID(serial: 8): "party"])
        let version = TodoLogEntry.Version(id: before.id, before: before, after: after)
        #expect(
            TodoDifferenceText(model: model, language: .english).lines(version) == [
                "due: yesterday → Wed 15:00", "hidden until: none → Tue", "repeats: every week → every Mon, Thu",
                "part of: \(TodoID(serial: 7)) → party", "time spent: changed", "done: no → yes", "archived: no → yes",
            ]
        )
        #expect(
            TodoDifferenceText(model: model, language: .korean).lines(version) == [
                "마감일: 어제 → 수요일 15:00", "숨김 기한: 없음 → 화요일", "반복: 매주 → 매주 월, 목",
                "상위 할 일: \(TodoID(serial: 7)) → party", "걸린 시간: 바뀜", "완료: 아니요 → 예", "보관됨: 아니요 → 예",
            ]
        )
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
            try Todo(line: line, serial: UInt64(index))
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

    @Test("Where the rows are few, the last row has the day and what is due on it")
    func fewRows() async throws {
        let (app, actions) = try calendar(size: GridSize(width: 38, height: 8))
        await app.press(.pageDown)
        #expect(actions.selected.map(\.description) == ["2026-04-20"])
        #expect(app.screen.line(7).contains("20 Apr: Nothing is due."))
        await app.resize(GridSize(width: 38, height: 14))
        #expect(app.screen.line(9) == " 20 Apr" && app.screen.line(10).contains("Nothing is due."))
        // Four rows show four todos, or three and how many more there are.
        for (count, last) in [(4, "[ ] todo 3"), (5, "2 more")] {
            let todos = try (0..<count).map { try Todo(line: "todo \($0)", serial: UInt64($0)) }
            let model = TodoCalendarModel(selected: .sample, today: .sample, due: todos)
            (app.application.window.rootViewController as? TodoCalendarViewController)?.show(model)
            await app.settle()
            #expect(app.screen.line(12).contains("[ ] todo 2") && app.screen.line(13).contains(last), "\(app.text)")
        }
    }

    /// Records what the screen of a detail reports.
    @MainActor
    final class DetailActions: TodoDetailPresentableListener {
        var events: [String] = []

        func didChooseClose() { events.append("close") }
        func didChooseEdit() { events.append("edit") }
        func didChooseText() { events.append("text") }
        func didChooseWork() { events.append("work") }
        func didToggle(_ todo: Todo) { events.append("toggle \(todo.title)") }
        func didChooseJump(to todo: Todo) { events.append("jump \(todo.title)") }
        func didChooseRestore(_ number: Int) { events.append("restore \(number)") }
    }

    @Test("Clicks and keys use the subtask that is seen, also of lines that are scrolled, up to the box's edge")
    func uses() async throws {
        let note = (1...12).map { "line \($0)" }.joined(separator: "\n")
        let todo = try Todo(line: "bake", note: note)
        let subtasks = [try Todo(line: "flour", serial: 2), try Todo(line: "eggs", serial: 3)]
        let actions = DetailActions()
        let controller = TodoDetailViewController(appearance: .dog(), keyMap: .standard, isPanel: false)
        controller.listener = actions
        let app = TestApplication(root: controller, size: GridSize(width: 40, height: 9))
        await app.settle()
        controller.show(TodoDetailModel(family: TodoFamily(todo: todo, subtasks: subtasks), today: .sample))
        await app.settle()
        await app.press(.tab)
        await app.type(" ")
        #expect(actions.events == ["toggle bake"], "no subtask is selected")
        #expect(!app.text.contains("flour"))
        // Enter without a selection makes one. The first subtask becomes visible, then the second one, and the last one stays
        // selected.
        await app.press(.enter)
        #expect(actions.events.count == 1 && app.text.contains("flour"))
        await app.press(.enter)
        await app.type(" ")
        await app.press(.down, .enter, .up, .enter, .down)
        #expect(actions.events.dropFirst() == ["jump flour", "toggle flour", "jump eggs", "jump flour"])
        // What is selected stays it when another program changes the lines above it.
        let more = [try Todo(line: "butter", serial: 4)] + subtasks
        for (subtasks, jump) in [(more, "jump eggs"), (subtasks, "jump eggs"), ([subtasks[0]], "jump flour")] {
            controller.show(TodoDetailModel(family: TodoFamily(todo: todo, subtasks: subtasks), today: .sample))
            await app.press(.enter)
            #expect(actions.events.last == jump)
        }
        controller.show(TodoDetailModel(family: TodoFamily(todo: todo, subtasks: subtasks), today: .sample))
        await app.press(.down)
        for (name, offset, event) in [
            ("eggs", 0, "jump"), ("eggs", -1, "toggle"), ("eggs", -2, "toggle"), ("eggs", -4, "toggle"),
            ("flour", 2, "jump"),
        ] {
            let place = try #require(app.screen.find(name), "\(app.text)")
            await app.click(GridPoint(x: place.x + offset, y: place.y))
            #expect(actions.events.last == "\(event) \(name)", "\(offset)")
        }
        let count = actions.events.count
        let line = try #require(app.screen.find("line 12"))
        await app.click(line)
        #expect(actions.events.count == count)
        // Another todo begins at its top, and the same one stays where it is.
        controller.show(TodoDetailModel(family: TodoFamily(todo: todo, subtasks: subtasks), today: .sample))
        await app.settle()
        #expect(app.text.contains("line 12"))
        let other = try Todo(line: "cook", serial: 9, note: note)
        controller.show(TodoDetailModel(family: TodoFamily(todo: other, subtasks: subtasks), today: .sample))
        await app.settle()
        #expect(app.text.contains("cook") && !app.text.contains("line 12"))
        await app.press(.escape)
        #expect(actions.events.count == count + 1 && actions.events.last == "close")
        // What is scrolled out of sight is not acted on; from the end, Up selects the last one that is visible.
        await app.press(.down, .up)
        await app.type(" ")
        #expect(actions.events.last == "toggle cook" && !app.text.contains("flour"))
        await app.press(.enter)
        #expect(actions.events.count == count + 2 && app.text.contains("flour"))
        await app.press(.home, .end, .up, .enter)
        #expect(actions.events.last == "jump eggs")
    }

    /// A calendar in a window, whose listener shows what is selected as the interactor does.
    private func calendar(_ counts: [Day: Int] = [:], size: GridSize = GridSize(width: 44, height: 20)) throws
        -> (app: TestApplication, actions: CalendarActions)
    {
        let controller = TodoCalendarViewController(appearance: try TodoServices([]).appearance, keyMap: .standard)
        let app = TestApplication(root: controller, size: size)
        let actions = CalendarActions(TodoCalendarModel(selected: .sample, today: .sample, counts: counts), controller)
        controller.listener = actions
        return (app, actions)
    }

    @Test("Keys move through days and months, letters as arrows, and Enter chooses")
    func keys() async throws {
        let (app, actions) = try calendar()
        await app.press(.right, .down, .pageDown, .end, .home, .pageUp)
        await app.type("hjklGgt")
        await app.press(.enter, .escape)
        #expect(
            actions.selected.map(\.description) == [
                "2026-03-21", "2026-03-28", "2026-04-28", "2026-04-30", "2026-04-01", "2026-03-01", "2026-02-28",
                "2026-03-07", "2026-02-28", "2026-03-01", "2026-03-31", "2026-03-01", "2026-03-20",
            ]
        )
        #expect(actions.chosen == [.sample] && actions.closings == 1)
    }

    @Test("A click selects a day and a second one chooses it; the arrows of the heading and the wheel change the month")
    func mouse() async throws {
        let (app, actions) = try calendar()
        await app.settle()
        #expect(await app.click(on: "11"))
        #expect(await app.click(on: "11"))
        #expect(await app.click(on: "›"))
        await app.send(.input(.mouse(MouseEvent(.wheelUp, at: GridPoint(x: 5, y: 5)))))
        #expect(actions.selected.map(\.description) == ["2026-03-11", "2026-04-11", "2026-03-11"])
        #expect(actions.chosen.map(\.description) == ["2026-03-11"])
    }

    @Test(
        "Badges count the due todos, overdue ones with their sign; the plain text names the days",
        arguments: [44, 24]
    )
    func badges(width: Int) async throws {
        let first = Day.sample.adding(-19)
        let (app, _) = try calendar([first: 2, .sample: 12], size: GridSize(width: width, height: 20))
        await app.settle()
        #expect(app.text.contains(width == 44 ? " 1!2" : " 1!"))
        #expect(app.text.contains(width == 44 ? "20·+" : "20·"))
        let lines = app.application.window.plainLines
        #expect(lines.contains("  1 Mar: ! 2") && lines.contains("> today: 12"), "\(lines)")
    }
}

/// Records the actions on a calendar, and shows the selected day in it.
@MainActor
private final class CalendarActions: TodoCalendarPresentableListener {
    private(set) var selected: [Day] = []
    private(set) var chosen: [Day] = []
    private(set) var closings = 0
    private var model: TodoCalendarModel
    private weak var screen: TodoCalendarViewController?

    init(_ model: TodoCalendarModel, _ screen: TodoCalendarViewController) {
        (self.model, self.screen) = (model, screen)
        screen.show(model)
    }

    func didSelect(_ day: Day) {
        selected.append(day)
        model.selected = day
        screen?.show(model)
    }

    func didChoose(_ day: Day) { chosen.append(day) }
    func didChooseClose() { closings += 1 }
}
