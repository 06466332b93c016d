import RIBs
import Testing

@Suite("Worker", .timeLimit(.minutes(1)))
@MainActor
struct WorkerTests {
    final class RecordingWorker: Worker {
        let recorder: Recorder
        private(set) var scope: (any InteractorScope)?
        var whenStarted: (@MainActor () -> Void)?

        init(_ recorder: Recorder) { self.recorder = recorder }

        override func didStart(_ scope: any InteractorScope) {
            self.scope = scope
            recorder.record("didStart\(scope.isActive ? "" : " while inactive")")
            whenStarted.take()?()
        }

        override func didStop() { recorder.record("didStop") }
    }

    let recorder = Recorder()

    @Test("Work follows the interactor's activity")
    func follows() {
        let interactor = Interactor()
        let worker = RecordingWorker(recorder)
        worker.start(interactor)
        #expect(worker.isStarted)
        #expect(recorder.take() == [])
        interactor.activate()
        #expect(recorder.take() == ["didStart"])
        interactor.deactivate()
        #expect(recorder.take() == ["didStop"])
        interactor.activate()
        #expect(recorder.take() == ["didStart"])
        #expect(worker.isStarted)
        worker.stop()
    }

    @Test("A worker started while the interactor is active works at once; a second start does nothing")
    func startsAtOnce() {
        let interactor = Interactor()
        interactor.activate()
        let worker = RecordingWorker(recorder)
        worker.start(interactor)
        worker.start(interactor)
        #expect(recorder.calls == ["didStart"])
        worker.stop()
    }

    @Test("Stop is idempotent, and a stopped worker ignores the interactor")
    func stopsOnce() {
        let interactor = Interactor()
        interactor.activate()
        let worker = RecordingWorker(recorder)
        worker.stop()
        worker.start(interactor)
        worker.stop()
        worker.stop()
        #expect(recorder.take() == ["didStart", "didStop"])
        #expect(!worker.isStarted)
        interactor.deactivate()
        interactor.activate()
        #expect(recorder.calls.isEmpty)
    }

    @Test("A stopped worker can be started again, for another interactor")
    func startsAgain() {
        let (first, second) = (Interactor(), Interactor())
        first.activate()
        let worker = RecordingWorker(recorder)
        worker.start(first)
        worker.stop()
        worker.start(second)
        _ = recorder.take()
        first.deactivate()
        #expect(recorder.calls.isEmpty)
        second.activate()
        #expect(recorder.take() == ["didStart"])
        worker.stop()
        _ = recorder.take()

        // Also while its work for the first one begins.
        first.activate()
        worker.whenStarted = { [unowned worker] in
            worker.stop()
            worker.start(second)
            first.deactivate()
            #expect(recorder.take() == ["didStart", "didStop", "didStart"])
        }
        worker.start(first)
        #expect(recorder.take().isEmpty)
        second.deactivate()
        #expect(recorder.take() == ["didStop"])
        first.activate()
        #expect(recorder.take().isEmpty)
        second.activate()
        worker.stop()
        #expect(recorder.take() == ["didStart", "didStop"])
    }

    @Test("The scope is held weakly, also by a worker that stores it; the work ends with the interactor")
    func holdsWeakly() {
        var interactor: Interactor? = Interactor()
        weak let weakInteractor = interactor
        interactor?.activate()
        let worker = RecordingWorker(recorder)
        if let interactor { worker.start(interactor) }
        interactor = nil
        #expect(weakInteractor == nil)
        #expect(recorder.calls == ["didStart", "didStop"])
        #expect(worker.scope?.isActive == false)
        #expect(worker.isStarted)
    }

    @Test("A task of the worker is cancelled when the work ends, and at once if it is not working")
    func cancelsTasks() async {
        let interactor = Interactor()
        let worker = RecordingWorker(recorder)
        #expect(worker.task {}.isCancelled)
        interactor.activate()
        worker.start(interactor)
        let task = worker.task { while !Task.isCancelled { await Task.yield() } }
        #expect(!task.isCancelled)
        interactor.deactivate()
        #expect(task.isCancelled)
        // A task that was not cancelled would never end.
        task.cancel()
        await task.value

        final class Cancelling: Worker {
            var isCancelled: Bool?
            private var work: Task<Void, Never>?
            override func didStart(_ scope: any InteractorScope) { work = task {} }
            override func didStop() { isCancelled = work?.isCancelled }
        }
        let cancelling = Cancelling()
        interactor.activate()
        cancelling.start(interactor)
        cancelling.stop()
        #expect(cancelling.isCancelled == true, "the tasks are cancelled before the worker is stopped")
    }

    @Test("isStartedStream replays, repeats nothing and finishes with the worker")
    func streams() async {
        var worker: RecordingWorker? = RecordingWorker(recorder)
        guard let stream = worker?.isStartedStream else { return }
        let interactor = Interactor()
        worker?.start(interactor)
        worker?.start(interactor)
        worker?.stop()
        worker?.stop()
        worker = nil
        var seen: [Bool] = []
        for await isStarted in stream { seen.append(isStarted) }
        #expect(seen == [false, true, false])
    }

    @Test("A worker stops before it is deallocated")
    func stopsAsItGoes() {
        let interactor = Interactor()
        interactor.activate()
        var worker: RecordingWorker? = RecordingWorker(recorder)
        worker?.start(interactor)
        worker = nil
        #expect(recorder.calls == ["didStart", "didStop"])
    }
}
