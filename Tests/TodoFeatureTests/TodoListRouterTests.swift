import AppTestSupport
import AppUI
import RIBs
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
    }

    private let views = Views()
    private let services: TodoServices

    init() throws {
        services = try TodoServices(["walk"])
    }

    @Test("The editor is attached, then presented; dismissed, then detached; each once even if requested twice")
    func editor() throws {
        let router = TodoListRouter(
            interactor: TodoListInteractor(presenter: TodoListPresenterDouble(), dependency: services),
            viewController: views,
            editorBuilder: TodoEditorBuilder(dependency: services)
        )
        router.interactable.activate()
        router.load()
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
