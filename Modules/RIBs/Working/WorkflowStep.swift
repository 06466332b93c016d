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
    /// - Parameter body: Works on the item and the value of this step, once the item is active; gives the next step
    ///   its item and a value.
    /// - Returns: The step, to which the next is added.
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

    /// Begins another chain after this step, which runs once for both.
    ///
    /// - Returns: This step, for the other chain.
    public func fork() -> Self {
        workflow.didFork()
        return self
    }

    /// Ends the chain with this step and makes it part of the workflow's runs.
    ///
    /// - Returns: The workflow.
    @discardableResult
    public func commit() -> Workflow<RootItem> {
        let output = output
        workflow.add { run in _ = try await output(run) }
        return workflow
    }
}
