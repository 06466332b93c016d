import CalDAV
import EssentialFoundation
import TodoCore

/// The merge of an object of the server with the todo of this machine.
struct ObjectMerge {
    /// What is known of the object from now on.
    let item: SyncItem
    /// The change of the todo; `nil` if it stays as it is.
    private(set) var change: TodoSyncChange?
    private(set) var actions: [SyncEvent.Action] = []
    /// Whether both sides have set a field to different values.
    private(set) var isConflict = false

    /// Merges. Nothing is changed yet.
    init(_ object: CalDAVObject, _ task: SyncObject, in list: SyncList, of sync: isolated TodoSync) {
        let known = sync.items.todos[list.id]?[task.uuid]
        // A todo that comes from another list was moved.
        let other = known == nil ? sync.items.todos.first { $0.value[task.uuid] != nil } : nil
        let base = known ?? other?.value[task.uuid]
        var remote = RemoteTodo(task, over: base, in: list, clock: sync.clock)
        let present = sync.local[task.uuid]
        if let present { remote.todo.id = present.id }
        item = SyncItem(
            list: list.id,
            uuid: task.uuid,
            uid: task.uid,
            href: object.href,
            etag: object.etag,
            text: object.text,
            todo: remote.todo,
            parent: remote.parent
        )
        guard let present else {
            add(remote, known, sync)
            return
        }
        // Its object in the list in which it is has its values: the two are joined later, or the other one goes.
        if known != nil, present.list != list.name, sync.unsynced[task.uuid] == nil,
            sync.objects(of: task.uuid).contains(where: { sync.list($0.list)?.name == present.list })
        {
            return
        }
        let old = other.flatMap { sync.list($0.key)?.name }
        // It is in this list now, unless this machine has moved it to a third one.
        let isMoved = known == nil && (present.list == old || old == nil)
        // In a local list without a record that it was moved there, its object must not be deleted.
        let isReturned = known != nil && sync.target(present) == nil && sync.unsynced[task.uuid] == nil
        merge(remote, into: present, base, movingTo: isMoved || isReturned ? list.name : nil, list, sync)
    }

    /// Adds a todo, or restores one that was deleted here and changed on the server.
    private mutating func add(_ remote: RemoteTodo, _ known: SyncItem?, _ sync: isolated TodoSync) {
        let deleted = sync.unsynced[item.uuid] == nil ? nil : known
        if let deleted, deleted.parent == remote.parent, SyncField.areEqual(deleted.todo, remote.todo) { return }
        actions = [deleted == nil ? .added : .restored]
        change = TodoSyncChange(
            expected: nil,
            versions: [remote.todo],
            parent: remote.parent == nil ? .unchanged : sync.link(to: remote.parent)
        )
    }

    private mutating func merge(
        _ remote: RemoteTodo,
        into present: Todo,
        _ base: SyncItem?,
        movingTo name: String?,
        _ list: SyncList,
        _ sync: isolated TodoSync
    ) {
        let isNewer = present.isNoNewer(than: remote.modified ?? .distantPast)
        let fields = SyncMerge(base: base?.todo, local: present, remote: remote.todo, isRemoteNewer: isNewer)
        var merged = fields.merged
        if let name { merged.list = name }
        let presentParent = sync.parent(of: present, base)
        let isParentRemote = base.map { presentParent == $0.parent } ?? (presentParent == nil)
        let mergedParent = isParentRemote ? remote.parent : presentParent
        let isUnsynced =
            merged.list != list.name || mergedParent != remote.parent || !SyncField.areEqual(merged, remote.todo)
        let isSame =
            fields.conflicts.isEmpty && merged == present && mergedParent == presentParent
            && (!isUnsynced || sync.unsynced[item.uuid] != nil)
        guard !isSame else { return }
        let isChanged =
            !SyncField.areEqual(merged, present) || mergedParent != presentParent || merged.list != present.list
        if merged != present { merged.modified = max(present.modified, remote.modified ?? present.modified) }
        change = TodoSyncChange(
            expected: present,
            versions: (fields.lost.map { [$0] } ?? []) + [merged],
            parent: mergedParent == presentParent ? .unchanged : sync.link(to: mergedParent),
            isUnsynced: isUnsynced
        )
        if !fields.conflicts.isEmpty {
            isConflict = true
            actions = [.conflict(fields: fields.conflicts.map(\.rawValue), tookServer: fields.takesRemote)]
        } else if isChanged {
            actions = [.changed]
        }
    }
}

/// A todo as the server has it.
private struct RemoteTodo {
    /// The last seen todo with the fields in which the two texts differ, so that nothing is lost that the text cannot express.
    var todo: Todo
    private(set) var parent: UUID?
    /// The time of the last change; `nil` if the object has none.
    let modified: Date?

    init(_ task: SyncObject, over item: SyncItem?, in list: SyncList, clock: TodoClock) {
        todo = task.todo(in: list, clock)
        parent = task.record.parentUUID
        modified = task.modified
        guard let item, let before = try? SyncObject(item.text, clock: clock) else { return }
        if before.record.parentUUID == parent { parent = item.parent }
        let (old, new) = (before.todo(in: list, clock), todo)
        todo = item.todo
        (todo.list, todo.modified) = (list.name, new.modified)
        for field in SyncField.allCases where !field.isEqual(old, new) {
            // The letter stays while the number still means it.
            if field == .priority, !task.hasLetter, let present = item.todo.priority, let number = new.priority,
                ICalendarFormat.number(present) == ICalendarFormat.number(number)
            {
                continue
            }
            field.copy(from: new, to: &todo)
        }
    }
}

extension SyncObject {
    /// Returns the fields of the text as a new todo.
    fileprivate func todo(in list: SyncList, _ clock: TodoClock) -> Todo {
        let now = clock.now()
        var todo = Todo(id: Todo.noID, title: record.change.title ?? "", now: record.created ?? now, uuid: uuid)
        // The record was validated when it was read.
        try? record.apply(to: &todo)
        todo.extras[ICalendarFormat.ruleKey] = record.extras[ICalendarFormat.ruleKey]
        (todo.list, todo.modified) = (list.name, modified ?? now)
        return todo
    }
}

extension Todo {
    /// Whether an object that was changed at a time is taken in a conflict. A server has times of whole seconds: within one, its
    /// values are.
    func isNoNewer(than modified: Date) -> Bool {
        modified.timeIntervalSince1970 >= self.modified.timeIntervalSince1970.rounded(.down)
    }
}
