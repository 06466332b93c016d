import AppTestSupport
import AppUI
import RIBs
import TerminalTesting
import TerminalUI
import Testing
import TodoCore

@testable import TodoFeature

@Suite("The todo list's routing")
@MainActor
struct TodoListRouterTests {
    /// What the router calls on its view controller.
    enum Call: Equatable {
        case present(String)
        case dismiss(String)
        case embed(String)
        case remove(String)
        case focusList, focusEmbedded
    }

    /// A view controller that records calls.
    final class Views: TodoListViewControllable {
        let calls: CallJournal<Call> = journal()
        /// Inspects the tree during a call.
        var onCall: (Call) -> Void = { _ in }

        private func record(_ call: Call) {
            calls.record(call)
            onCall(call)
        }

        func presentChild(_ child: any ViewControllable) { record(.present("\(type(of: child))")) }
        func dismissChild(_ child: any ViewControllable) { record(.dismiss("\(type(of: child))")) }
        func embedChild(_ child: any ViewControllable) { record(.embed("\(type(of: child))")) }
        func removeChild(_ child: any ViewControllable) { record(.remove("\(type(of: child))")) }
        func focusList() { record(.focusList) }
        func focusEmbedded() { record(.focusEmbedded) }
    }

    private let views = Views()
    private let services: TodoServices

    init() throws { services = try TodoServices(["walk"]) }

    private func router() -> TodoListRouter {
        let router = TodoListRouter(
            interactor: TodoListInteractor(presenter: TodoListPresenterDouble(), dependency: services),
            viewController: views,
            editorBuilder: TodoEditorBuilder(dependency: services),
            detailBuilder: TodoDetailBuilder(dependency: services),
            calendarBuilder: TodoCalendarBuilder(dependency: services)
        )
        router.interactable.activate()
        router.load()
        return router
    }

    @Test(
        "Only the child that is over the list, or beside it, is removed, with or without a sheet; the list has the focus"
    )
    func children() async throws {
        let screen = TodoListViewController(appearance: .dog())
        let app = TestApplication(root: screen, size: GridSize(width: 80, height: 24))
        await app.settle()
        let beside = Child()
        screen.embedChild(beside)
        screen.removeChild(Child())
        #expect(beside.isOnScreen)
        screen.removeChild(beside)
        #expect(!beside.isOnScreen)
        for child in [Child(), Sheet()] {
            screen.presentChild(child)
            await app.settle()
            screen.dismissChild(Child())
            #expect(screen.presented != nil && child.isOnScreen)
            screen.entry.isHidden = false
            screen.entry.becomeFirstResponder()
            screen.dismissChild(child)
            #expect(screen.presented == nil && !child.isOnScreen && !screen.entry.isFirstResponder)
        }
    }

    private class Child: ViewController, ViewControllable {}

    private final class Sheet: Child, TodoSheetContent {
        let sheetSize = GridSize(width: 20, height: 5)
        func userDidClose() {}
    }

    @Test("The details are over the list or beside it, the calendar over it, and the editor closes both")
    func detailAndCalendar() throws {
        let router = router()
        let todo = try #require(services.store.kept.first)
        router.routeToDetail(isPanel: false)
        views.calls.expect(.embed("TodoDetailViewController"))
        router.routeToDetail(isPanel: true)
        #expect(router.hasDetail)
        router.closeDetailPanel()
        views.calls.expect(.focusList)
        router.closeDetail()
        views.calls.expect(.remove("TodoDetailViewController"))
        router.routeToDetail(isPanel: true)
        views.calls.expect(.present("TodoDetailViewController"))
        router.routeToCalendar(TodoSnapshot([]), at: nil)
        views.calls.expect(.dismiss("TodoDetailViewController"), .present("TodoCalendarViewController"))
        router.routeToEditor(of: todo)
        views.calls.expect(.dismiss("TodoCalendarViewController"), .present("TodoEditorViewController"))
        #expect(router.children.count == 1)
        router.routeToCalendar(TodoSnapshot([]), at: nil)
        views.calls.finish()
    }

    @Test("The state for a start after a kill names the todo of open details or the day of the calendar")
    func restorationState() async throws {
        let router = router()
        let todo = try #require(services.store.kept.first)
        router.interactor.router = router
        #expect(router.restorationState == [:])
        router.interactor.didChooseOpen(todo)
        views.calls.expect(.present("TodoDetailViewController"))
        #expect(router.restorationState == ["detail": todo.id.description])
        router.routeToCalendar(TodoSnapshot([]), at: Day.sample.adding(3))
        views.calls.expect(.dismiss("TodoDetailViewController"), .present("TodoCalendarViewController"))
        #expect(router.restorationState == ["calendar": "2026-03-23"])
        router.closeCalendar()
        views.calls.expect(.dismiss("TodoCalendarViewController"))
        // Details beside the list follow its selection.
        router.routeToDetail(isPanel: false)
        views.calls.expect(.embed("TodoDetailViewController"))
        #expect(router.restorationState == [:])
        views.calls.finish()
    }

    @Test(
        "Invalid places of a stored state open nothing",
        arguments: [
            ["detail": "no id!"], ["calendar": "2026-02-31"], ["calendar": "soon", "detail": ""], ["editor": "x"],
        ]
    )
    func invalidPlace(state: [String: String]) {
        #expect(TodoListPlace(state) == nil)
        let router = router()
        router.restore(state: state)
        #expect(router.restorationState == [:])
        // Until the todos are read, the place that is restored is the state.
        router.restore(state: ["calendar": "2026-03-23"])
        #expect(router.restorationState == ["calendar": "2026-03-23"])
    }

    @Test("The editor is attached, then presented; dismissed, then detached; each once even if requested twice")
    func editor() throws {
        let router = router()
        let todo = try #require(services.store.kept.first)
        var attached: [Int] = []
        views.onCall = { [weak router] _ in attached.append(router?.children.count ?? 0) }
        router.closeEditor()
        router.routeToEditor(of: todo)
        router.routeToEditor(of: todo)
        views.calls.expect(.present("TodoEditorViewController"))
        router.closeEditor()
        router.closeEditor()
        views.calls.expect(.dismiss("TodoEditorViewController"))
        router.routeToEditor(of: todo)
        views.calls.expect(.present("TodoEditorViewController"))
        #expect(attached == [1, 1, 1])
        #expect(router.children.first?.interactable.isActive == true)
        views.calls.finish()
    }
}
