import AppLanguage
import AppUI
import RIBs
import TerminalUI
import TodoCore

/// The logic of the todo list: reads, filters and shows the todos. Its changes are in `TodoListInteractor+Changes.swift`.
@MainActor
final class TodoListInteractor: PresentableInteractor<any TodoListPresentable> {
    /// How long a change may take before the screen says that it is being saved.
    static let patience = Duration.milliseconds(500)
    /// How often the date is checked.
    static let dateCheck = Duration.seconds(30)

    weak var router: (any TodoListRouting)?
    weak var listener: (any TodoListListener)?

    let store: any TodoStoring
    let pending: PendingChanges
    let clock: any Clock<Duration>
    let language: AppLanguage
    let openEditor: @MainActor (_ path: String) async -> Int32
    let templates: TemplateFolder
    let today: @Sendable () -> Day
    private let time: @Sendable () -> TimeOfDay?
    private let keyProblems: [KeyText]
    private let defaultView: String?
    let defaultSort: TodoSort?
    var model: TodoListModel
    /// The changes made on this screen that can be undone, the latest last.
    var steps: [TodoStep] = []
    /// The completion that the user is asked about, with or without the open subtasks.
    var completion: (@MainActor (_ withSubtasks: Bool) -> Void)?
    /// The undo that the user is asked about.
    var question: (@MainActor () -> Void)?
    /// The lines that the user is asked about because another process has changed their todos. The latest question is on top.
    var conflicts: [TodoLineConflict] = []
    /// Whether the details are a pane beside the list.
    private var hasDetailPane = false
    /// The todo in the details over the list, which stays there when the list changes.
    private(set) var openID: TodoID?
    /// The place of an earlier process, until the todos are read.
    private(set) var placeToRestore: TodoListPlace?
    private var isRestoring = false
    private var showing: Task<Void, Never>?
    /// The todos that were read last.
    var snapshot: TodoSnapshot? { model.snapshot }
    /// Those of them that the context does not hide.
    private var calendarSnapshot: TodoSnapshot?
    /// The filter for the day that was chosen in the calendar, which counts waiting todos: they are listed, too.
    private var calendarFilter: String?
    /// The context that the filter and the toolbar are about.
    private var shownContext: TodoView?
    /// The numbers of the readings that were requested and that were made.
    private var requestedRead = 0
    private var madeRead = 0
    private var reading: Task<Void, Never>?
    /// The number of searches begun, and the latest one.
    private var searchCount = 0
    private var searching: Task<TodoRows?, Never>?
    /// The todo to select as soon as it is listed, and whether it was just added.
    var wanted: (todo: Todo, isNew: Bool)?

    init(presenter: any TodoListPresentable, dependency: any TodoListDependency) {
        store = dependency.todoStore
        pending = dependency.pendingChanges
        clock = dependency.clock
        language = dependency.appearance.language
        openEditor = dependency.openEditor
        templates = dependency.templates
        today = dependency.today
        time = dependency.time
        keyProblems = dependency.keyMap.problems
        (defaultView, defaultSort) = dependency.listDefaults
        model = TodoListModel(today: dependency.today())
        model.request.sort = defaultSort
        model.dates = dependency.appearance.dates
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        if let problem = TodoListText.keyProblem(keyProblems) {
            listener?.todoListDidNotice(Notice(kind: .failure, text: problem(language)))
        }
        let (store, clock) = (store, clock)
        task { [weak self] in
            // The stream is opened before the first read, so that no change is missed between the two.
            let changes = await store.changes()
            await self?.openDefaultView()
            await self?.reload()
            for await _ in changes { await self?.reload() }
        }
        task { [weak self] in
            while (try? await clock.sleep(for: Self.dateCheck)) != nil { self?.updateDate() }
        }
    }

    override func willResignActive() {
        super.willResignActive()
        searching?.cancel()
    }

    private func openDefaultView() async {
        guard let defaultView, let view = try? await store.view(defaultView), model.scope == .all else { return }
        show(.view(view))
    }

    /// Opens the details or the calendar of an earlier process, once the todos are read. Details of a todo that has gone
    /// stay closed.
    func restore(_ place: TodoListPlace) {
        placeToRestore = place
        task { [weak self] in await self?.restorePlace() }
    }

    /// Opens the place to restore. It is requested by a reading and by ``restore(_:)``, possibly at the same time, and another
    /// place may be requested before it is open: the first call opens them all.
    private func restorePlace() async {
        guard !isRestoring, let snapshot, let calendarSnapshot else { return }
        isRestoring = true
        defer { isRestoring = false }
        while let place = placeToRestore {
            if let day = place.calendar {
                router?.routeToCalendar(calendarSnapshot, at: day)
            } else if let id = place.detail, let todo = await snapshot.family(of: id)?.todo, isActive {
                // Details beside the list follow its selection.
                wanted = (todo, isNew: false)
                await search()
                if isActive, !hasDetailPane { didChooseOpen(todo) }
            }
            if placeToRestore == place { placeToRestore = nil }
        }
    }

    // MARK: - Showing

    /// Reads the todos again and shows them. Requests during a reading are met by one further reading.
    func reload() async {
        // A cancelled task runs on until its next check; do not read for a screen that is gone.
        guard isActive else { return }
        requestedRead += 1
        if reading == nil {
            reading = Task { [self] in
                while isActive, madeRead != requestedRead {
                    let number = requestedRead
                    await read()
                    madeRead = number
                }
                reading = nil
            }
        }
        await reading?.value
    }

    private func read() async {
        do throws(TodoError) {
            let contents = try await store.contents()
            let context = try await store.contextView()
            let scope = model.scope
            let scopes = try await scopes()
            // Neither sorting nor filtering happens on the main actor: both take longer the more todos there are.
            let snapshot = await TodoSnapshot.prepare(contents, for: model.request)
            guard isActive else { return }
            model.snapshot = snapshot
            (model.context, model.scopes) = (context, scopes)
            calendarSnapshot =
                context == nil ? snapshot : await snapshot.restricted(to: query(of: .all), order: contents.order)
            guard isActive else { return }
            model.openCount = snapshot.openCount
            model.doneCount = snapshot.doneCount
            model.today = today()
            model.time = time()
            model.isLoaded = true
            // A view or list that was chosen since may be newer than the scopes that were read.
            if model.scope == scope { updateScope() } else { requestedRead += 1 }
            if context != shownContext {
                shownContext = context
                setFilter(model.filterText)
                listener?.todoListDidChange(context: context?.name)
            }
            listener?.todoListDidFindDamage(contents.damage.map(\.description))
            await search()
            if let calendarSnapshot { router?.showCalendar(calendarSnapshot) }
            showDetail()
            await restorePlace()
        } catch {
            guard isActive else { return }
            listener?.todoListDidFindDamage([error.text(language)])
            show()
        }
    }

    /// Shows a list or view as another program has changed it since; all todos, if it was removed or renamed.
    private func updateScope() {
        let present = model.scopes.first { $0.id == model.scope.id }
        guard present != model.scope else { return }
        if let present {
            model.scope = present
            setFilter(model.filterText)
        } else {
            show(.all)
            presenter.showFilter("")
        }
    }

    /// Shows the model without another search.
    func show() { presenter.show(model, selecting: nil) }

    /// Filters the todos that were read last and shows them, unless the filter changes before.
    func search() async {
        guard let snapshot else { return }
        searchCount += 1
        let number = searchCount
        searching?.cancel()
        let (request, id) = (model.request, wanted?.todo.id ?? presenter.selectedID)
        let folded = model.folded
        let work = Task { () -> TodoRows? in
            guard let listing = await snapshot.listing(request, locating: id) else { return nil }
            return await TodoRows.rows(of: listing, folded: folded)
        }
        searching = work
        guard let rows = await work.value, isActive, number == searchCount else { return }
        let listing = rows.listing
        // One that was chosen since then is for the next search.
        let wanted = self.wanted?.todo.id == id ? self.wanted : nil
        if let wanted, listing.locatedRow != nil, rows.locatedRow(of: wanted.todo.id) == nil {
            // The todo to select is folded away.
            model.folded = []
            return await search()
        }
        if !model.marked.isEmpty {
            // The next action on marked todos must not change those that are not shown.
            let shown = await rows.allIDs()
            guard isActive, number == searchCount else { return }
            model.marked.formIntersection(shown)
        }
        model.rows = rows
        if let wanted, listing.locatedRow != nil || listing.isLocatedKnown {
            self.wanted = nil
            model.hidden = wanted.isNew && listing.locatedRow == nil ? wanted.todo : nil
            presenter.show(model, selecting: wanted.todo.id)
        } else {
            presenter.show(model, selecting: nil)
        }
    }

    /// Starts a search with changed contents of the list.
    func searchAgain() { task { [weak self] in await self?.search() } }

    /// Selects a todo as soon as it is listed. If a new todo is not listed, the screen says so.
    func select(_ todo: Todo, isNew: Bool) {
        wanted = (todo, isNew)
        model.hidden = nil
        // The todo may have been read already.
        searchAgain()
    }

    /// Shows the selected todo in the details, if they are visible.
    private func showDetail() {
        guard router?.hasDetail == true, let snapshot else { return }
        showing?.cancel()
        let id = hasDetailPane ? presenter.selectedID : openID
        showing = Task { [weak self] in
            let family = if let id { await snapshot.family(of: id) } else { TodoFamily?.none }
            guard !Task.isCancelled, let self, isActive else { return }
            router?.showDetail(family)
        }
    }

    private func updateDate() {
        guard isActive, model.isLoaded else { return }
        guard model.today != today() else { return updateTime() }
        // Relative dates of the filter count from the new day, on which todos may stop waiting and are more urgent: the order
        // and the calendar's todos come with a reading.
        model.today = today()
        model.time = time()
        setFilter(model.filterText)
        show()
        task { [weak self] in await self?.reload() }
    }

    private func updateTime() {
        guard model.time != time() else { return }
        model.time = time()
        show()
        showDetail()
        guard model.request.filter.query.dependsOnTime else { return }
        setFilter(model.filterText)
        searchAgain()
    }

    /// The day with which weeks begin, 0 for Monday to 6 for Sunday.
    var firstWeekday: Int { model.dates.firstWeekday.number }

    /// Reads the text of the filter. A text that is not a query, such as one that is not completely typed, is read as words.
    /// The scope and the context narrow it further.
    func setFilter(_ text: String) {
        model.filterText = text
        model.hidden = nil
        let typed: TodoQuery
        do throws(TodoQueryError) {
            typed = try TodoQuery(parsing: text, today: model.today, time: model.time, firstWeekday: firstWeekday)
            model.filterProblem = nil
        } catch {
            typed = TodoQuery(words: text)
            model.filterProblem = TodoListText.invalidQuery(error)
        }
        if text != calendarFilter { calendarFilter = nil }
        model.request.filter.query = typed.and(query(of: model.scope))
        model.request.filter.today = calendarFilter == nil ? model.today : nil
    }

    /// The query of a scope within the context.
    func query(of scope: TodoScope) -> TodoQuery {
        let context = model.context.map { TodoScope.view($0).query(model) } ?? TodoQuery()
        return scope.query(model).and(context)
    }

    // MARK: - Contents of the list

    func didChangeFilter(_ text: String) {
        model.today = today()
        model.time = time()
        setFilter(text)
        searchAgain()
    }

    func didToggleDone() {
        model.request.filter.status = model.request.filter.status == .open ? .all : .open
        searchAgain()
    }

    func didChooseSort(_ sort: TodoSort?) {
        model.request.sort = sort
        searchAgain()
    }

    func didChooseGrouping(_ grouping: TodoGrouping?) {
        model.request.grouping = grouping
        searchAgain()
    }

    func didChooseReveal() {
        if let todo = model.hidden { reveal(todo) }
    }

    /// Shows a todo in the list, which may hide it.
    private func reveal(_ todo: Todo) {
        select(todo, isNew: false)
        // First the filter goes; a todo that is hidden by its state needs the others, too.
        model.request.filter.status =
            todo.isDone || todo.isWaiting(on: model.today) ? .all : model.request.filter.status
        presenter.showFilter("")
        if model.scope != .all { show(.all) }
        // A todo has the labels of the context, which may demand more.
        if !query(of: .all).matches(todo) { didChooseContext(nil) }
        setFilter("")
        searchAgain()
    }

    // MARK: - Details and calendar

    func didSelect(_ todo: Todo?) { showDetail() }

    func didChooseOpen(_ todo: Todo) {
        guard !hasDetailPane else { return router?.focusDetail() ?? () }
        router?.routeToDetail(isPanel: true)
        open(todo)
    }

    /// Shows a todo in the panel of the details.
    private func open(_ todo: Todo) {
        openID = todo.id
        // The next key applies to it, also before its relations are read.
        router?.showDetail(TodoFamily(todo: todo))
        showDetail()
    }

    /// Shows another todo in the details.
    func jump(to todo: Todo) {
        guard hasDetailPane else { return open(todo) }
        // Details beside the list follow its selection.
        wanted = (todo, isNew: false)
        task { [weak self] in
            await self?.search()
            if let self, isActive, presenter.selectedID != todo.id { reveal(todo) }
        }
    }

    func didChangeRoom(hasRoomForDetail: Bool) {
        guard hasRoomForDetail != hasDetailPane else { return }
        hasDetailPane = hasRoomForDetail
        router?.closeDetail()
        if hasRoomForDetail { router?.routeToDetail(isPanel: false) }
        showDetail()
    }

    func didChooseCalendar() {
        if let calendarSnapshot { router?.routeToCalendar(calendarSnapshot, at: nil) }
    }
}

extension TodoListInteractor: TodoCalendarListener {
    func todoCalendarDidChoose(_ day: Day) {
        router?.closeCalendar()
        if model.scope != .all { show(.all) }
        let filter = "due:\(day)"
        calendarFilter = filter
        presenter.showFilter(filter)
        didChangeFilter(filter)
    }

    func todoCalendarDidClose() { router?.closeCalendar() }
}
