/// A journey through the tree of RIBs in steps, such as the one from a link that was opened to the screen it names.
///
///     let workflow = Workflow<any RootActionable>()
///     workflow
///         .onStep { root in try await root.waitForLogin() }
///         .onStep { loggedIn, user in try await loggedIn.openTodo(of: user) }
///         .commit()
///     try await workflow.start(on: rootInteractor).value
///
/// A step waits until its item is active, then runs once. Steps after a fork share what comes before it. An error ends
/// its chain. An item that is a scope is held weakly while its step waits for it: when it goes away, the step throws
/// ``WorkflowError/itemGone(type:)``.
@MainActor
open class Workflow<RootItem> {
    private var chains: [@MainActor (WorkflowRun) async throws -> Void] = []

    /// Creates a workflow without steps.
    public init() {}

    /// Called once in a run, when all its chains have come to their ends without an error.
    open func didComplete() {}

    /// Called when a step is forked.
    open func didFork() {}

    /// Called with the error that has ended a chain, once for each chain.
    open func didReceiveError(_ error: any Error) {}

    /// Adds the first step.
    ///
    /// - Parameter body: Works on the root item; gives the next step its item and a value.
    /// - Returns: The step, to which the next is added.
    public final func onStep<NextItem, Value>(
        _ body: @escaping @MainActor (RootItem) async throws -> (NextItem, Value)
    ) -> WorkflowStep<RootItem, NextItem, Value> {
        let key = WorkflowRun.Key()
        return WorkflowStep(workflow: self) { run in
            try await run.output(of: key) {
                let root = try await run.root(as: RootItem.self)
                return WorkflowOutput(try await body(root))
            }
        }
    }

    /// Runs every chain that has been committed.
    ///
    /// - Parameter item: The root item; held weakly while the first step waits for it, if it is a scope.
    /// - Returns: The run; its value throws the first error there was, in the order of commits. Cancelling it cancels
    ///   every step.
    @discardableResult
    public final func start(on item: RootItem) -> Task<Void, any Error> {
        let run = WorkflowRun(root: WorkflowItem(item))
        let chains = chains
        return Task {
            let running = chains.map { chain in Task { try await chain(run) } }
            try await withTaskCancellationHandler {
                var first: (any Error)?
                for chain in running {
                    do {
                        try await chain.value
                    } catch {
                        first = first ?? error
                        self.didReceiveError(error)
                    }
                }
                if let first { throw first }
            } onCancel: {
                for chain in running { chain.cancel() }
                Task { @MainActor in run.cancel() }
            }
            self.didComplete()
        }
    }

    final func add(_ chain: @escaping @MainActor (WorkflowRun) async throws -> Void) {
        chains.append(chain)
    }
}
