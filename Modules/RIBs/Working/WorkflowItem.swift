/// An item that a step waits for: held weakly if it is a scope, so that waiting does not keep it alive.
@MainActor
final class WorkflowItem<Item> {
    private let strong: Item?
    private weak var scope: (any InteractorScope)?

    init(_ item: Item) {
        if let scope = item as? any InteractorScope {
            strong = nil
            self.scope = scope
        } else {
            strong = item
        }
    }

    /// The item, once it is active; at once if it is no scope.
    func whenActive() async throws -> Item {
        if let strong { return strong }
        guard let activity = scope?.isActiveStream else { throw gone }
        for await _ in activity {
            guard let scope else { break }
            // The present state, not the one that was told: it may have passed while this waited.
            if scope.isActive, let item = scope as? Item { return item }
        }
        try Task.checkCancellation()
        throw gone
    }

    private var gone: WorkflowError { .itemGone(type: "\(Item.self)") }
}
