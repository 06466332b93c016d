/// The error of a workflow that cannot continue.
public enum WorkflowError: Error, Equatable, CustomStringConvertible {
    /// The item of a step was deallocated before it became active.
    case itemGone(type: String)

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .itemGone(let type):
            "\(type) was deallocated before it became active: attach it, and do not detach it before the step has run"
        }
    }
}

/// A sequence of steps through the tree of RIBs, such as from a link that was opened to the screen that it names.
///
///     let workflow = Workflow<any RootActionable>()
///     workflow
///         .onStep { root in try await root.waitForLogin() }
///         .onStep { loggedIn, user in try await loggedIn.openTodo(of: user) }
///         .commit()
///     try await workflow.start(on: rootInteractor).value
///
/// A step waits until its item is active, then runs once. Chains that fork from a step share the steps before it. An error
/// ends its chain. An item that is a scope is held weakly while its step waits for it: if it is deallocated, the step throws
/// ``WorkflowError/itemGone(type:)``.
///
/// A chain that is committed by a running step is run at once, as a part of that run alone.
///
/// A workflow retains the closures of its steps, and a step retains its workflow. A closure that captures a step of its
/// workflow, to add a chain while it runs, forms a reference cycle: let it capture an object that holds the step, and remove
/// the step from it when the workflow is no longer needed.
@MainActor
open class Workflow<RootItem> {
    private var chains: [WorkflowRun.Chain] = []

    /// Creates a workflow without steps.
    public init() {}

    /// Called once in a run, when all its chains have ended without an error.
    open func didComplete() {}

    /// Called when a step is forked.
    open func didFork() {}

    /// Called with the error that ended a chain, once for each chain.
    open func didReceiveError(_ error: any Error) {}

    /// Adds the first step.
    ///
    /// - Parameter body: works on the root item; returns the item and the value of the next step.
    /// - Returns: the step, to which the next one is added.
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
    /// - Parameter item: the root item; held weakly while the first step waits for it, if it is a scope.
    /// - Returns: the run. Its value throws the first error in the order of commits. Cancelling it cancels every step.
    @discardableResult
    public final func start(on item: RootItem) -> Task<Void, any Error> {
        let run = WorkflowRun(of: self, root: WorkflowItem(item))
        for chain in chains { run.start(chain) }
        return Task {
            try await withTaskCancellationHandler {
                try await run.finish { self.didReceiveError($0) }
            } onCancel: {
                Task { @MainActor in run.cancel() }
            }
            self.didComplete()
        }
    }

    /// Adds a chain to the run whose step is running, or to all later runs if no step is.
    final func commit(_ chain: @escaping WorkflowRun.Chain) {
        if let run = WorkflowRun.current, run.isRunning(self) {
            run.start(chain)
        } else {
            chains.append(chain)
        }
    }
}

/// A step of a workflow, to which the next step is added.
@MainActor
public struct WorkflowStep<RootItem, Item, Value> {
    private let workflow: Workflow<RootItem>
    private let output: @MainActor (WorkflowRun) async throws -> WorkflowOutput<Item, Value>

    init(
        workflow: Workflow<RootItem>,
        output: @escaping @MainActor (WorkflowRun) async throws -> WorkflowOutput<Item, Value>
    ) {
        self.workflow = workflow
        self.output = output
    }

    /// Adds the next step.
    ///
    /// - Parameter body: works on the item and the value of this step, once the item is active; returns the item and the
    ///   value of the next step.
    /// - Returns: the step, to which the next one is added.
    public func onStep<NextItem, NextValue>(
        _ body: @escaping @MainActor (Item, Value) async throws -> (NextItem, NextValue)
    ) -> WorkflowStep<RootItem, NextItem, NextValue> {
        let key = WorkflowRun.Key()
        let previous = output
        return WorkflowStep<RootItem, NextItem, NextValue>(workflow: workflow) { run in
            try await run.output(of: key) {
                let output = try await previous(run)
                return WorkflowOutput(try await body(try await output.item.whenActive(), output.value))
            }
        }
    }

    /// Calls `handler` with the error of this step, or of a step before it, once in a run.
    ///
    /// The error ends the chain all the same: ``Workflow/didReceiveError(_:)`` receives it after the handler.
    ///
    ///     workflow
    ///         .onStep { root in try await root.openTodo(id) }
    ///         .onError { [weak rootInteractor] error in rootInteractor?.report("there is no todo \(id): \(error)") }
    ///         .commit()
    ///
    /// - Parameter handler: receives the error on the main actor.
    /// - Returns: this step, to which the next one is added.
    public func onError(_ handler: @escaping @MainActor (any Error) -> Void) -> Self {
        let key = WorkflowRun.Key()
        let previous = output
        return Self(workflow: workflow) { run in
            try await run.output(of: key) {
                do {
                    return try await previous(run)
                } catch {
                    handler(error)
                    throw error
                }
            }
        }
    }

    /// Begins another chain after this step, which runs once for both.
    ///
    /// - Returns: this step, for the other chain.
    public func fork() -> Self {
        workflow.didFork()
        return self
    }

    /// Ends the chain with this step and adds it to the workflow.
    ///
    /// Called by a running step of the same workflow, it adds the chain to the present run only.
    ///
    /// - Returns: the workflow.
    @discardableResult
    public func commit() -> Workflow<RootItem> {
        let output = output
        workflow.commit { run in _ = try await output(run) }
        return workflow
    }
}
