import AppTestSupport
import AppUI
import RIBs
import TestSupport
import Testing
import TodoCore

@testable import TodoFeature

/// An active interactor of the todo list over fakes.
@MainActor
final class TodoListFixture {
    /// The interactor's calls to its parent and its router.
    enum Call: Equatable {
        case failure(String)
        case information(String)
        case undoable(String)
        case openEditor(String)
        case closeEditor
        case openDetail(isPanel: Bool)
        case focusDetail
        case closeDetail
        case openCalendar
        case closeCalendar
    }

    /// The parent.
    @MainActor
    final class Listener: TodoListListener {
        let calls: CallJournal<Call> = journal()
        private(set) var damage: [[String]] = []
        private(set) var steps: [String] = []

        func todoListDidNotice(_ notice: Notice) {
            switch notice.kind {
            case .failure: calls.record(.failure(notice.text))
            case .information: calls.record(.information(notice.text))
            case .undoable(let step):
                steps.append(step)
                calls.record(.undoable(notice.text))
            }
        }

        private(set) var contexts: [String?] = []
        func todoListDidChange(context: String?) { contexts.append(context) }
        func todoListDidFindDamage(_ damage: [String]) { self.damage.append(damage) }

        /// Waits for the next call, then compares it.
        func expect(_ call: Call, line: UInt = #line) async throws {
            try await eventually(within: .seconds(10)) { !calls.unasserted.isEmpty }
            calls.expect(call, line: line)
        }
    }

    /// The list's router.
    @MainActor
    final class Router: TodoListRouting {
        let calls: CallJournal<Call> = journal()
        let interactable: any Interactable = Interactor()
        let viewControllable: any ViewControllable = NoView()
        let children: [any Routing] = []
        var editorDraft: [String: String] { [:] }
        func restoreEditor(_ draft: [String: String]) { Issue.record("restoreEditor was not expected") }
        var editorUnsavedText: [String] = []
        var unsavedText: [String] = []

        func routeToEditor(of todo: Todo) { calls.record(.openEditor(todo.title)) }
        func closeEditor() { calls.record(.closeEditor) }
        var hasDetail = false
        private(set) var families: [TodoFamily?] = []
        private(set) var snapshots: [TodoSnapshot] = []
        func routeToDetail(isPanel: Bool) {
            hasDetail = true
            calls.record(.openDetail(isPanel: isPanel))
        }
        func focusDetail() { calls.record(.focusDetail) }
        func showDetail(_ family: TodoFamily?) { families.append(family) }
        func closeDetail() { if hasDetail { hasDetail = false; calls.record(.closeDetail) } }
        func closeDetailPanel() { closeDetail() }
        private(set) var days: [Day?] = []
        func routeToCalendar(_ snapshot: TodoSnapshot, at day: Day?) {
            days.append(day)
            calls.record(.openCalendar)
        }
        func showCalendar(_ snapshot: TodoSnapshot) { snapshots.append(snapshot) }
        func closeCalendar() { calls.record(.closeCalendar) }
        func undo(step: String) { Issue.record("undo was not expected") }
        func add(step: TodoStep) { Issue.record("add was not expected") }
        func lists() async -> [TodoListEntry] { [] }
        func show(list id: String) { Issue.record("show was not expected") }
        func load() { Issue.record("load was not expected") }
        func attachChild(_ child: any Routing) { Issue.record("attachChild was not expected") }
        func detachChild(_ child: any Routing) { Issue.record("detachChild was not expected") }
    }

    @MainActor
    final class NoView: ViewControllable {}

    let services: TodoServices
    let presenter = TodoListPresenterDouble()
    let listener = Listener()
    let router = Router()
    let interactor: TodoListInteractor

    var store: FakeTodoStore { services.store }

    init(
        _ lines: String...,
        templates: String? = nil,
        openEditor: @escaping @MainActor (_ path: String) async -> Int32 = { _ in 1 }
    ) async throws {
        services = try TodoServices(lines)
        services.openEditor = openEditor
        services.templates = TemplateFolder(templates)
        interactor = TodoListInteractor(presenter: presenter, dependency: services)
        interactor.listener = listener
        interactor.router = router
        interactor.activate()
        try await eventually { !presenter.models.isEmpty }
    }

    /// The todo with a title.
    func todo(_ title: String) throws -> Todo { try #require(store.kept.first { $0.title == title }) }
}
