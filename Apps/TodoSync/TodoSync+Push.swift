import CalDAV
import EssentialFoundation
import LocalProvider
import TodoCore

/// Sending the changes of this machine.
extension TodoSync {
    /// The number of todos whose items are stored together.
    private static let batch = 50
    private static let attempts = 4
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

    /// Returns the deletions that need no consent.
    private func allowed(_ records: [TodoUnsynced]) throws(SyncError) -> [TodoUnsynced] {
        var refused: Set<UUID> = []
        // From a list that cannot be changed, nothing is deleted.
        for list in account.lists where list.calendar.canWrite {
            let items = items.todos[list.id] ?? [:]
            let deletions = records.filter { items[$0.uuid] != nil }.map(\.uuid)
            if isRefused(deletions.count, of: items.count, list, isFromServer: false) { refused.formUnion(deletions) }
        }
        return records.filter { !refused.contains($0.uuid) }
    }

    /// Stores the texts of new objects before they are sent, so that a reply that is lost, or a kill, does not double them.
    private func announce(_ records: [TodoUnsynced]) throws(SyncError) {
        var changes: [SyncStore.Change] = []
        for record in records {
            guard let todo = local[record.uuid], let list = target(todo), list.calendar.canWrite,
                items.todos[list.id]?[record.uuid] == nil, let item = newItem(todo, list)
            else { continue }
            set(item, &changes)
        }
        try stored { () throws(LocalError) in try self.records.apply(changes) }
    }

    /// Returns the list in which a todo is; `nil` for a local one.
    func target(_ todo: Todo) -> SyncList? { account.lists.first { $0.name == todo.list } }

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
        return SyncItem(
            list: list.id,
            uuid: uuid,
            uid: uid,
            href: href,
            etag: nil,
            text: text,
            todo: todo,
            parent: parent
        )
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
            guard let todo = local[record.uuid] else {
                return (try await delete(record.uuid, in: holders, &lists), lists)
            }
            guard let target = target(todo) else {
                // It is local now.
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

    private enum Outcome { case done, again, failed }

    /// Creates or replaces the object of a todo.
    private func write(_ todo: Todo, in list: SyncList, _ lists: inout Set<String>) async throws(SyncError) -> Outcome {
        guard let uuid = todo.uuid, var item = items.todos[list.id]?[uuid] ?? newItem(todo, list) else {
            return .failed
        }
        if isLeft(item) { return try await fetch(item, in: list) }
        let parent = parent(of: todo, item)
        let isSame = parent == item.parent && SyncField.allCases.allSatisfy { $0.isEqual(todo, item.todo) }
        if isSame, item.etag != nil { return .done }
        guard let text = isSame ? item.text : edited(item, todo) else {
            add(.problem("its text cannot be changed"), todo.title, list.name)
            return .failed
        }
        let isNew = item.etag == nil
        let (href, etag) = (item.href, item.etag)
        var changes: [SyncStore.Change] = []
        if isNew {
            // The text that is sent is the base of a merge, if the reply is lost.
            (item.text, item.todo, item.parent) = (text, todo, parent)
            set(item, &changes)
            try stored { [changes] () throws(LocalError) in try records.apply(changes) }
        }
        let outcome = try await remote { () throws(CalDAVError) in
            if let etag { return try await server.update(text, at: href, in: list.calendar, matching: etag) }
            return try await server.create(text, at: href, in: list.calendar)
        }
        changes = []
        switch outcome {
        case .stored(let etag):
            lists.insert(list.id)
            (item.text, item.todo, item.parent, item.etag) = (text, todo, parent, etag)
            add(isNew ? .sentNew : .sentChange, todo.title, list.name)
            set(item, &changes)
            try stored { [changes] () throws(LocalError) in try records.apply(changes) }
            return etag == nil ? try await fetch(item, in: list) : .done
        case .preconditionFailed:
            return try await fetch(item, in: list)
        case .uidConflict(let other):
            // Its UID may have another path: that is its object.
            guard let other else {
                drop(item, &changes)
                try stored { [changes] () throws(LocalError) in try records.apply(changes) }
                if let index = account.lists.firstIndex(where: { $0.id == list.id }) {
                    account.lists[index].token = nil
                }
                lists.insert(list.id)
                return .failed
            }
            item.href = other
            return try await fetch(item, in: list)
        case .gone where !isNew:
            // Deleted there and changed here: the change wins.
            item.etag = nil
            set(item, &changes)
            try stored { [changes] () throws(LocalError) in try records.apply(changes) }
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

    private static func rejection(_ status: Int, _ condition: String?) -> String {
        "the server rejects it with status \(status)" + (condition.map { " (\($0))" } ?? "")
    }

    private static func problem(_ error: CalDAVError) -> String {
        if case .refused(let status, let condition) = error.reason { return rejection(status, condition) }
        return "\(error)"
    }

    /// Reads the object of an item and merges it with the todo.
    private func fetch(_ item: SyncItem, in list: SyncList) async throws(SyncError) -> Outcome {
        var changes: [SyncStore.Change] = []
        guard
            let object = try await remote({ () throws(CalDAVError) in
                try await server.object(at: item.href, in: list.calendar)
            })
        else {
            var item = item
            item.etag = nil
            set(item, &changes)
            try stored { [changes] () throws(LocalError) in try records.apply(changes) }
            return .again
        }
        set(item, &changes)
        try await receive([object], in: list)
        return isLeft(item, reporting: list) ? .failed : .again
    }

    /// Whether the present version of an item's object could not be read.
    private func isLeft(_ item: SyncItem, reporting list: SyncList? = nil) -> Bool {
        guard items.foreign[item.list]?[item.href] != nil else { return false }
        if let list {
            add(.problem("the server's version cannot be read; yours waits"), item.todo.title, list.name)
        }
        return true
    }

    // MARK: Deletions

    /// Deletes the objects of a todo.
    private func delete(
        _ uuid: UUID,
        in lists: [SyncList],
        _ touched: inout Set<String>
    ) async throws(SyncError) -> Bool {
        var isDone = true
        for list in lists {
            guard let item = items.todos[list.id]?[uuid] else { continue }
            if try await delete(item, in: list, &touched) { continue }
            isDone = false
        }
        return isDone
    }

    private func delete(
        _ item: SyncItem,
        in list: SyncList,
        _ touched: inout Set<String>
    ) async throws(SyncError) -> Bool {
        var etag = item.etag
        var changes: [SyncStore.Change] = []
        for _ in 0..<Self.attempts {
            if !list.calendar.canWrite {
                try await keep(item, in: list)
                return true
            }
            if let etag, !isLeft(item) {
                switch try await remote({ () throws(CalDAVError) in
                    try await server.delete(at: item.href, in: list.calendar, matching: etag)
                }) {
                case .deleted:
                    touched.insert(list.id)
                    add(.sentRemoval, item.todo.title, list.name)
                    drop(item, &changes)
                    try stored { [changes] () throws(LocalError) in try records.apply(changes) }
                    return true
                case .readOnly:
                    try await keep(item, in: list)
                    return true
                case .preconditionFailed: break
                }
            }
            guard
                let object = try await remote({ () throws(CalDAVError) in
                    try await server.object(at: item.href, in: list.calendar)
                })
            else {
                drop(item, &changes)
                try stored { [changes] () throws(LocalError) in try records.apply(changes) }
                return true
            }
            // If the server's todo was changed, it comes back: the change wins. One that has moved takes the change with it.
            let isDeleted = local[item.uuid] == nil
            try await receive([object], in: list)
            if isDeleted, local[item.uuid] != nil { return true }
            if isLeft(item, reporting: list) { return false }
            etag = object.etag
        }
        return false
    }

    /// Brings a todo back that was deleted here, or has become local, and that the server does not delete.
    private func keep(_ item: SyncItem, in list: SyncList) async throws(SyncError) {
        if let todo = local[item.uuid] {
            if target(todo) == nil { try await revert(todo, in: list) }
            return
        }
        add(.problem("the server allows no changes of this list"), item.todo.title, list.name)
        // Without the record of the deletion it is a new todo.
        unsynced[item.uuid] = nil
        _ = try await fetch(item, in: list)
    }

    /// Returns a todo of a read-only list to the state of the server. The history has what was changed.
    private func revert(_ todo: Todo, in list: SyncList) async throws(SyncError) {
        var old = todo
        if let uuid = todo.uuid, let item = items.todos[list.id]?[uuid] {
            for field in SyncField.allCases { field.copy(from: item.todo, to: &old) }
            old.list = list.name
        } else {
            // One that was moved here returns to where it was, and its other changes are sent there.
            old.list = todo.uuid.flatMap { uuid in account.lists.first { items.todos[$0.id]?[uuid] != nil }?.name }
        }
        let isSent = old.list != nil && old.list != list.name
        let change = TodoSyncChange(expected: todo, versions: [old], isUnsynced: isSent)
        for case let todo? in try await todos({ () throws(TodoError) in try await store.apply([change]) }) {
            note(todo)
        }
        let message = "the list \(list.name) cannot be changed; what you changed is in the history"
        add(.problem(message), todo.title, list.name)
    }

    private func title(_ uuid: UUID) -> String {
        local[uuid]?.title ?? items.todos.values.lazy.compactMap { $0[uuid]?.todo.title }.first ?? uid(uuid)
    }
}
