import RIBs
import TestSupport
import Testing

@Suite("Workflow", .timeLimit(.minutes(1)))
@MainActor
struct WorkflowTests {
    final class RecordingWorkflow: Workflow<Interactor> {
        let recorder: Recorder

        init(_ recorder: Recorder) { self.recorder = recorder }

        override func didComplete() { recorder.record("didComplete") }
        override func didFork() { recorder.record("didFork") }
        override func didReceiveError(_ error: any Error) { recorder.record("error \(error)") }
    }

    enum Failure: Error { case refused }

    @MainActor
    final class Holder {
        var item: Interactor? = Interactor()
    }

    /// Holds a step for a closure of its workflow, until the test ends the reference cycle.
    @MainActor
    final class StepReference<Value> {
        var step: WorkflowStep<Interactor, Interactor, Value>?
        init(_ step: WorkflowStep<Interactor, Interactor, Value>) { self.step = step }
    }

    let recorder = Recorder()
    let root = Interactor()
    let child = Interactor()

    @Test("Each step waits until its item is active, then runs once")
    func waits() async throws {
        let workflow = RecordingWorkflow(recorder)
        workflow
            .onStep { [child] root in
                self.recorder.record("one(active: \(root.isActive))")
                return (child, 5)
            }
            .onStep { child, value in
                self.recorder.record("two(active: \(child.isActive), value: \(value))")
                return (child, ())
            }
            .commit()
        let run = workflow.start(on: root)
        await settle()
        #expect(recorder.take() == [])
        root.activate()
        await settle()
        #expect(recorder.take() == ["one(active: true)"])
        child.activate()
        await settle()
        child.deactivate()
        child.activate()
        root.deactivate()
        root.activate()
        try await run.value
        #expect(recorder.calls == ["two(active: true, value: 5)", "didComplete"])
    }

    @Test("A step does not wait for an item that is not a scope")
    func doesNotWait() async throws {
        let workflow = Workflow<Int>()
        var got = 0
        workflow.onStep { root in (root + 1, "x") }
            .onStep { item, value in
                got = item
                return (value, item)
            }
            .commit()
        try await workflow.start(on: 1).value
        #expect(got == 2)
    }

    @Test("The error handler of a step is called once, also for the error of an earlier step, before the workflow's")
    func stepErrorHandler() async {
        root.activate()
        let workflow = RecordingWorkflow(recorder)
        let guarded =
            workflow
            .onStep { root -> (Interactor, Int) in throw Failure.refused }
            .onStep { item, value in (item, value + 1) }
            .onError { self.recorder.record("handler \($0)") }
        guarded.fork().onStep { item, value in (item, value) }.commit()
        guarded.commit()
        await #expect(throws: Failure.refused) { try await workflow.start(on: root).value }
        #expect(recorder.calls == ["didFork", "handler refused", "error refused", "error refused"])
    }

    @Test("The error handler of a step is not called for an error of a later step")
    func stepErrorHandlerOfEarlierStep() async {
        root.activate()
        let workflow = RecordingWorkflow(recorder)
        workflow
            .onStep { root in (root, 1) }
            .onError { self.recorder.record("handler \($0)") }
            .onStep { _, _ -> (Interactor, Int) in throw Failure.refused }
            .commit()
        await #expect(throws: Failure.refused) { try await workflow.start(on: root).value }
        #expect(recorder.calls == ["error refused"])
    }

    @Test("Forks share the steps before them, and didComplete is called once")
    func forks() async throws {
        root.activate()
        let workflow = RecordingWorkflow(recorder)
        let shared = workflow.onStep { root in
            self.recorder.record("shared")
            await Task.yield()
            return (root, ())
        }
        shared.fork().onStep(recording("left")).commit()
        shared.onStep(recording("right")).commit()
        try await workflow.start(on: root).value
        #expect(recorder.calls.first == "didFork")
        #expect(recorder.calls.filter { $0 == "shared" }.count == 1)
        #expect(Set(recorder.calls) == ["didFork", "shared", "left", "right", "didComplete"])
        #expect(recorder.calls.last == "didComplete")
        #expect(recorder.calls.count == 5)
    }

    @Test("An error ends its chain and is reported; the other fork continues; the workflow does not complete")
    func stopsAtError() async {
        root.activate()
        let workflow = RecordingWorkflow(recorder)
        let shared = workflow.onStep { ($0, ()) }
        shared.fork()
            .onStep { (root, _) async throws -> (Interactor, Void) in throw Failure.refused }
            .onStep(recording("never"))
            .commit()
        shared.onStep(recording("other")).commit()
        await #expect(throws: Failure.refused) { try await workflow.start(on: self.root).value }
        #expect(Set(recorder.calls) == ["didFork", "other", "error refused"])
    }

    @Test("If an item is deallocated while its step waits for it, the step throws")
    func throwsWhenGone() async {
        var item: Interactor? = Interactor()
        weak let weakItem = item
        let workflow = RecordingWorkflow(recorder)
        workflow.onStep { ($0, ()) }.commit()
        guard let run = item.map({ workflow.start(on: $0) }) else { return }
        await settle()
        item = nil
        #expect(weakItem == nil)
        await #expect(throws: WorkflowError.itemGone(type: "Interactor")) { try await run.value }
        #expect(recorder.calls == ["error \(WorkflowError.itemGone(type: "Interactor"))"])
    }

    @Test("If a later item is deallocated while its step waits for it, the step throws")
    func throwsWhenLaterItemIsGone() async {
        root.activate()
        let holder = Holder()
        let workflow = RecordingWorkflow(recorder)
        workflow
            .onStep { _ in
                guard let item = holder.item else { throw Failure.refused }
                return (item, ())
            }
            .onStep(recording("never"))
            .commit()
        let run = workflow.start(on: root)
        await settle()
        holder.item = nil
        await #expect(throws: WorkflowError.itemGone(type: "Interactor")) { try await run.value }
        #expect(!recorder.calls.contains("never"))
    }

    @Test("A cancelled run ends its waiting steps with a CancellationError")
    func cancels() async {
        let workflow = RecordingWorkflow(recorder)
        workflow.onStep { ($0, ()) }.commit()
        let run = workflow.start(on: root)
        await settle()
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }

        // Also those that begin later, behind a step that ignores it, which may add a chain.
        root.activate()
        let working = Holder()
        let slow = RecordingWorkflow(recorder)
        var reference: StepReference<Void>?
        let first = slow.onStep { root in
            while working.item != nil { await Task.yield() }
            reference?.step?.fork().onStep(self.recording("fork")).commit()
            return (root, ())
        }
        reference = StepReference(first)
        defer { reference?.step = nil }
        first.onStep(recording("next")).commit()
        let late = slow.start(on: root)
        await settle()
        late.cancel()
        await settle()
        working.item = nil
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(Set(recorder.calls) == ["error CancellationError()", "didFork"])
    }

    @Test("A workflow can run again, and every step runs again")
    func runsAgain() async throws {
        root.activate()
        let workflow = RecordingWorkflow(recorder)
        workflow.onStep { root in
            self.recorder.record("step")
            return (root, ())
        }
        .commit()
        try await workflow.start(on: root).value
        try await workflow.start(on: root).value
        #expect(recorder.calls == ["step", "didComplete", "step", "didComplete"])
    }

    @Test("A chain that a running step commits runs in that run, and in no other")
    func forksInRunningStep() async throws {
        root.activate()
        let workflow = RecordingWorkflow(recorder)
        let first = workflow.onStep { ($0, 1) }
        let reference = StepReference(first)
        defer { reference.step = nil }
        first
            .onStep { root, _ in
                self.recorder.record("outer")
                reference.step?.fork()
                    .onStep { root, value in
                        await Task.yield()
                        self.recorder.record("inner \(value)")
                        return (root, ())
                    }
                    .commit()
                return (root, ())
            }
            .commit()
        let expected = ["outer", "didFork", "inner 1", "didComplete"]
        for _ in 0..<3 {
            try await workflow.start(on: root).value
            #expect(recorder.take() == expected)
        }
    }

    @Test("An error of a chain that a running step commits fails the run, and cancelling the run cancels the chain")
    func failsInRunningStep() async throws {
        root.activate()
        let workflow = RecordingWorkflow(recorder)
        let isWaiting = Holder()
        let first = workflow.onStep { ($0, ()) }
        let reference = StepReference(first)
        defer { reference.step = nil }
        first
            .onStep { [child] root, _ in
                let first = try #require(reference.step)
                first.onStep { (_, _) async throws -> (Interactor, Void) in throw Failure.refused }.commit()
                first.onStep { _, _ in
                    isWaiting.item = nil
                    return (child, ())
                }
                .onStep { child, _ in (child, ()) }
                .commit()
                return (root, ())
            }
            .commit()
        let run = workflow.start(on: root)
        try await eventually(within: .seconds(5)) { isWaiting.item == nil }
        await settle()
        run.cancel()
        await #expect(throws: Failure.refused) { try await run.value }
        #expect(Set(recorder.calls) == ["error refused", "error CancellationError()"])
    }

    @Test("A chain that is committed between two runs belongs to the later one")
    func commitsBetweenRuns() async throws {
        root.activate()
        let workflow = RecordingWorkflow(recorder)
        let first = workflow.onStep { ($0, ()) }
        first.commit()
        try await workflow.start(on: root).value
        first.onStep(recording("second")).commit()
        try await workflow.start(on: root).value
        #expect(recorder.take() == ["didComplete", "second", "didComplete"])
        // A running step of another workflow is between the runs, too.
        let other = RecordingWorkflow(recorder)
        other.onStep { root in
            first.onStep(self.recording("third")).commit()
            return (root, ())
        }
        .commit()
        try await other.start(on: root).value
        #expect(recorder.take() == ["didComplete"])
        try await workflow.start(on: root).value
        #expect(recorder.calls.sorted() == ["didComplete", "second", "third"])
    }

    /// A step that records a call and returns its item.
    private func recording<Value>(_ call: String) -> @MainActor (Interactor, Value) async throws -> (Interactor, Void) {
        { item, _ in
            self.recorder.record(call)
            return (item, ())
        }
    }

    private func settle() async {
        for _ in 0..<50 { await Task.yield() }
    }
}
