/// One run of a workflow: its chains, and the outputs of its steps, so that chains that share a step run it once.
@MainActor
final class WorkflowRun {
    /// Runs the steps of a chain up to its last one.
    typealias Chain = @MainActor (WorkflowRun) async throws -> Void

    /// Identifies a step.
    final class Key: Sendable {}

    /// The run whose step calls.
    @TaskLocal static var current: WorkflowRun?

    private let workflow: ObjectIdentifier
    private let root: any Sendable
    private var chains: [Task<Void, any Error>] = []
    private var outputs: [ObjectIdentifier: Any] = [:]
    private var cancels: [@MainActor () -> Void] = []
    private var isFinished = false
    private var isCancelled = false

    init<Root>(of workflow: Workflow<Root>, root: WorkflowItem<Root>) {
        self.workflow = ObjectIdentifier(workflow)
        self.root = root
    }

    /// Whether this is a run of `workflow` that has not finished.
    func isRunning<Root>(_ workflow: Workflow<Root>) -> Bool {
        self.workflow == ObjectIdentifier(workflow) && !isFinished
    }

    /// Starts a chain.
    func start(_ chain: @escaping Chain) {
        let task = Task { try await Self.$current.withValue(self) { try await chain(self) } }
        if isCancelled { task.cancel() }
        chains.append(task)
    }

    /// Waits for all chains, those that steps add included, and throws the first error.
    func finish(_ receiveError: @MainActor (any Error) -> Void) async throws {
        var first: (any Error)?
        var index = 0
        while index < chains.count {
            do {
                try await chains[index].value
            } catch {
                first = first ?? error
                receiveError(error)
            }
            index += 1
        }
        isFinished = true
        if let first { throw first }
    }

    /// Cancels all chains and steps.
    func cancel() {
        isCancelled = true
        for chain in chains { chain.cancel() }
        for cancel in cancels { cancel() }
    }

    /// Returns the root item once it is active.
    func root<Root>(as type: Root.Type) async throws -> Root {
        guard let item = root as? WorkflowItem<Root> else { throw WorkflowError.itemGone(type: "\(type)") }
        return try await item.whenActive()
    }

    /// Returns the output of a step: the first chain that needs it runs the step, the others wait for the same task.
    func output<Item, Value>(
        of key: Key,
        _ body: @escaping @MainActor () async throws -> WorkflowOutput<Item, Value>
    ) async throws -> WorkflowOutput<Item, Value> {
        let id = ObjectIdentifier(key)
        if let task = outputs[id] as? Task<WorkflowOutput<Item, Value>, any Error> { return try await task.value }
        let task = Task { try await body() }
        if isCancelled { task.cancel() }
        outputs[id] = task
        cancels.append { task.cancel() }
        return try await task.value
    }
}

/// An item that a step waits for. It is held weakly if it is a scope, so that waiting does not retain it.
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

    /// Returns the item once it is active; at once if it is not a scope.
    ///
    /// - Throws: ``WorkflowError``, or `CancellationError` if the run is cancelled.
    func whenActive() async throws -> Item {
        // The step before may have ignored the cancellation.
        try Task.checkCancellation()
        if let strong { return strong }
        guard let activity = scope?.isActiveStream else { throw gone }
        for await _ in activity {
            guard let scope else { break }
            // The current state, not the one of the stream, which may be outdated.
            if scope.isActive, let item = scope as? Item { return item }
        }
        try Task.checkCancellation()
        throw gone
    }

    private var gone: WorkflowError { .itemGone(type: "\(Item.self)") }
}

/// The output of a step: the item and the value of the next one.
@MainActor
final class WorkflowOutput<Item, Value> {
    let item: WorkflowItem<Item>
    let value: Value

    init(_ output: (Item, Value)) {
        item = WorkflowItem(output.0)
        value = output.1
    }
}
