import CalDAV
import EssentialFoundation
import TodoCore

/// Joining the objects that one todo has in several lists, as after a move that was interrupted while another machine changed
/// the todo.
extension TodoSync {
    /// Returns the objects that the server has of a todo.
    func objects(of uuid: UUID) -> [SyncItem] {
        account.lists.compactMap { items.todos[$0.id]?[uuid] }.filter { $0.etag != nil }
    }

    /// Returns the todos of which the server has objects in several lists.
    func doubles() -> Set<UUID> {
        let lists = account.lists.map { items.todos[$0.id] ?? [:] }
        let shared = lists.indices.flatMap { index in
            lists[index].keys.filter { uuid in lists[..<index].contains { $0[uuid] != nil } }
        }
        return Set(shared.filter { objects(of: $0).count > 1 })
    }

    /// Merges the objects of a todo into the one that was modified last, so that the next push deletes the others. All machines
    /// choose the same one.
    ///
    /// A todo that is in several lists only since this run may be one that another program is moving: it waits for the next run.
    func joinDoubles() async throws(SyncError) {
        var isMarked = false
        for uuid in doubles() {
            let objects = self.objects(of: uuid)
            let lists = objects.compactMap { list($0.list) }
            guard let present = local[uuid], unsynced[uuid] == nil, lists.allSatisfy(\.calendar.canWrite),
                !objects.contains(where: { items.foreign[$0.list]?[$0.href] != nil })
            else { continue }
            guard earlierDoubles.contains(uuid) else {
                incomplete.formUnion(lists.map(\.id))
                continue
            }
            guard let last = objects.max(by: { precedes($0, $1) }), let list = list(last.list) else { continue }
            let change = join(objects.filter { $0.list != last.list }, into: last, list, present)
            guard let todo = try await apply([change]).first ?? nil else {
                incomplete.formUnion(lists.map(\.id))
                continue
            }
            note(todo)
            add(.joined, todo.title, list.name)
            isMarked = true
        }
        if isMarked { try await readUnsynced() }
    }

    /// Whether an object was modified before another one, by what all machines see of them.
    private func precedes(_ first: SyncItem, _ other: SyncItem) -> Bool {
        func modified(_ item: SyncItem) -> Date {
            (try? SyncObject(item.text, clock: clock))?.modified ?? .distantPast
        }
        let (left, right) = (modified(first), modified(other))
        return left == right ? first.href.path < other.href.path : left < right
    }

    /// Returns the change of a todo to the last object, with the labels of all of them. Values that it does not take are in the
    /// history.
    private func join(_ objects: [SyncItem], into last: SyncItem, _ list: SyncList, _ present: Todo) -> TodoSyncChange {
        func state(_ item: SyncItem) -> Todo {
            var todo = present
            for field in SyncField.allCases { field.copy(from: item.todo, to: &todo) }
            todo.list = list.name
            return todo
        }
        var joined = state(last)
        var lost: [Todo] = []
        for object in objects {
            let merge = SyncMerge(base: nil, local: state(object), remote: joined, isRemoteNewer: true)
            joined = merge.merged
            if let other = merge.lost { lost.append(other) }
        }
        let isSame = parent(of: present, last) == last.parent
        return TodoSyncChange(
            expected: present,
            versions: lost + [joined],
            parent: isSame ? .unchanged : link(to: last.parent),
            isUnsynced: true
        )
    }

    /// Returns the change that takes a todo from an object that was removed to another list that has it on the server, too, as
    /// while another machine moves it; `nil` without one.
    func move(_ todo: Todo, from item: SyncItem) -> TodoSyncChange? {
        guard let other = objects(of: item.uuid).first(where: { $0.list != item.list }), let list = list(other.list)
        else { return nil }
        let isNewer = todo.isNoNewer(than: other.todo.modified)
        let fields = SyncMerge(base: item.todo, local: todo, remote: other.todo, isRemoteNewer: isNewer)
        var (moved, lost) = (fields.merged, fields.lost)
        moved.list = list.name
        lost?.list = list.name
        let present = parent(of: todo, item)
        let next = present == item.parent ? other.parent : present
        return TodoSyncChange(
            expected: todo,
            versions: (lost.map { [$0] } ?? []) + [moved],
            parent: next == present ? .unchanged : link(to: next),
            isUnsynced: next != other.parent || !SyncField.areEqual(moved, other.todo)
        )
    }
}
