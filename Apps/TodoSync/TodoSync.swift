import CalDAV
import EssentialFoundation
import LocalProvider
package import TodoCore

/// The sync of a store with a CalDAV server.
///
/// Each run reads the server's changes since the last one, merges them into the todos, and sends the todos that were changed here.
/// Every step can be repeated: a kill or a lost reply between any two leads to the same result at the next run. For each todo, the
/// text of the server is stored after the todo, and the token of a list after all of its todos.
package actor TodoSync {
    let store: TodoStore
    let records: SyncStore
    let server: any TodoServer
    let clock: TodoClock

    var account: SyncAccount
    var items = SyncStore.Items()
    private var hasItems = false
    /// The todos by UUID, and the UUIDs by ID.
    var local: [UUID: Todo] = [:]
    var uuids: [TodoID: UUID] = [:]
    /// The records of changed todos at the time at which `local` was read.
    var unsynced: [UUID: TodoUnsynced] = [:]
    var report = SyncReport()
    /// The todos that several lists had at the end of an earlier run.
    private(set) var earlierDoubles: Set<UUID> = []
    /// The lists of which not every change was merged, so that their tokens are not stored.
    var incomplete: Set<String> = []
    /// The lists whose changes could not be read in this run, and the first reason.
    var unread: Set<String> = []
    var failure: SyncError?
    /// The todos whose UIDs the server has elsewhere, without saying where.
    var conflicting: Set<UUID> = []
    var allowsDeletions = false

    /// Creates the sync of a store.
    ///
    /// - Parameters:
    ///   - store: the todos.
    ///   - records: the files of the sync.
    ///   - server: the server.
    ///   - clock: the present time, and the time zone of the user.
    /// - Throws: ``SyncError/notSetUp`` without an account, and ``SyncError/storage(_:)``.
    package init(
        store: TodoStore,
        records: SyncStore,
        server: any TodoServer,
        clock: TodoClock = TodoClock()
    ) throws(SyncError) {
        guard let account = try stored({ () throws(LocalError) in try records.account() }) else { throw .notSetUp }
        (self.store, self.records, self.server, self.clock) = (store, records, server, clock)
        self.account = account
    }

    /// Syncs all lists.
    ///
    /// - Parameters:
    ///   - allowsDeletions: whether more than half of a list may be deleted, here or on the server.
    ///   - restoresDeletions: whether todos come back whose deletion requires consent.
    /// - Returns: what was done.
    /// - Throws: ``SyncError``. The status of the account has the reason, too, and the time before which a program should not try
    ///   again unasked.
    package func run(
        allowsDeletions: Bool = false,
        restoresDeletions: Bool = false
    ) async throws(SyncError) -> SyncReport {
        guard let lock = SyncLock(path: records.lockPath) else { throw .isRunning }
        self.allowsDeletions = allowsDeletions
        guard let account = try stored({ () throws(LocalError) in try records.account() }) else { throw .notSetUp }
        self.account = account
        (report, hasItems) = (SyncReport(), false)
        (unread, failure, conflicting) = ([], nil, [])
        self.account.status.attempt = clock.now()
        let failure: SyncError?
        do throws(SyncError) {
            if restoresDeletions { try await restore() }
            try await syncAll()
            var status = SyncStatus(attempt: clock.now(), success: clock.now())
            (status.refusals, status.problems) = (report.refusals, report.problems)
            self.account.status = status
            failure = nil
        } catch {
            note(error)
            failure = error
        }
        let events = report.events
        try stored { () throws(LocalError) in try records.add(events) }
        try saveAccount()
        _ = consume lock
        if let failure { throw failure }
        return report
    }

    private func syncAll() async throws(SyncError) {
        // A tag is enough to know that nothing has changed.
        let (home, needsTokens) = (account.home, account.lists.contains { $0.ctag == nil })
        let calendars = try await remote { () throws(CalDAVError) in
            try await server.calendars(in: home, syncTokens: needsTokens)
        }
        try await update(calendars)
        try await load()
        var waiting = account.lists.filter(\.isOutdated).map(\.id)
        try forgetTags(unsynced.isEmpty ? waiting : account.lists.map(\.id))
        // Sending changes moves the tokens of the lists: they are read again, and a change in between is merged.
        for _ in 0..<8 {
            if !waiting.isEmpty { try await pull(waiting) }
            if unsynced.isEmpty { break }
            waiting = try await push()
            if waiting.isEmpty {
                // Without a change of the server no other reading follows, but a parent may have been deleted here, or come back.
                try await linkChildren()
                guard try await markPartsOfRestored() else { break }
            } else {
                try await load()
            }
        }
        guard let failure else { return }
        (account.status.refusals, account.status.problems) = (report.refusals, report.problems)
        throw failure
    }

    /// Forgets the tags of the lists before their todos change. A tag can be that of the content, so that an older one returns
    /// when a change is undone there, although this machine has read a later state.
    private func forgetTags(_ lists: [String]) throws(SyncError) {
        guard !lists.isEmpty else { return }
        for index in account.lists.indices where lists.contains(account.lists[index].id) {
            account.lists[index].ctag = nil
            if case .tag? = account.lists[index].token { account.lists[index].token = nil }
        }
        try saveAccount()
    }

    /// Reads the records of changed todos, and then the todos: a change in between is sent now or later, never forgotten.
    func load() async throws(SyncError) {
        try await readUnsynced()
        let isNeeded = !unsynced.isEmpty || account.lists.contains(where: \.isOutdated)
        guard isNeeded else { return }
        let all = try await readTodos()
        try readItems()
        try await removeDoubles(all)
        _ = try await markPartsOfRestored()
    }

    /// Reads the items once in a run, which alone changes them while it holds the lock. Those that cannot be read are forgotten:
    /// their lists are read as a whole.
    func readItems() throws(SyncError) {
        guard !hasItems else { return }
        items = try stored { () throws(LocalError) in try records.readItems() }
        if !items.unreadable.isEmpty {
            let damaged = items.damagedLists
            for index in account.lists.indices where damaged.contains(account.lists[index].id) {
                (account.lists[index].token, account.lists[index].ctag) = (nil, nil)
            }
            // The tokens first: a kill in between leads here again.
            try saveAccount()
            try save(items.unreadable.map(SyncStore.Change.removeUnreadable))
        }
        earlierDoubles = doubles()
        hasItems = true
    }

    /// Removes todos that an undo has brought back after the server had, under another ID.
    private func removeDoubles(_ all: [Todo]) async throws(SyncError) {
        guard local.count < all.count else { return }
        let present = Dictionary(items.todos.values.joined().map { ($0.key, $0.value.todo.id) }) { first, _ in first }
        var doubles: [Todo] = []
        for case let (uuid?, same) in Dictionary(grouping: all, by: \.uuid) where same.count > 1 {
            guard let id = present[uuid], let stays = same.first(where: { $0.id == id }) else { continue }
            note(stays)
            doubles += same.filter { $0.id != id }
        }
        let changes = doubles.map { TodoSyncChange(expected: $0, versions: [nil], verb: "sync: remove") }
        for case let todo? in try await apply(changes) {
            uuids[todo.id] = nil
            add(.removed, todo.title, todo.list ?? "")
        }
    }

    /// Reads the todos.
    func readTodos() async throws(SyncError) -> [Todo] {
        let all = try await todos { () throws(TodoError) in try await store.contents().todos }
        (local, uuids) = ([:], [:])
        for todo in all { note(todo) }
        return all
    }

    /// Reads the records of changed todos.
    func readUnsynced() async throws(SyncError) {
        let records = try await todos { () throws(TodoError) in try await store.unsynced() }
        unsynced = Dictionary(records.map { ($0.uuid, $0) }) { $1 }
    }

    /// Notes the present state of a todo.
    func note(_ todo: Todo) {
        guard let uuid = todo.uuid else { return }
        local[uuid] = todo
        uuids[todo.id] = uuid
    }

    /// Updates the names, colours and rights of the lists. A list whose calendar is gone becomes local.
    private func update(_ calendars: [CalDAVCalendar]) async throws(SyncError) {
        let present = try await todos { () throws(TodoError) in try await store.syncedLists() }
        var lists: [SyncList] = []
        for var list in account.lists {
            // A kill may have come after the store took over a name, and before the account did.
            if let name = present.first(where: { $0.syncID == list.id })?.name { list.name = name }
            // A list that is missing from a reply may be there nevertheless.
            var calendar = calendars.first { $0.href == list.calendar.href }
            if calendar == nil, try await exists(list) { calendar = list.calendar }
            guard var calendar else {
                let message = "the list is not on the server any more; its todos stay here as a local list"
                add(.problem(message), list.name, list.name)
                let id = list.id
                try stored { () throws(LocalError) in try records.removeItems(of: id) }
                (items.todos[id], items.foreign[id]) = (nil, nil)
                continue
            }
            calendar.supportsSyncCollection = calendar.supportsSyncCollection || list.calendar.supportsSyncCollection
            // The token says that the list is as it was read, and the tag belongs to it.
            if calendar.syncToken != nil, list.token == calendar.token { list.ctag = calendar.ctag }
            list.calendar = calendar
            lists.append(list)
        }
        let old = lists.map(\.name)
        for (index, name) in (await names(of: lists)).enumerated() { lists[index].name = name }
        account.lists = lists
        let changed = zip(old, lists.map(\.todoList)).map { (name: $0, list: $1) }
        let isSame = present == changed.map(\.list).sorted { $0.name < $1.name }
        if !isSame || changed.contains(where: { $0.name != $0.list.name }) {
            try await todos { () throws(TodoError) in try await store.setSyncedLists(changed) }
        }
    }

    /// Returns the names that lists have on the server. One that another list has in any case is not taken over.
    private func names(of lists: [SyncList]) async -> [String] {
        let present = lists.map(\.name)
        var names = lists.map { (try? TodoList.name($0.calendar.name)) ?? $0.name }
        guard names != present, let all = try? await store.lists() else { return present }
        let others = all.map(\.name).filter { !present.contains($0) }
        func isTaken(_ index: Int) -> Bool {
            guard names[index] != present[index] else { return false }
            let lists = names.indices.filter { $0 < index || $0 > index && names[$0] == present[$0] }
            return (others + lists.map { names[$0] }).contains { $0.lowercased() == names[index].lowercased() }
        }
        // A list that retains its name may be in the way of another one.
        while let index = names.indices.first(where: { isTaken($0) }) { names[index] = present[index] }
        return names
    }

    private func exists(_ list: SyncList) async throws(SyncError) -> Bool {
        do throws(CalDAVError) {
            _ = try await server.changes(in: list.calendar, since: list.token, known: [:])
            return true
        } catch {
            switch error.reason {
            case .notFound, .refused(status: 403, _): return false
            default:
                guard error.concernsOneResource else { throw .server(error) }
                return true
            }
        }
    }

    /// The longest pause in seconds, whatever a server asks for.
    static let longestPause = 86_400.0

    private func note(_ error: SyncError) {
        // A sync that the program has cancelled says nothing about the server.
        guard let problem = SyncProblem(error) else { return }
        account.status.failures += 1
        (account.status.problem, account.status.kind) = (problem.detail, problem.kind)
        var pause = Duration.seconds(min(3600, 15 << min(account.status.failures, 10)))
        if case .server(let error) = error, case .busy(let wanted?) = error.reason { pause = max(pause, wanted) }
        let seconds = min(Double(pause.components.seconds), Self.longestPause)
        account.status.pause = clock.now().addingTimeInterval(seconds)
    }

    func add(_ action: SyncEvent.Action, _ title: String, _ list: String) {
        // A sync that sends again what was refused reports it once.
        if case .problem = action,
            report.events.contains(where: { ($0.action, $0.title, $0.list) == (action, title, list) })
        {
            return
        }
        report.events.append(SyncEvent(date: clock.now(), list: list, title: title, action: action))
    }

    func list(_ id: String) -> SyncList? { account.lists.first { $0.id == id } }

    /// Returns the list in which a todo is; `nil` for a local one.
    func target(_ todo: Todo) -> SyncList? { account.lists.first { $0.name == todo.list } }

    /// Returns the UID of a todo.
    func uid(_ uuid: UUID) -> String {
        items.uid(uuid) ?? local[uuid].map { ICalendarFormat.uid($0) } ?? uuid.text
    }

    // MARK: Storing

    func saveAccount() throws(SyncError) {
        let present = account
        try stored { () throws(LocalError) in try records.setAccount(present) }
    }

    /// Stores changes of the items.
    func save(_ changes: [SyncStore.Change]) throws(SyncError) {
        try stored { () throws(LocalError) in try records.apply(changes) }
    }

    /// Notes an item, and returns the change that stores it.
    func set(_ item: SyncItem) -> SyncStore.Change {
        items.todos[item.list, default: [:]][item.uuid] = item
        return .set(item)
    }

    /// Forgets an item, and returns the change that removes it.
    func drop(_ item: SyncItem) -> SyncStore.Change {
        items.todos[item.list]?[item.uuid] = nil
        return .remove(item)
    }

    /// Changes the todos of the store. The todo of a change is `nil` if it was not made, since the todo was changed meanwhile.
    func apply(_ changes: [TodoSyncChange]) async throws(SyncError) -> [Todo?] {
        guard !changes.isEmpty else { return [] }
        return try await todos { () throws(TodoError) in try await store.apply(changes) }
    }
}
