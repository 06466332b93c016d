import EssentialFoundation
import TodoCore

/// A merge of two states of a todo by field, against the state that both have in common.
struct SyncMerge {
    /// The todo with the changes of both sides.
    private(set) var merged: Todo
    /// The todo with the values that were not taken in the fields that both sides have set to different values; `nil` without such
    /// fields.
    private(set) var lost: Todo?
    /// The fields that both sides have set to different values.
    private(set) var conflicts: [SyncField] = []
    /// Whether the server's values were taken in ``conflicts``.
    let takesRemote: Bool

    /// Merges.
    ///
    /// - Parameters:
    ///   - base: the common state; `nil` without one.
    ///   - local: the state on this machine.
    ///   - remote: the state of the server.
    ///   - isRemoteNewer: whether the server's values are taken in a conflict.
    init(base: Todo?, local: Todo, remote: Todo, isRemoteNewer: Bool) {
        takesRemote = isRemoteNewer
        merged = local
        for field in SyncField.allCases where !field.isEqual(local, remote) {
            if let labels = field.labels {
                merged[keyPath: labels] = Self.union(
                    base?[keyPath: labels] ?? [],
                    local[keyPath: labels],
                    remote[keyPath: labels]
                )
            } else if let base, field.isEqual(base, local) {
                field.copy(from: remote, to: &merged)
            } else if let base, field.isEqual(base, remote) {
                continue
            } else if field == .done, let first = local.completed, let second = remote.completed {
                // Completed on both sides: once, at the earlier time.
                merged.completed = min(first, second)
                merged.isArchived = local.isArchived || remote.isArchived
            } else {
                conflicts.append(field)
            }
        }
        guard !conflicts.isEmpty else { return }
        var other = merged
        for field in conflicts { field.copy(from: remote, to: &other) }
        (merged, lost) = isRemoteNewer ? (other, merged) : (merged, other)
    }

    /// Returns the labels of both sides: those that either has added, without those that either has removed.
    private static func union(_ base: [String], _ local: [String], _ remote: [String]) -> [String] {
        let removed = Set(base).subtracting(local).union(Set(base).subtracting(remote))
        let kept = local.filter { !removed.contains($0) }
        return kept + remote.filter { !removed.contains($0) && !kept.contains($0) }
    }
}
