import CalDAV
import EssentialFoundation
import TodoCore

/// Reading the server's changes.
extension TodoSync {
    /// The number of objects that are read and stored at a time.
    private static let batch = 500
    /// How often a malformed version is read before the list counts as read.
    private static let reads = 4
    /// The number of unread objects that are read again with the changes of a list.
    private static let rereads = 50

    /// Merges the changes of lists. Additions come before removals, so that a todo that was moved between two lists stays.
    ///
    /// A list that cannot be read does not stop the others. Their removals wait, since a removed todo may be in that list now.
    func pull(_ lists: [String]) async throws(SyncError) {
        incomplete = []
        var changes: [(list: SyncList, changes: CalDAVChanges, removed: Set<CalDAVHref>)] = []
        for list in account.lists where lists.contains(list.id) {
            let known = items.known(list.id)
            try await reading(list) { () throws(SyncError) in
                let found = try await remote { () throws(CalDAVError) in
                    try await server.changes(in: list.calendar, since: list.token, known: known)
                }
                changes.append((list, found, found.removed))
            }
        }
        for index in changes.indices {
            let list = changes[index].list
            try await reading(list) { () throws(SyncError) in
                changes[index].removed = try await readObjects(of: list, changes[index].changes)
            }
        }
        for (list, _, removed) in changes where !removed.isEmpty {
            if unread.isEmpty { try await remove(removed, in: list) } else { incomplete.insert(list.id) }
        }
        try await joinDoubles()
        try await linkChildren()
        // Before the tokens, which tell the next run that there is nothing to read.
        _ = try await markPartsOfRestored()
        var isRead = false
        for (list, found, _) in changes {
            guard !incomplete.contains(list.id), !unread.contains(list.id),
                let index = account.lists.firstIndex(where: { $0.id == list.id })
            else { continue }
            account.lists[index].token = found.token
            account.lists[index].calendar.syncToken = nil
            account.lists[index].calendar.ctag = nil
            isRead = true
        }
        if isRead { try saveAccount() }
    }

    /// Reads a list. A failure of it alone ends the run only after the other lists.
    private func reading(_ list: SyncList, _ body: () async throws(SyncError) -> Void) async throws(SyncError) {
        do throws(SyncError) {
            try await body()
        } catch {
            guard case .server(let reason) = error, reason.concernsOneResource else { throw error }
            unread.insert(list.id)
            failure = failure ?? error
        }
    }

    /// Reads and merges the changed objects of a list.
    ///
    /// - Returns: the objects that the list does not have any more.
    private func readObjects(of list: SyncList, _ changes: CalDAVChanges) async throws(SyncError) -> Set<CalDAVHref> {
        var removed = changes.removed
        // What could not be read may have arrived incomplete, or its obstacle may be gone.
        let unread = (items.foreign[list.id] ?? [:]).values.filter { $0.problem != nil }.prefix(Self.rereads)
        // A kill came between a new todo and its item; the server may have deleted it since.
        let announced = (items.todos[list.id] ?? [:]).values.filter { $0.etag == nil && unsynced[$0.uuid] == nil }
        let wanted = Set(changes.changed.keys).union(unread.map(\.href)).union(announced.map(\.href))
            .subtracting(removed)
        var rest = wanted.sorted { $0.path < $1.path }[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Self.batch))
            rest = rest.dropFirst(Self.batch)
            let objects = try await remote { () throws(CalDAVError) in
                try await server.objects(batch, in: list.calendar)
            }
            // What is absent was deleted since the changes were listed.
            removed.formUnion(Set(batch).subtracting(objects.map(\.href)))
            removed.formUnion(try await receive(objects, in: list, removed: removed))
        }
        return removed
    }

    // MARK: Objects

    /// Merges objects of a list.
    ///
    /// - Parameters:
    ///   - objects: the objects.
    ///   - list: their list.
    ///   - removed: the objects that the list does not have any more.
    /// - Returns: the new paths of items whose objects the list does not have any more, since others have taken their places.
    /// - Throws: ``SyncError``.
    @discardableResult
    func receive(
        _ objects: [CalDAVObject],
        in list: SyncList,
        removed: Set<CalDAVHref> = []
    ) async throws(SyncError) -> Set<CalDAVHref> {
        var merges: [ObjectMerge] = []
        var seen: Set<UUID> = []
        var changes: [SyncStore.Change] = []
        /// Leaves an object alone. An item of it retains the version that was read last, so that a version that was not read is
        /// neither overwritten nor deleted.
        func leave(_ object: CalDAVObject, _ problem: String?, _ item: SyncItem? = nil, isMalformed: Bool = false) {
            let known = items.foreign[list.id]?[object.href]
            let isKnown = known?.etag == object.etag
            var foreign = SyncForeign(list: list.id, href: object.href, etag: object.etag, problem: problem)
            if isMalformed {
                // The text may be malformed only because it arrived incomplete: the next syncs read it again.
                foreign.reads = min((isKnown ? known?.reads ?? 0 : 0) + 1, Self.reads)
                if foreign.reads != Self.reads { incomplete.insert(list.id) }
            }
            guard known != foreign else { return }
            items.foreign[list.id, default: [:]][object.href] = foreign
            changes.append(.setForeign(foreign))
            guard !isKnown else { return }
            if let problem { add(.problem(problem), item?.todo.title ?? object.href.path, list.name) }
        }
        var tasks: [(object: CalDAVObject, task: SyncObject)] = []
        for object in objects {
            do throws(SyncObject.Problem) {
                tasks.append((object, try SyncObject(object.text, clock: clock)))
            } catch {
                let item = items.todos[list.id]?.values.first { $0.href == object.href }
                switch error {
                case .malformed(let problem): leave(object, object.problem ?? problem, item, isMalformed: true)
                case .noTask: leave(object, item.map { _ in "it is no todo on the server any more" }, item)
                }
            }
        }
        let owners = Dictionary(tasks.map { ($0.object.href, $0.task.uuid) }) { first, _ in first }
        let displaced = (items.todos[list.id] ?? [:]).values.filter { item in
            owners[item.href].map { $0 != item.uuid } ?? false
        }
        let vacated = removed.union(displaced.map(\.href))
        var free: [UUID: CalDAVHref] = [:]
        for (object, task) in tasks {
            let item = items.todos[list.id]?[task.uuid]
            if let item, item.href != object.href, item.etag != nil, !vacated.contains(item.href) {
                leave(object, "it has the UID of \(item.href.path); delete one of the two")
                continue
            }
            guard seen.insert(task.uuid).inserted else {
                leave(object, "another object of the list has its UID; delete one of the two")
                continue
            }
            if let foreign = items.foreign[list.id]?.removeValue(forKey: object.href) {
                changes.append(.removeForeign(foreign))
            }
            merges.append(ObjectMerge(object, task, in: list, of: self))
            // With another path, an item can neither overwrite nor delete what has taken the place of its object.
            for var item in displaced where item.href == object.href {
                guard let href = list.calendar.href.member(UUID().text + ".ics") else { continue }
                (item.href, item.etag, free[item.uuid]) = (href, nil, href)
                changes.append(set(item))
            }
        }
        // Each conflict is a separate step, so that its undo brings back the other value and nothing else.
        try await apply(merges.filter { !$0.isConflict }, changes, in: list)
        for merge in merges where merge.isConflict { try await apply([merge], [], in: list) }
        return Set(free.filter { !seen.contains($0.key) }.values)
    }

    /// Stores the todos, and then their items with the versions that were read.
    private func apply(
        _ merges: [ObjectMerge],
        _ foreign: [SyncStore.Change],
        in list: SyncList
    ) async throws(SyncError) {
        // Without an item, no later run would see that the server has deleted a todo. One of a new todo comes first, without a
        // version, since it is not known yet whether the todo is stored.
        var announced: [SyncStore.Change] = []
        for var item in merges.filter({ $0.change != nil && $0.change?.expected == nil }).map(\.item) {
            item.etag = nil
            announced.append(set(item))
        }
        try save(announced)
        var results = try await apply(merges.compactMap(\.change))[...]
        var changes = foreign
        var isMarked = false
        for merge in merges {
            var item = merge.item
            if let change = merge.change {
                guard let todo = results.popFirst() ?? nil else {
                    // It was changed here since it was read: the next run merges it.
                    incomplete.insert(list.id)
                    continue
                }
                note(todo)
                item.todo.id = todo.id
                isMarked = isMarked || change.isUnsynced
            }
            changes.append(set(item))
            for action in merge.actions { add(action, item.todo.title, list.name) }
        }
        try save(changes)
        if isMarked { try await readUnsynced() }
    }
}
