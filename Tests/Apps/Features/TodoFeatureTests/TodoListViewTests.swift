import AppLanguage
import AppTestSupport
import AppUI
import Foundation
import NeedleKit
import TerminalTesting
import TerminalUI
import Testing
import TodoCore

@testable import TodoFeature

@Suite("The rows of the list on a screen")
@MainActor
struct TodoListViewTests {
    /// A table that fills a terminal.
    @MainActor
    final class Fixture {
        let app: TestApplication
        let table: TodoListView
        var events: [String] = []

        init(
            _ todos: [Todo],
            width: Int = 60,
            height: Int = 5,
            depth: ColorDepth = .trueColor,
            language: AppLanguage = .english,
            grouping: TodoGrouping? = nil
        ) async throws {
            table = TodoListView(language: language)
            let controller = ViewController()
            controller.view.addSubview(table)
            table.ndl.makeConstraints { $0.edges.equalTo(controller.view) }
            table.today = .sample
            app = TestApplication(root: controller, size: GridSize(width: width, height: height), depth: depth)
            let request = TodoListRequest(filter: TodoFilter(status: .all, today: .sample), grouping: grouping)
            table.show(TodoRows(try #require(await TodoSnapshot(todos).listing(request))), selecting: nil)
            table.onToggle = { [unowned self] in events.append("toggle \(table.selectedTodo?.title ?? "?")") }
            table.onActivate = { [unowned self] in events.append("activate \(table.listing.todo(at: $0)?.title ?? "?")")
            }
            table.onMark = { [unowned self] in events.append("mark \(title($0))") }
            await app.settle()
            table.becomeFirstResponder()
            await app.settle()
        }

        private func title(_ id: TodoID) -> String {
            table.listing.row(of: id, near: 0).flatMap { table.listing.todo(at: $0) }?.title ?? "?"
        }
    }

    private func todos(_ lines: String...) throws -> [Todo] {
        try lines.enumerated().map { index, line in
            try Todo(line: line, serial: UInt64(index), now: .sample + Double(index))
        }
    }

    @Test(
        "Where the room is short, contexts are omitted first, then the project, and never the date",
        arguments: [
            (60, true, true), (44, true, false), (30, false, false), (20, false, false),
        ]
    )
    func date(width: Int, hasProject: Bool, hasContext: Bool) async throws {
        let screen = try await Fixture(try todos("water the plants +home @garden due:tomorrow"), width: width)
        let line = screen.app.screen.line(0)
        #expect(line.contains("+home") == hasProject, "\(line)")
        #expect(line.contains("@garden") == hasContext, "\(line)")
        #expect(line.contains("tomorrow") || line.contains("Sat"), "\(line)")
        #expect(line.contains("wat"))
    }

    @Test("An overdue todo has a sign and no dim text, with every number of colours", arguments: ColorDepth.allCases)
    func overdue(depth: ColorDepth) async throws {
        let screen = try await Fixture(try todos("(A) pay", "walk due:2026-03-19"), depth: depth)
        let line = screen.app.screen.line(0)
        #expect(line.hasSuffix("! yesterday"))
        for cell in screen.app.screen.row(0) { #expect(!cell.style.attributes.contains(.dim)) }
        let priority = try #require(screen.app.screen.find("(A)"))
        #expect(screen.app.screen[priority.x, priority.y].style.attributes.contains(.bold))
    }

    @Test("By the clock, a todo with a due time has the sign of overdue todos from the next minute on")
    func overdueByTheClock() async throws {
        let screen = try await Fixture(try todos("meeting due:today 15:00"))
        for (time, isMarked) in [(nil, false), ("14:59", false), ("15:00", false), ("15:01", true)] {
            screen.table.time = time.flatMap { TimeOfDay($0) }
            await screen.app.settle()
            #expect(screen.app.screen.line(0).contains("! today 15:00") == isMarked, "\(time ?? "none")")
        }
    }

    @Test(
        "Project, context, date, selection and completion are distinct with every number of colours",
        arguments: ColorDepth.allCases
    )
    func distinctStyles(depth: ColorDepth) async throws {
        var list = try todos(
            "(A) first #next",
            "second +home @shop #cheap due:today",
            "third due:tomorrow",
            "fourth +home"
        )
        list[3].completed = .sample
        let screen = try await Fixture(list, depth: depth)
        func style(_ text: String) throws -> TextStyle {
            let place = try #require(screen.app.screen.find(text), "\(text) in\n\(screen.app.text)")
            return screen.app.screen[place.x, place.y].style
        }
        let plain = try style("second")
        // Due today is bold, and any other day is not.
        #expect(try style("today").attributes.contains(.bold))
        #expect(try style("today") != style("tomorrow"))
        #expect(try style("+home").attributes.contains(.bold) && style("+home") != plain)
        #expect(try style("fourth").attributes.contains([.strikethrough, .dim]))
        #expect(screen.app.text.contains("[x]"))
        // Their signs distinguish labels where there are no colours.
        #expect(screen.app.text.contains("@shop") && screen.app.text.contains("#cheap"))
        let selected = try style("first")
        if depth == .none {
            #expect(selected.attributes.contains(.reverse) && screen.app.screen.line(0).hasPrefix(">"))
            for y in 0..<4 {
                for cell in screen.app.screen.row(y) {
                    #expect(cell.style.foreground == .standard && cell.style.background == .standard)
                }
            }
        } else {
            #expect(selected.background != plain.background)
            #expect(try style("@shop").foreground != plain.foreground)
            #expect(try style("#cheap").foreground != style("@shop").foreground)
        }
    }

    @Test("Projects, labels and days are in columns, which stay in place while the list is scrolled")
    func columns() async throws {
        let list = try todos(
            "one +home due:today",
            "a longer title @shop #x due:today",
            "three +work @desk due:2026-03-19",
            "four due:tomorrow",
            "five due:2027-12-24",
            "six +a"
        )
        let screen = try await Fixture(list, height: 5)
        func column(_ text: String) throws -> Int {
            try #require(screen.app.screen.find(text), "\(text) in\n\(screen.app.text)").x
        }
        #expect(try column("+home") == column("+work"))
        #expect(try column("@shop") == column("@desk"))
        let due = try column("• today")
        for text in ["! yesterday", "› tomorrow"] { #expect(try column(text) == due) }
        #expect(try column("24 Dec 2027") == due + 2, "a later day has no sign")
        await screen.app.press(.end)
        #expect(try column("› tomorrow") == due && column("+a") == column("+home"))
        // Where the room is short, the day is, too; of another year it is the year.
        await screen.app.resize(GridSize(width: 30, height: 6))
        for text in [" •today", " !03-19", " ›Sat", "  2027"] {
            #expect(screen.app.text.contains(text), "\(text) in\n\(screen.app.text)")
        }
    }

    @Test(
        "Most titles are whole while columns can be narrower; a long one does not take their room",
        arguments: [
            (AppLanguage.english, 55, "(A) Buy oat milk and bread", "+home.k", "• 15:00", "› Sat 10:30"),
            (.korean, 55, "(A) Buy oat milk and bread", "+home.k", "• 15:00", "› 토 10:30"),
            (.english, 36, "(A) Buy oat milk", "", "•15:00", "›Sat"),
            (.korean, 36, "(A) Buy oat milk", "", "•15:00", "›토"),
        ]
    )
    func titles(
        language: AppLanguage,
        width: Int,
        title: String,
        project: String,
        today: String,
        tomorrow: String
    ) async throws {
        let list = try todos(
            "(A) Buy oat milk and bread +home.kitchen @shop due:today 15:00",
            "A very long title of a todo to see how it is cut +work.planning due:tomorrow 10:30",
            "Call the dentist due:2026-03-28 09:00",
            "Water the plants +home rec:1w due:tomorrow 10:30",
            "Nap +home"
        )
        let screen = try await Fixture(list, width: width, language: language)
        for text in [title, project, today, tomorrow] where !text.isEmpty {
            #expect(screen.app.text.contains(text), "\(text) in\n\(screen.app.text)")
        }
        #expect(screen.app.text.contains("+home.k") == !project.isEmpty, "\(screen.app.text)")
        // Without their column, projects are where titles leave the room.
        let nap = try #require(screen.app.text.split(separator: "\n").first { $0.contains("Nap ") })
        #expect(nap.contains("+home"), "\(screen.app.text)")
    }

    @Test("The todo above on the same level is the new parent; the first one of its parent has none")
    func above() async throws {
        var list = try todos("one", "two", "three", "four")
        (list[1].parent, list[2].parent) = (list[0].id, list[0].id)
        let screen = try await Fixture(list)
        for above in [nil, nil, "two", "one"] {
            #expect(screen.table.todoAbove([])?.title == above)
            await screen.app.press(.down)
        }
        // Marked todos are moved below the one above the first of them, wherever the selection is.
        #expect(screen.table.todoAbove([list[2].id, list[3].id])?.title == "two")
    }

    @Test(
        "Folded todos hide their subtasks at every level, and say how many; the selection is found in the rows that are left"
    )
    func folding() async throws {
        var list = try todos("one", "two", "three", "four", "five")
        (list[1].parent, list[2].parent, list[3].parent) = (list[0].id, list[1].id, list[0].id)
        let screen = try await Fixture(list, height: 6)
        #expect(
            screen.table.plainText == [
                "> [ ] one (0/2)", "    [ ] two (0/1)", "      [ ] three", "    [ ] four", "  [ ] five",
            ]
        )
        #expect(screen.app.screen.line(0).contains("▾ one") && screen.app.screen.line(1).contains("▾ two"))
        let request = TodoListRequest(filter: TodoFilter(status: .all, today: .sample))
        func fold(_ folded: Int..., selecting: Int) async throws -> [Int?] {
            let listing = try #require(await TodoSnapshot(list).listing(request, locating: list[selecting].id))
            let rows = await TodoRows.rows(of: listing, folded: Set(folded.map { list[$0].id }))
            screen.table.show(rows, selecting: list[selecting].id)
            await screen.app.settle()
            return (0..<rows.count).map { rows.hiddenSubtasks(at: $0) }
        }
        #expect(try await fold(1, selecting: 4) == [0, 1, nil, nil])
        #expect(screen.table.plainText == ["  [ ] one (0/2)", "    [ ] two (0/1)", "    [ ] four", "> [ ] five"])
        #expect(try await fold(0, selecting: 4) == [3, nil])
        #expect(screen.app.screen.line(0).contains("▸ one 0/2") && screen.table.selectedTodo?.title == "five")
        #expect(try await fold(0, 4, selecting: 2) == [3, nil], "a hidden todo is not selected")
        #expect(screen.table.selectedTodo?.title == "five")
        #expect(try await fold(4, selecting: 2) == [0, 0, nil, nil, nil])
        #expect(screen.table.selectedTodo?.title == "three" && screen.table.selectedRow == 2)
        screen.table.selectParent()
        #expect(screen.table.selectedTodo?.title == "two")
        // The subtasks of the next todo are not those of a folded one, and the last todo hides all that follow.
        list = try todos("one", "two", "three", "four", "five")
        (list[1].parent, list[3].parent, list[4].parent) = (list[0].id, list[2].id, list[2].id)
        #expect(try await fold(0, selecting: 4) == [1, 0, nil, nil])
        #expect(try await fold(0, 2, selecting: 0) == [1, 2])
    }

    @Test("A todo that waits has a sign until the other one is completed, and a todo with subtasks their numbers")
    func marks() async throws {
        var list = try todos("one", "two rec:1w", "three")
        list[0].uuid = UUID()
        list[1].started = .sample
        list[1].dependencies = [try #require(list[0].uuid)]
        list[2].parent = list[0].id
        let screen = try await Fixture(list, height: 6)
        #expect(screen.app.screen.line(0).contains("▾ one 0/1"))
        #expect(screen.app.screen.line(2).contains("two") && screen.app.screen.line(2).hasSuffix("► ⊘ ↻"))
        #expect(screen.table.plainText == ["> [ ] one (0/1)", "    [ ] three", "  [ ] two ► ⊘"])
        // A title that is cut leaves the numbers.
        list[0].title = String(repeating: "long ", count: 30)
        let long = try await Fixture(list, height: 6).app.text
        #expect(long.contains("… 0/1"), "\(long)")
        list[0].title = "one"
        (list[0].completed, list[2].completed) = (.sample, .sample)
        let done = try await Fixture(list, height: 6)
        #expect(done.app.text.contains("one 1/1") && !done.app.text.contains("⊘"))
    }

    @Test("Completed todos fade, and Korean dates are Korean")
    func faded() async throws {
        var list = try todos("walk due:tomorrow")
        list[0].completed = .sample
        let screen = try await Fixture(list + (try todos("x", "우유 사기 due:tomorrow")).suffix(1), language: .korean)
        let done = try #require(screen.app.screen.find("walk"))
        let attributes = screen.app.screen[done.x, done.y].style.attributes
        #expect(attributes.contains(.dim) && attributes.contains(.strikethrough))
        #expect(screen.app.text.contains("내일"))
    }

    @Test("The selection is always in sight, over 10,000 rows, also after a change of size")
    func selection() async throws {
        let many = try (0..<10_000).map { index in
            try Todo(line: "todo \(index)", serial: UInt64(index), now: .sample + Double(index))
        }
        let screen = try await Fixture(many, height: 10)
        await screen.app.press(.end)
        #expect(screen.app.text.contains("todo 9999"))
        await screen.app.resize(GridSize(width: 60, height: 4))
        #expect(screen.app.text.contains("todo 9999"))
        await screen.app.press(.home)
        #expect(screen.app.text.contains("todo 0"))
        await screen.app.press(.pageDown, .down)
        let selected = try #require(screen.table.selectedTodo)
        #expect(screen.app.text.contains(selected.title))
        // The scroll bar is dragged to its end, which does not move the selection.
        await screen.app.send(.input(.mouse(MouseEvent(.down(.left), at: GridPoint(x: 59, y: 0)))))
        await screen.app.send(.input(.mouse(MouseEvent(.drag(.left), at: GridPoint(x: 59, y: 3)))))
        await screen.app.send(.input(.mouse(MouseEvent(.up(.left), at: GridPoint(x: 59, y: 3)))))
        await screen.app.settle()
        #expect(screen.app.text.contains("todo 9999"))
        #expect(screen.table.selectedTodo == selected)
        await screen.app.send(.input(.mouse(MouseEvent(.wheelUp, at: GridPoint(x: 5, y: 1)))))
        await screen.app.settle()
        #expect(!screen.app.text.contains("todo 9999") && screen.app.text.contains("todo 9996"))
        await screen.app.press(.up)
        #expect(screen.app.text.contains(try #require(screen.table.selectedTodo).title))
        // The field of a row stays in sight.
        screen.table.beginEditing(TextField(text: "edited"))
        for _ in 0..<3 { await screen.app.send(.input(.mouse(MouseEvent(.wheelDown, at: GridPoint(x: 5, y: 1))))) }
        await screen.app.settle()
        #expect(screen.app.text.contains("edited"))
    }

    @Test("A message replaces the one before it, in its own colour, and has no row without a text")
    func message() async throws {
        let (line, controller) = (MessageLine(), ViewController())
        controller.view.addSubview(line)
        line.ndl.makeConstraints { $0.top.horizontal.equalTo(controller.view) }
        let app = TestApplication(root: controller, size: GridSize(width: 20, height: 2))
        var styles: [TextStyle] = []
        for (text, isProblem) in [("one", true), ("two", false), ("three", false)] {
            line.show(text, isProblem: isProblem)
            await app.settle()
            #expect(app.screen.line(0) == " \(text)")
            styles.append(app.screen[1, 0].style)
        }
        #expect(styles[0] != styles[1] && styles[1] == styles[2])
        line.show(nil, isProblem: false)
        await app.settle()
        #expect(app.text.isBlank && line.bounds.height == 0)
    }

    @Test(
        "The message about a hidden todo names first the keys that show it from where the focus is, also on a narrow screen",
        arguments: [AppLanguage.english, .korean]
    )
    func hidden(language: AppLanguage) async throws {
        let map = KeyMap(["todos.reveal": ["f7"]], screens: KeyMap.todoScreens(around: []))
        #expect(map.problems.isEmpty, "\(map.problems)")
        let controller = TodoListViewController(appearance: .dog(language), keyMap: map)
        let app = TestApplication(root: controller, size: GridSize(width: 40, height: 12))
        await app.settle()
        var model = TodoListModel(today: .sample)
        model.isLoaded = true
        model.hidden = try Todo(line: "A very long title of a todo to see how it is cut")
        controller.show(model, selecting: nil)
        await app.settle()
        let text = language == .english ? "f7 shows it: saved, but" : "f7 키로 보기: 저장했지만"
        #expect(app.screen.line(11).hasPrefix(" \(text)"), "\(app.text)")
        await app.type("n")
        #expect(app.screen.line(11).hasPrefix(" esc, \(text)"), "\(app.text)")
        await app.press(.escape)
        #expect(app.screen.line(11).hasPrefix(" \(text)"), "\(app.text)")
        // Escape would end the filter, and the message with it.
        await app.type("/")
        #expect(app.screen.line(10).hasPrefix(" enter, \(text)"), "\(app.text)")
        await app.press(.enter)
        #expect(app.screen.line(10).hasPrefix(" \(text)"), "\(app.text)")
    }

    @Test("Todos that are hidden until later are counted apart; a list of them alone names the key that shows them")
    func later() async throws {
        let controller = TodoListViewController(appearance: .dog())
        let app = TestApplication(root: controller, size: GridSize(width: 80, height: 12))
        await app.settle()
        var model = TodoListModel(today: .sample)
        model.isLoaded = true
        for (lines, title, empty) in [
            (["walk t:2026-03-21"], "0 open, 1 later, 0 done", "1 todo is hidden until later; c shows it"),
            (
                ["a t:2099-01-01", "b t:2099-01-01"], "0 open, 2 later, 0 done",
                "2 todos are hidden until later; c shows them"
            ),
            (["walk t:2026-03-20", "run t:2026-03-21"], "1 open, 1 later, 0 done", nil),
            (["walk"], "1 open, 0 done", nil),
        ] {
            let list = try lines.enumerated().map { try Todo(line: $1, serial: UInt64($0)) }
            let snapshot = TodoSnapshot(list)
            model.snapshot = snapshot
            model.openCount = snapshot.openCount
            model.request.filter.status = .open
            model.rows = TodoRows(try #require(await snapshot.listing(model.request)))
            controller.show(model, selecting: nil)
            await app.settle()
            #expect(app.screen.line(1).contains(" \(title) "), "\(app.text)")
            if let empty { #expect(app.text.contains(empty), "\(app.text)") }
            // They are listed with the completed ones, and counted alike.
            model.request.filter.status = .all
            model.rows = TodoRows(try #require(await snapshot.listing(model.request)))
            controller.show(model, selecting: nil)
            await app.settle()
            #expect(app.screen.line(1).contains(" \(title) ") && !app.text.contains("hidden"), "\(app.text)")
        }
        model.filterText = "run"
        model.request.filter.query = try TodoQuery(parsing: "run", today: .sample)
        model.snapshot = TodoSnapshot(try todos("walk", "run t:2099-01-01"))
        model.openCount = 2
        controller.show(model, selecting: nil)
        await app.settle()
        #expect(app.screen.line(1).contains("found, 1 open"), "\(app.text)")
    }

    @Test("A click on the box ticks, one on a row selects, a second one opens, and with Ctrl it marks")
    func clicks() async throws {
        let screen = try await Fixture(try todos("one", "two"))
        await screen.app.click(GridPoint(x: 2, y: 1))
        #expect(screen.events == ["toggle two"])
        await screen.app.click(GridPoint(x: 8, y: 0))
        #expect(screen.table.selectedTodo?.title == "one")
        await screen.app.click(GridPoint(x: 8, y: 0))
        #expect(screen.events == ["toggle two", "activate one"])
        await screen.app.send(
            .input(.mouse(MouseEvent(.down(.left), at: GridPoint(x: 8, y: 1), modifiers: .control)))
        )
        await screen.app.settle()
        #expect(screen.events.last == "mark two")
    }

    @Test("A row that is dragged by two columns changes its level once and is not opened; a click on the sign folds")
    func drags() async throws {
        var list = try todos("one", "two", "three")
        list[1].parent = list[0].id
        let screen = try await Fixture(list)
        screen.table.onDrag = { screen.events.append($0 ? "right" : "left") }
        screen.table.onFold = { screen.events.append("\($1 ? "fold" : "unfold") \($0.title)") }
        let row = screen.app.screen.find("three")?.y ?? 0
        await screen.app.drag(
            from: GridPoint(x: 8, y: row),
            through: GridPoint(x: 9, y: row),
            GridPoint(x: 10, y: row),
            GridPoint(x: 20, y: row)
        )
        #expect(screen.table.selectedTodo?.title == "three" && screen.events == ["right"])
        await screen.app.drag(from: GridPoint(x: 8, y: row), through: GridPoint(x: 6, y: row))
        await screen.app.drag(from: GridPoint(x: 8, y: row), through: GridPoint(x: 7, y: row))
        #expect(screen.events == ["right", "left", "activate three"])
        #expect(await screen.app.click(on: "▾"))
        #expect(screen.events.last == "fold one" && screen.table.selectedTodo?.title == "one")
    }

    @Test("As text the list has its visible rows with the selected and the marked ones, and the number of the others")
    func plain() async throws {
        let list = try todos("(B) one +home @shop #x", "two", "three")
        let screen = try await Fixture(list, height: 2)
        screen.table.marked = [list[1].id]
        #expect(screen.table.plainText == ["> [ ] (B) one +home @shop #x", "  ● [ ] two", "and 1 more"])
        let groups = try await Fixture(try todos("one +home"), grouping: .project)
        #expect(groups.table.plainText == ["+home  1", "> [ ] one +home"])
        let empty = try await Fixture([])
        empty.table.emptyLines = ["Nothing to do"]
        #expect(empty.table.plainText == ["Nothing to do"])
    }

    @Test("Headings are drawn with their numbers and are never selected")
    func headings() async throws {
        let screen = try await Fixture(try todos("one +home", "two +work"), grouping: .project)
        #expect(screen.app.screen.line(0).hasPrefix(" +home  1 ─"))
        #expect(screen.table.selectedTodo?.title == "one")
        await screen.app.press(.down)
        #expect(screen.table.selectedTodo?.title == "two")
        await screen.app.press(.down)
        #expect(screen.table.selectedTodo?.title == "two")
        await screen.app.press(.home)
        #expect(screen.app.screen.line(0).hasPrefix(" +home"))
        // A day that is over has a sign; today has none.
        let signs = [-1, 0, 1].map { distance in
            TodoListText.heading("\(Day.sample.adding(distance))", today: .sample, Appearance.dog().dates)(.english)
                .hasPrefix(TodoStyles.overdueSign)
        }
        #expect(signs == [true, false, false])
        let urgencies = [1, 6, 7].map {
            TodoStyles.Urgency(due: Day.sample.adding($0), isOverdue: false, today: .sample)
        }
        #expect(urgencies == [.thisWeek, .thisWeek, .later])
    }

    @Test("A paste as one line has what is open, or all of it; its result names the first line that was refused")
    func pasted() {
        #expect(TodoPaste.lines("a\n\r\n- b\n") == ["a", "", "- b", ""] && TodoPaste.lines("\na\n") == nil)
        for (lines, line) in [(["- [x] a", "* b", "", "c"], "b c"), (["- [x] a", "", "* [X] b"], "a b")] {
            #expect(TodoPaste.oneLine(lines) == line)
        }
        let errors = [2, 5].map { (line: $0, problem: TodoError.notFound(name: "\($0)").text) }
        let text = TodoListText.added(1, refused: errors)
        #expect(text(.english).hasPrefix("1 added, 2 not; line 2: ") && text(.korean).contains("2번째 줄"))
    }

    @Test("After a reload the same todo is selected; if it is gone, the one in its row")
    func reload() async throws {
        let list = try todos("one", "two", "three")
        let screen = try await Fixture(list)
        await screen.app.press(.down)
        let request = TodoListRequest(filter: TodoFilter(status: .all, today: .sample))
        func show(_ todos: [Todo]) async throws {
            let id = screen.table.selectedID
            let listing = try #require(await TodoSnapshot(todos).listing(request, locating: id))
            screen.table.show(TodoRows(listing), selecting: nil)
        }
        try await show(Array(list.dropFirst()))
        #expect(screen.table.selectedTodo?.title == "two")
        try await show([list[0], list[2]])
        #expect(screen.table.selectedTodo?.title == "one")
        try await show([])
        #expect(screen.table.selectedTodo == nil)
    }

    @Test("A todo in two groups is selected in the second one also after a reload that moves its rows")
    func reloadInGroups() async throws {
        let list = try todos("one +home", "two +home +work", "three +home")
        let screen = try await Fixture(list, grouping: .project)
        for _ in 0..<3 { await screen.app.press(.down) }
        #expect(screen.table.selectedTodo?.title == "two" && screen.table.selectedRow == 5)
        let request = TodoListRequest(filter: TodoFilter(today: .sample), grouping: .project)
        let fewer = try #require(await TodoSnapshot(Array(list.dropFirst())).listing(request, locating: list[1].id))
        screen.table.show(TodoRows(fewer), selecting: nil)
        #expect(screen.table.selectedTodo?.title == "two" && screen.table.selectedRow == 4)
    }
}
