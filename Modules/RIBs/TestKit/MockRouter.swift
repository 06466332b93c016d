/// A router for tests of interactors: it records every routing call, and reports each that the test does not assert.
///
///     final class MockTodoRouter: MockRouter<TodoCall>, TodoRouting {
///         func routeToEditor() { record(.editor) }
///     }
///     let router = MockTodoRouter(interactor, report: { Issue.record("\($0)") })
///     interactor.router = router
///     interactor.didTapEdit()
///     router.expect(.editor)
///     router.finish()
///
/// Calls of ``Routing`` are recorded too, so that an unexpected attachment fails the test. The mock attaches nothing:
/// ``children`` is empty.
@MainActor
open class MockRouter<OwnCall: Equatable>: LaunchRouting {
    /// A call of the router.
    public enum Call: Equatable {
        /// ``Routing/load()``.
        case load
        /// ``Routing/attachChild(_:)``, with the type of the child.
        case attach(String)
        /// ``Routing/detachChild(_:)``, with the type of the child.
        case detach(String)
        /// ``LaunchRouting/launch(in:)``.
        case launch
        /// A transition of the subclass.
        case own(OwnCall)
    }

    /// The interactor.
    public final let interactable: any Interactable
    /// The view controller of the node.
    public final let viewControllable: any ViewControllable
    /// Always empty.
    public final let children: [any Routing] = []

    private final class NoView: ViewControllable {}
    private let journal: CallJournal<Call>

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - interactor: the interactor under test.
    ///   - viewController: the view controller; one without a view by default.
    ///   - report: fails the test with a message.
    public init(
        _ interactor: any Interactable,
        viewController: (any ViewControllable)? = nil,
        report: @escaping @MainActor (String) -> Void
    ) {
        interactable = interactor
        viewControllable = viewController ?? NoView()
        journal = CallJournal(report: report)
    }

    /// Records a transition of the subclass.
    public final func record(_ call: OwnCall) { journal.record(.own(call)) }

    /// Expects the oldest call that has not been expected yet to be this transition, and reports it otherwise.
    public final func expect(_ call: OwnCall, file: StaticString = #fileID, line: UInt = #line) {
        journal.expect(.own(call), file: file, line: line)
    }

    /// Expects the oldest call that has not been expected yet to be this one, and reports it otherwise.
    public final func expect(call: Call, file: StaticString = #fileID, line: UInt = #line) {
        journal.expect(call, file: file, line: line)
    }

    /// Expects that every call has been expected, and reports the rest.
    public final func finish(file: StaticString = #fileID, line: UInt = #line) {
        journal.finish(file: file, line: line)
    }

    /// Records the call.
    public final func load() { journal.record(.load) }

    /// Records the call.
    public final func attachChild(_ child: any Routing) { journal.record(.attach("\(type(of: child))")) }

    /// Records the call.
    public final func detachChild(_ child: any Routing) { journal.record(.detach("\(type(of: child))")) }

    /// Records the call.
    public final func launch(in window: any RootWindow) { journal.record(.launch) }
}
