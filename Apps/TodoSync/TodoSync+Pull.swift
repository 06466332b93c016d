import CalDAV
import EssentialFoundation
import LocalProvider
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
        for (list, found, _) in changes {
            guard !incomplete.contains(list.id), !unread.contains(list.id),
                let index = account.lists.firstIndex(where: { $0.id == list.id })
            else {
                continue
            }
            account.lists[index].token = found.token
            account.lists[index].calendar.syncToken = nil
            account.lists[index].calendar.ctag = nil
            let present = account
            try stored { () throws(LocalError) in try records.setAccount(present) }
        }
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
            try await receive(objects, in: list, removed: removed)
        }
        return removed
    }

    // MARK: Objects

    /// An object that is merged with a todo.
    private struct Merge {
        /// Whether both sides have set a field to different values.
        var isConflict = false
        var object: CalDAVObject
        var item: SyncItem
        var change: TodoSyncChange?
        var actions: [SyncEvent.Action] = []
    }

    /// Merges objects of a list.
    ///
    /// - Parameters:
    ///   - objects: the objects.
    ///   - list: their list.
    ///   - removed: the objects that the list does not have any more.
    /// - Throws: ``SyncError``.
    func receive(_ objects: [CalDAVObject], in list: SyncList, removed: Set<CalDAVHref> = []) async throws(SyncError) {
        var merges: [Merge] = []
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
        for object in objects {
            let task: SyncObject
            do throws(SyncObject.Problem) {
                task = try SyncObject(object.text, clock: clock)
            } catch {
                let item = items.todos[list.id]?.values.first { $0.href == object.href }
                switch error {
                case .malformed(let problem): leave(object, problem, item, isMalformed: true)
                case .noTask: leave(object, item.map { _ in "it is no todo on the server any more" }, item)
                }
                continue
            }
            let item = items.todos[list.id]?[task.uuid]
            if let item, item.href != object.href, item.etag != nil, !removed.contains(item.href) {
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
            merges.append(merge(task, object, item, in: list))
        }
        // Each conflict is a separate step, so that its undo brings back the other value and nothing else.
        try await apply(merges.filter { !$0.isConflict }, changes, in: list)
        for merge in merges where merge.isConflict { try await apply([merge], [], in: list) }
    }

    /// Stores the todos, and then their items with the versions that were read.
    private func apply(_ merges: [Merge], _ foreign: [SyncStore.Change], in list: SyncList) async throws(SyncError) {
        // Without an item, no later run would see that the server has deleted a todo. One of a new todo comes first, without a
        // version, since it is not known yet whether the todo is stored.
        var announced: [SyncStore.Change] = []
        for var item in merges.filter({ $0.change != nil && $0.change?.expected == nil }).map(\.item) {
            item.etag = nil
            set(item, &announced)
        }
        try stored { [announced] () throws(LocalError) in try records.apply(announced) }
        let wanted = merges.indices.filter { merges[$0].change != nil }
        let todoChanges = wanted.compactMap { merges[$0].change }
        let results = try await todos { () throws(TodoError) in
            todoChanges.isEmpty ? [] : try await store.apply(todoChanges)
        }
        let result = Dictionary(zip(wanted, results)) { $1 }
        var changes = foreign
        var isMarked = false
        for (index, merge) in merges.enumerated() {
            var item = merge.item
            if let change = merge.change {
                guard let todo = result[index] ?? nil else {
                    // It was changed here since it was read: the next run merges it.
                    incomplete.insert(list.id)
                    continue
                }
                note(todo)
                item.todo.id = todo.id
                isMarked = isMarked || change.isUnsynced
            }
            set(item, &changes)
            for action in merge.actions { add(action, item.todo.title, list.name) }
        }
        try stored { () throws(LocalError) in try records.apply(changes) }
        if isMarked { try await readUnsynced() }
    }

    func set(_ item: SyncItem, _ changes: inout [SyncStore.Change]) {
        items.todos[item.list, default: [:]][item.uuid] = item
        changes.append(.set(item))
    }

    private func merge(_ task: SyncObject, _ object: CalDAVObject, _ item: SyncItem?, in list: SyncList) -> Merge {
        let present = local[task.uuid]
        // A todo that comes from another list was moved.
        let other = item == nil ? items.todos.first { $0.value[task.uuid] != nil } : nil
        let base = item ?? other?.value[task.uuid]
        var remote = projection(of: task, over: base, list)
        let remoteParent = parent(of: task, base)
        if let present { remote.id = present.id }
        var merge = Merge(
            object: object,
            item: SyncItem(
                list: list.id,
                uuid: task.uuid,
                uid: task.uid,
                href: object.href,
                etag: object.etag,
                text: object.text,
                todo: remote,
                parent: remoteParent
            )
        )
        guard let present else {
            let isDeleted = unsynced[task.uuid] != nil && item != nil
            if isDeleted, let item, !isChanged(item, remote, remoteParent) { return merge }
            merge.actions = [isDeleted ? .restored : .added]
            merge.change = TodoSyncChange(
                expected: nil,
                versions: [remote],
                parent: remoteParent == nil ? .unchanged : link(to: remoteParent)
            )
            return merge
        }
        // Its object in the list in which it is has its values: the two are joined later, or the other one goes.
        if item != nil, present.list != list.name, unsynced[task.uuid] == nil,
            objects(of: task.uuid).contains(where: { self.list($0.list)?.name == present.list })
        {
            return merge
        }
        let isNewer = isNewer(task.modified ?? .distantPast, than: present)
        let fields = SyncMerge(base: base?.todo, local: present, remote: remote, isRemoteNewer: isNewer)
        var merged = fields.merged
        // It is in this list now, unless this machine has moved it to a third one.
        let old = other.flatMap { self.list($0.key)?.name }
        if item == nil, present.list == old || old == nil { merged.list = list.name }
        // In a local list without a record that it was moved there, its object must not be deleted.
        if item != nil, target(present) == nil, unsynced[task.uuid] == nil { merged.list = list.name }
        let presentParent = parent(of: present, base)
        let isParentRemote = base.map { presentParent == $0.parent } ?? (presentParent == nil)
        let mergedParent = isParentRemote ? remoteParent : presentParent
        let isUnsynced =
            merged.list != list.name || mergedParent != remoteParent
            || SyncField.allCases.contains { !$0.isEqual(merged, remote) }
        let isSame =
            fields.conflicts.isEmpty && merged == present && mergedParent == presentParent
            && (!isUnsynced || unsynced[task.uuid] != nil)
        guard !isSame else { return merge }
        let names = SyncField.allCases.filter { !$0.isEqual(merged, present) }.map(\.rawValue)
        if merged != present { merged.modified = max(present.modified, task.modified ?? present.modified) }
        merge.change = TodoSyncChange(
            expected: present,
            versions: (fields.lost.map { [$0] } ?? []) + [merged],
            parent: mergedParent == presentParent ? .unchanged : link(to: mergedParent),
            isUnsynced: isUnsynced
        )
        if !fields.conflicts.isEmpty {
            merge.isConflict = true
            let names = fields.conflicts.map(\.rawValue)
            merge.actions.append(.conflict(fields: names, tookServer: fields.takesRemote))
        } else if !names.isEmpty || mergedParent != presentParent || merged.list != present.list {
            merge.actions.append(.changed)
        }
        return merge
    }

    func link(to parent: UUID?) -> TodoSyncChange.Parent {
        parent.map { .todo($0, local[$0]?.id) } ?? .removed
    }

    /// Whether the server's todo differs from the one that was last seen.
    private func isChanged(_ item: SyncItem, _ remote: Todo, _ parent: UUID?) -> Bool {
        item.parent != parent || SyncField.allCases.contains { !$0.isEqual(item.todo, remote) }
    }

    /// Returns a task as a todo: the last seen one with the fields in which the two texts differ, so that nothing is lost that the
    /// text cannot express.
    private func projection(of task: SyncObject, over item: SyncItem?, _ list: SyncList) -> Todo {
        let new = todo(task, list)
        guard let item, let old = (try? SyncObject(item.text, clock: clock)).map({ todo($0, list) }) else { return new }
        var result = item.todo
        (result.list, result.modified) = (list.name, new.modified)
        for field in SyncField.allCases where !field.isEqual(old, new) {
            // The letter stays while the number still means it.
            if field == .priority, !task.hasLetter, let present = item.todo.priority, let number = new.priority,
                ICalendarFormat.number(present) == ICalendarFormat.number(number)
            {
                continue
            }
            field.copy(from: new, to: &result)
        }
        return result
    }

    private func todo(_ task: SyncObject, _ list: SyncList) -> Todo {
        let now = clock.now()
        var todo = Todo(
            id: Todo.noID,
            title: task.record.change.title ?? "",
            now: task.record.created ?? now,
            uuid: task.uuid
        )
        // The record was validated when it was read.
        try? task.record.apply(to: &todo)
        todo.extras[ICalendarFormat.ruleKey] = task.record.extras[ICalendarFormat.ruleKey]
        (todo.list, todo.modified) = (list.name, task.modified ?? now)
        return todo
    }

    private func parent(of task: SyncObject, _ item: SyncItem?) -> UUID? {
        guard let item, let old = try? SyncObject(item.text, clock: clock) else { return task.record.parentUUID }
        return old.record.parentUUID == task.record.parentUUID ? item.parent : task.record.parentUUID
    }

    /// Links todos to parents that came after them, also in an earlier run that was interrupted. A todo whose parent was deleted
    /// returns to the parent that the server has, if that exists.
    func linkChildren() async throws(SyncError) {
        var links: [UUID: UUID] = [:]
        for item in items.todos.values.joined() { links[item.key] = item.value.parent }
        let changes = local.values.compactMap { child -> TodoSyncChange? in
            // A parent that was deleted and has come back has another ID.
            let isLost = child.parent.map { uuids[$0] == nil } ?? false
            let link =
                isLost ? child.uuid.flatMap { links[$0] } : child.extras["parent"].flatMap { UUID(uuidString: $0) }
            // The store cuts a cycle and stores the link, once.
            guard isLost || child.parent == nil, let link, let parent = local[link],
                isLost || !isAncestor(child, of: parent)
            else { return nil }
            return TodoSyncChange(expected: child, versions: [child], parent: .todo(link, parent.id))
        }
        guard !changes.isEmpty else { return }
        for case let todo? in try await todos({ () throws(TodoError) in try await store.apply(changes) }) { note(todo) }
    }

    /// Whether a todo is the same as another one, or contains it. A link that makes a cycle is not followed.
    private func isAncestor(_ todo: Todo, of other: Todo) -> Bool {
        var next: Todo? = other
        var seen: Set<TodoID> = []
        while let present = next, seen.insert(present.id).inserted {
            if present.id == todo.id { return true }
            next = present.parent.flatMap { uuids[$0] }.flatMap { local[$0] }
        }
        return false
    }

    // MARK: Removals

    /// Removes the todos of objects that were deleted on the server, unless they were changed here.
    private func remove(_ hrefs: Set<CalDAVHref>, in list: SyncList) async throws(SyncError) {
        guard !hrefs.isEmpty else { return }
        var changes: [SyncStore.Change] = []
        for href in hrefs {
            guard let foreign = items.foreign[list.id]?.removeValue(forKey: href) else { continue }
            changes.append(.removeForeign(foreign))
        }
        let all = items.todos[list.id] ?? [:]
        var deletions: [(item: SyncItem, todo: Todo)] = []
        var moves: [(item: SyncItem, change: TodoSyncChange)] = []
        for item in all.values where hrefs.contains(item.href) {
            guard let todo = local[item.uuid], todo.list == list.name else {
                drop(item, &changes)
                continue
            }
            if let change = move(todo, from: item) {
                moves.append((item, change))
                continue
            }
            let isChanged =
                unsynced[item.uuid] != nil
                && (parent(of: todo, item) != item.parent
                    || SyncField.allCases.contains { !$0.isEqual(todo, item.todo) })
            guard isChanged else {
                deletions.append((item, todo))
                continue
            }
            var item = item
            item.etag = nil
            set(item, &changes)
            add(.restored, todo.title, list.name)
        }
        if isRefused(deletions.count, of: all.count, list, isFromServer: true) {
            incomplete.insert(list.id)
            deletions = []
        }
        let moved = try await todos { () throws(TodoError) in
            moves.isEmpty ? [] : try await store.apply(moves.map(\.change))
        }
        for (item, todo) in zip(moves.map(\.item), moved) {
            guard let todo else {
                incomplete.insert(list.id)
                continue
            }
            note(todo)
            drop(item, &changes)
            add(.changed, todo.title, list.name)
        }
        let todoChanges = deletions.map { TodoSyncChange(expected: $0.todo, versions: [nil], verb: "sync: remove") }
        let results = try await todos { () throws(TodoError) in
            todoChanges.isEmpty ? [] : try await store.apply(todoChanges)
        }
        for ((item, todo), result) in zip(deletions, results) {
            guard result != nil else {
                incomplete.insert(list.id)
                continue
            }
            local[item.uuid] = nil
            uuids[todo.id] = nil
            drop(item, &changes)
            add(.removed, todo.title, list.name)
        }
        try stored { () throws(LocalError) in try records.apply(changes) }
    }

    /// Returns whether an object's values are taken instead of those of a todo. A server has times of whole seconds: within one,
    /// its values are.
    private func isNewer(_ modified: Date, than todo: Todo) -> Bool {
        modified.timeIntervalSince1970 >= todo.modified.timeIntervalSince1970.rounded(.down)
    }

    /// Returns the change that takes a todo from an object that was removed to another list that has it on the server, too, as
    /// while another machine moves it; `nil` without one.
    private func move(_ todo: Todo, from item: SyncItem) -> TodoSyncChange? {
        guard let other = objects(of: item.uuid).first(where: { $0.list != item.list }), let list = list(other.list)
        else { return nil }
        let isNewer = isNewer(other.todo.modified, than: todo)
        let fields = SyncMerge(base: item.todo, local: todo, remote: other.todo, isRemoteNewer: isNewer)
        var (moved, lost) = (fields.merged, fields.lost)
        moved.list = list.name
        lost?.list = list.name
        let present = parent(of: todo, item)
        let next = present == item.parent ? other.parent : present
        let isUnsynced =
            next != other.parent || SyncField.allCases.contains { !$0.isEqual(moved, other.todo) }
        return TodoSyncChange(
            expected: todo,
            versions: (lost.map { [$0] } ?? []) + [moved],
            parent: next == present ? .unchanged : link(to: next),
            isUnsynced: isUnsynced
        )
    }

    func drop(_ item: SyncItem, _ changes: inout [SyncStore.Change]) {
        items.todos[item.list]?[item.uuid] = nil
        changes.append(.remove(item))
    }

    /// Whether deletions require consent: more than half of a list of three or more todos.
    func isRefused(_ count: Int, of total: Int, _ list: SyncList, isFromServer: Bool) -> Bool {
        guard total >= 3, count * 2 > total, !allowsDeletions else { return false }
        report.refusals.append(
            SyncReport.Refusal(list: list.name, count: count, total: total, isFromServer: isFromServer)
        )
        return true
    }
}
