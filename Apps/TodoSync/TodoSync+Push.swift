import CalDAV
import EssentialFoundation
import TodoCore

/// Sending the changes of this machine.
extension TodoSync {
    /// The number of todos whose items are stored together.
    private static let batch = 50
    static let attempts = 4
    /// How many todos in a row the server may fail to store before the run ends.
    private static let failures = 20

    /// Sends the changed todos: parents before their parts, deletions last. Those of a list that could not be read wait.
    ///
    /// - Returns: the lists on whose calendars anything was changed.
    func push() async throws(SyncError) -> [String] {
        var touched: Set<String> = []
        var refused = 0
        let (changed, deleted) = order(
            unsynced.values.filter { local[$0.uuid].flatMap(target).map { !unread.contains($0.id) } ?? true }
        )
        var rest = (changed + (try allowed(deleted)))[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Self.batch))
            rest = rest.dropFirst(Self.batch)
            try announce(batch)
            var done: [TodoUnsynced] = []
            var failure: SyncError?
            for record in batch {
                do throws(SyncError) {
                    let (isDone, lists) = try await send(record)
                    touched.formUnion(lists)
                    if isDone { done.append(record) }
                    refused = 0
                } catch {
                    // The server may fail about one object alone, at every attempt: the others do not wait for it.
                    refused += 1
                    guard case .server(let reason) = error, reason.concernsOneResource, refused < Self.failures else {
                        failure = error
                        break
                    }
                    add(.problem(Self.problem(reason)), title(record.uuid), local[record.uuid]?.list ?? "")
                }
            }
            let finished = done
            try await todos { () throws(TodoError) in try await store.removeUnsynced(finished) }
            for record in finished { unsynced[record.uuid] = nil }
            if let failure { throw failure }
        }
        return Array(touched)
    }

    private func order(_ records: some Sequence<TodoUnsynced>) -> (changed: [TodoUnsynced], deleted: [TodoUnsynced]) {
        func depth(_ uuid: UUID) -> Int {
            var (depth, next) = (0, local[uuid]?.parent)
            while depth < 100, let id = next, let parent = uuids[id].flatMap({ local[$0] }) {
                (depth, next) = (depth + 1, parent.parent)
            }
            return depth
        }
        let all = records.map { (record: $0, depth: depth($0.uuid)) }
            .sorted { ($0.depth, $0.record.uuid.uuidString) < ($1.depth, $1.record.uuid.uuidString) }.map(\.record)
        return (all.filter { local[$0.uuid] != nil }, all.filter { local[$0.uuid] == nil })
    }

    /// Stores the texts of new objects before they are sent, so that a reply that is lost, or a kill, does not double them.
    private func announce(_ records: [TodoUnsynced]) throws(SyncError) {
        var changes: [SyncStore.Change] = []
        for record in records {
            guard let todo = local[record.uuid], let list = target(todo), list.calendar.canWrite,
                items.todos[list.id]?[record.uuid] == nil, let item = newItem(todo, list)
            else { continue }
            changes.append(set(item))
        }
        try save(changes)
    }

    private func newItem(_ todo: Todo, _ list: SyncList) -> SyncItem? {
        guard let uuid = todo.uuid else { return nil }
        let uid = uid(uuid)
        // A todo that moves between lists retains the text of its object.
        let other = items.todos.values.lazy.compactMap { $0[uuid] }.first
        let parent = parent(of: todo, other)
        let text =
            other.flatMap { edited($0, todo) }
            ?? SyncObject.text(of: todo, parent: parent.map { self.uid($0) }, clock: clock)
        // A UID of another program may be too long for a file, have characters that servers decode differently, or be the name of
        // a hidden file, which servers refuse.
        let isName = uid.utf8.count <= 100 && uid.utf8.allSatisfy(Self.isNameCharacter) && !uid.hasPrefix(".")
        let name = isName ? uid : uuid.text
        guard let href = list.calendar.href.member(name + ".ics") else { return nil }
        return SyncItem(list: list.id, uuid: uuid, uid: uid, href: href, text: text, todo: todo, parent: parent)
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._@".utf8.contains(byte)
        }
    }

    /// Returns the text of an item with the changes of its todo.
    private func edited(_ item: SyncItem, _ todo: Todo) -> String? {
        let parent = parent(of: todo, item)
        return (try? SyncObject(item.text, clock: clock))?.text(
            from: item.todo,
            to: todo,
            oldParent: item.parent.map { uid($0) },
            parent: parent.map { uid($0) },
            clock: clock
        )
    }

    /// Sends one todo.
    ///
    /// - Returns: whether it is synced, and the lists on whose calendars anything was changed.
    private func send(_ record: TodoUnsynced) async throws(SyncError) -> (isDone: Bool, lists: Set<String>) {
        var lists: Set<String> = []
        for _ in 0..<Self.attempts {
            let holders = account.lists.filter { items.todos[$0.id]?[record.uuid] != nil }
            guard let todo = local[record.uuid], let target = target(todo) else {
                // It was deleted, or it is local now.
                return (try await delete(record.uuid, in: holders, &lists), lists)
            }
            guard target.calendar.canWrite else {
                try await revert(todo, in: target)
                return (true, lists)
            }
            switch try await write(todo, in: target, &lists) {
            case .done:
                let others = holders.filter { $0.id != target.id }
                return (try await delete(record.uuid, in: others, &lists), lists)
            case .again: continue
            case .failed: return (false, lists)
            }
        }
        add(.problem("the server changes it all the time; the next sync tries again"), title(record.uuid), "")
        return (false, lists)
    }

    enum Outcome { case done, again, failed }

    /// Creates or replaces the object of a todo.
    private func write(_ todo: Todo, in list: SyncList, _ lists: inout Set<String>) async throws(SyncError) -> Outcome {
        guard let uuid = todo.uuid, var item = items.todos[list.id]?[uuid] ?? newItem(todo, list) else {
            return .failed
        }
        if isLeft(item) { return try await fetch(item, in: list) }
        let parent = parent(of: todo, item)
        let isSame = parent == item.parent && SyncField.areEqual(todo, item.todo)
        if isSame, item.etag != nil { return .done }
        guard let text = isSame ? item.text : edited(item, todo) else {
            add(.problem("its text cannot be changed"), todo.title, list.name)
            return .failed
        }
        let isNew = item.etag == nil
        let (href, etag) = (item.href, item.etag)
        if isNew {
            // The text that is sent is the base of a merge, if the reply is lost.
            (item.text, item.todo, item.parent) = (text, todo, parent)
            try save([set(item)])
        }
        let outcome = try await remote { () throws(CalDAVError) in
            if let etag { return try await server.update(text, at: href, in: list.calendar, matching: etag) }
            return try await server.create(text, at: href, in: list.calendar)
        }
        switch outcome {
        case .stored(let etag):
            lists.insert(list.id)
            (item.text, item.todo, item.parent, item.etag) = (text, todo, parent, etag)
            add(isNew ? .sentNew : .sentChange, todo.title, list.name)
            try save([set(item)])
            return etag == nil ? try await fetch(item, in: list) : .done
        case .preconditionFailed: return try await fetch(item, in: list)
        case .uidConflict(let other): return try await resolve(item, other, todo, in: list, &lists)
        case .gone where !isNew:
            // Deleted there and changed here: the change wins.
            item.etag = nil
            try save([set(item)])
            add(.restored, todo.title, list.name)
            return .again
        case .gone: add(.problem("the list is not on the server any more"), todo.title, list.name)
        case .full: add(.problem("the server has no space left; delete something there"), todo.title, list.name)
        case .readOnly: add(.problem("the server allows no changes of this list"), todo.title, list.name)
        case .rejected(let status, let condition):
            add(.problem(Self.rejection(status, condition)), todo.title, list.name)
        }
        return .failed
    }

    /// Finds the object that has the UID of a new one.
    ///
    /// On some servers a UID is unique in all lists of a user: a todo that moves is deleted in its old list first. Its text is
    /// stored, so that a kill in between loses nothing.
    private func resolve(
        _ item: SyncItem,
        _ other: CalDAVHref?,
        _ todo: Todo,
        in list: SyncList,
        _ lists: inout Set<String>
    ) async throws(SyncError) -> Outcome {
        for old in account.lists where old.id != list.id && old.calendar.canWrite {
            guard let held = items.todos[old.id]?[item.uuid], held.etag != nil, other == nil || other == held.href
            else { continue }
            return try await delete(item.uuid, in: [old], &lists) ? .again : .failed
        }
        if let other, other.isMember(of: list.calendar.href) {
            // Its UID has another path in the list: that is its object.
            var item = item
            item.href = other
            return try await fetch(item, in: list)
        }
        // The list has it, perhaps, but not among its last changes: it is read once as a whole.
        if other == nil, conflicting.insert(item.uuid).inserted {
            try save([drop(item)])
            if let index = account.lists.firstIndex(where: { $0.id == list.id }) { account.lists[index].token = nil }
            lists.insert(list.id)
            return .failed
        }
        add(.problem("the server has its UID in another list; delete one of the two"), todo.title, list.name)
        return .failed
    }

    private static func rejection(_ status: Int, _ condition: String?) -> String {
        "the server rejects it with status \(status)" + (condition.map { " (\($0))" } ?? "")
    }

    private static func problem(_ error: CalDAVError) -> String {
        if case .refused(let status, let condition) = error.reason { return rejection(status, condition) }
        return "\(error)"
    }

    /// Reads the object of an item and merges it with the todo.
    func fetch(_ item: SyncItem, in list: SyncList) async throws(SyncError) -> Outcome {
        guard let object = try await object(of: item, in: list) else {
            var item = item
            item.etag = nil
            try save([set(item)])
            return .again
        }
        // Stored with the version that is merged.
        _ = set(item)
        try await receive([object], in: list)
        return isLeft(item, reporting: list) ? .failed : .again
    }

    /// Reads the object of an item; returns `nil` if the server has none.
    func object(of item: SyncItem, in list: SyncList) async throws(SyncError) -> CalDAVObject? {
        try await remote { () throws(CalDAVError) in try await server.object(at: item.href, in: list.calendar) }
    }

    /// Whether the present version of an item's object could not be read.
    func isLeft(_ item: SyncItem, reporting list: SyncList? = nil) -> Bool {
        guard items.foreign[item.list]?[item.href] != nil else { return false }
        if let list {
            add(.problem("the server's version cannot be read; yours waits"), item.todo.title, list.name)
        }
        return true
    }

    func title(_ uuid: UUID) -> String {
        local[uuid]?.title ?? items.todos.values.lazy.compactMap { $0[uuid]?.todo.title }.first ?? uid(uuid)
    }
}
