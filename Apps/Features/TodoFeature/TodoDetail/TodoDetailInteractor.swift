import AppLanguage
import AppUI
import RIBs
import TodoCore

/// The values that the detail shows.
struct TodoDetailModel: Sendable {
    /// The todo with its parent and subtasks; `nil` if no todo is selected.
    var family: TodoFamily?
    /// The changes of the todo, the latest first; `nil` until they are read.
    var history: [TodoLogEntry]?
    /// The current day.
    var today: Day
    /// The current time of day.
    var time: TimeOfDay?
    /// How days are written.
    var dates = DateStyle()
    /// The titles of the todos for which it waits or has waited.
    var names: [UUID: String] = [:]
    /// The titles of the todos of which it is or was a part.
    var parents: [TodoID: String] = [:]
}

/// The logic of the detail: reads the history of a todo, and restores an earlier version.
@MainActor
final class TodoDetailInteractor: PresentableInteractor<any TodoDetailPresentable>, TodoDetailPresentableListener {
    /// How long a todo is selected before its history is read, so that moving through the list reads nothing.
    static let patience = Duration.milliseconds(150)

    weak var listener: (any TodoDetailListener)?

    private let store: any TodoStoring
    private let pending: PendingChanges
    private let clock: any Clock<Duration>
    private let language: AppLanguage
    private let today: @Sendable () -> Day
    private let time: @Sendable () -> TimeOfDay?
    private var model: TodoDetailModel
    private var reading: Task<Void, Never>?

    init(presenter: any TodoDetailPresentable, dependency: any TodoListDependency) {
        store = dependency.todoStore
        pending = dependency.pendingChanges
        clock = dependency.clock
        language = dependency.appearance.language
        today = dependency.today
        time = dependency.time
        model = TodoDetailModel(today: dependency.today(), dates: dependency.appearance.dates)
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func willResignActive() {
        super.willResignActive()
        reading?.cancel()
    }

    /// Shows a todo, and its history a moment later.
    func show(_ family: TodoFamily?) {
        let isSame = family?.todo.id == model.family?.todo.id
        let isUnchanged = isSame && family?.todo == model.family?.todo
        model.family = family
        model.today = today()
        model.time = time()
        if !isSame { model.history = nil }
        presenter.show(model)
        guard let id = family?.todo.id, !(isUnchanged && model.history != nil) else { return }
        reading?.cancel()
        let (store, clock) = (store, clock)
        reading = Task { [weak self] in
            if !isSame { guard (try? await clock.sleep(for: Self.patience)) != nil else { return } }
            let log = (try? await store.log()) ?? []
            let history = log.filter { !$0.isUndone && $0.versions.contains { $0.id == id } }
            let versions = history.flatMap(\.versions).filter { $0.id == id }
            let links = Set(versions.flatMap { ($0.before?.dependencies ?? []) + ($0.after?.dependencies ?? []) })
            let parents = Set(versions.flatMap { [$0.before?.parent, $0.after?.parent] }.compactMap(\.self))
            let todos = links.isEmpty && parents.isEmpty ? [] : (try? await store.todos()) ?? []
            guard !Task.isCancelled, let self, isActive, model.family?.todo.id == id else { return }
            model.history = history
            for todo in todos {
                if let uuid = todo.uuid, links.contains(uuid) { model.names[uuid] = todo.title }
                if parents.contains(todo.id) { model.parents[todo.id] = todo.title }
            }
            presenter.show(model)
        }
    }

    // MARK: - TodoDetailPresentableListener

    func didChooseClose() { listener?.todoDetailDidClose() }

    func didChooseEdit() {
        if let todo = model.family?.todo { listener?.todoDetailDidChooseEdit(todo) }
    }

    func didChooseText() {
        if let todo = model.family?.todo { listener?.todoDetailDidChooseText(todo) }
    }

    func didChooseJump(to todo: Todo) { listener?.todoDetailDidChooseJump(to: todo) }

    func didChooseWork() {
        if let todo = model.family?.todo { listener?.todoDetailDidChooseWork(todo) }
    }

    func didToggle(_ todo: Todo) { listener?.todoDetailDidToggle(todo) }

    func didChooseRestore(_ number: Int) {
        guard let todo = model.family?.todo else { return }
        let activity = TodoListText.activity(LocalizedText("restore", ko: "복원"), [todo.title])
        pending.perform(activity(language), isShown: { [self] in listener?.isActive == true }) { [self] in
            do throws(TodoError) {
                listener?.todoDetailDidRestore(try await store.perform(.restore(todo.id, before: number)))
                return .done
            } catch {
                listener?.todoDetailDidFail(error)
                return .failed(error.text(language))
            }
        }
    }
}

/// Creates the detail.
@MainActor
final class TodoDetailBuilder: Builder<any TodoListDependency> {
    /// Creates the RIB, over the list or as a pane beside it.
    func build(withListener listener: any TodoDetailListener, isPanel: Bool) -> any TodoDetailRouting {
        let viewController = TodoDetailViewController(
            appearance: dependency.appearance,
            keyMap: dependency.keyMap,
            isPanel: isPanel
        )
        let interactor = TodoDetailInteractor(presenter: viewController, dependency: dependency)
        interactor.listener = listener
        return TodoDetailRouter(interactor: interactor, viewController: viewController)
    }
}

/// The router of the detail, which has no children.
@MainActor
final class TodoDetailRouter: ViewableRouter<TodoDetailInteractor, TodoDetailViewController>, TodoDetailRouting {
    func show(_ family: TodoFamily?) { interactor.show(family) }
}

// MARK: - Protocols

/// The router of the detail, as its parent uses it.
@MainActor
protocol TodoDetailRouting: ViewableRouting {
    /// Shows a todo with its parent and subtasks; `nil` if none is selected.
    func show(_ family: TodoFamily?)
}

/// The parent of the detail.
@MainActor
protocol TodoDetailListener: AnyObject {
    /// Whether it is on the screen, so that it shows an error.
    var isActive: Bool { get }

    /// Called when the detail is to be closed.
    func todoDetailDidClose()

    /// Called when the todo is to be edited.
    func todoDetailDidChooseEdit(_ todo: Todo)

    /// Called when the todo is to be edited as text in the user's editor.
    func todoDetailDidChooseText(_ todo: Todo)

    /// Called when another todo is to be shown.
    func todoDetailDidChooseJump(to todo: Todo)

    /// Called when the todo or another one of the details was ticked or unticked.
    func todoDetailDidToggle(_ todo: Todo)

    /// Called when the user begins to work on the todo, or stops.
    func todoDetailDidChooseWork(_ todo: Todo)

    /// Called after an earlier version was restored.
    func todoDetailDidRestore(_ receipt: TodoReceipt)

    /// Called when an earlier version could not be restored.
    func todoDetailDidFail(_ error: TodoError)
}

/// The screen of the detail, as its interactor uses it.
@MainActor
protocol TodoDetailPresentable: Presentable {
    var listener: (any TodoDetailPresentableListener)? { get set }

    /// Shows a todo.
    func show(_ model: TodoDetailModel)
}

/// The user's actions in the detail.
@MainActor
protocol TodoDetailPresentableListener: AnyObject {
    /// The detail is to be closed.
    func didChooseClose()

    /// The todo is to be edited.
    func didChooseEdit()

    /// The todo is to be edited as text.
    func didChooseText()

    /// Another todo is to be shown.
    func didChooseJump(to todo: Todo)

    /// The todo or another one of the details was ticked or unticked.
    func didToggle(_ todo: Todo)

    /// The user begins to work on the todo, or stops.
    func didChooseWork()

    /// The state of the todo before a change of its history is to be restored.
    func didChooseRestore(_ number: Int)
}
