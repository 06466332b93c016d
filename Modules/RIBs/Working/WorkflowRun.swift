/// One run of a workflow: what its steps gave, so that chains that share a step run it once.
@MainActor
final class WorkflowRun {
    /// Stands for a step.
    final class Key: Sendable {}

    private let root: any Sendable
    private var outputs: [ObjectIdentifier: Any] = [:]
    private var cancels: [@MainActor () -> Void] = []

    init<Root>(root: WorkflowItem<Root>) {
        self.root = root
    }

    func root<Root>(as type: Root.Type) async throws -> Root {
        guard let item = root as? WorkflowItem<Root> else { throw WorkflowError.itemGone(type: "\(type)") }
        return try await item.whenActive()
    }

    /// What a step gave: the first chain that asks runs it, the others wait for the same task.
    func output<Item, Value>(
        of key: Key,
        _ body: @escaping @MainActor () async throws -> WorkflowOutput<Item, Value>
    ) async throws -> WorkflowOutput<Item, Value> {
        let id = ObjectIdentifier(key)
        if let task = outputs[id] as? Task<WorkflowOutput<Item, Value>, any Error> { return try await task.value }
        let task = Task { try await body() }
        outputs[id] = task
        cancels.append { task.cancel() }
        return try await task.value
    }

    func cancel() {
        for cancel in cancels { cancel() }
    }
}

/// What a step gives the next: an item, held weakly if it is a scope, and a value.
@MainActor
final class WorkflowOutput<Item, Value> {
    let item: WorkflowItem<Item>
    let value: Value

    init(_ output: (Item, Value)) {
        item = WorkflowItem(output.0)
        value = output.1
    }
}
