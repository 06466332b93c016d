import RIBs
import TestSupport
import Testing

@Suite("Activity observers and streams", .timeLimit(.minutes(1)))
@MainActor
struct ActivityTests {
    let interactor = Interactor()

    @Test("The stream replays the current value, repeats none, and finishes with the interactor")
    func streams() async {
        var interactor: Interactor? = Interactor()
        interactor?.activate()
        guard let stream = interactor?.isActiveStream else { return }
        interactor?.activate()
        interactor?.deactivate()
        interactor?.deactivate()
        interactor?.activate()
        interactor = nil
        var seen: [Bool] = []
        for await isActive in stream { seen.append(isActive) }
        // The interactor resigns before it is deallocated, which is delivered before the end.
        #expect(seen == [true, false, true, false])
    }

    @Test("Each access makes a new stream: two consumers both receive everything")
    func streamsTwice() async {
        let (first, second) = (interactor.isActiveStream, interactor.isActiveStream)
        interactor.activate()
        for stream in [first, second] {
            var seen: [Bool] = []
            for await isActive in stream {
                seen.append(isActive)
                if isActive { break }
            }
            #expect(seen == [false, true])
        }
    }

    @Test("If an observer changes the activity, the other observers receive only the newest state")
    func reentersObservers() {
        var observed: [Bool] = []
        let turning = interactor.observeActivity { [interactor] in if $0 { interactor.deactivate() } }
        let watching = interactor.observeActivity { observed.append($0) }
        interactor.activate()
        #expect(observed == [false])
        #expect(!interactor.isActive)
        turning.cancel()
        watching.cancel()
    }

    @Test("An observer that another cancels in the same round receives nothing, nor the end")
    func cancelsInRound() {
        var received: [String] = []
        let tokens = Tokens()
        let first = interactor.observeActivity { isActive in
            received.append("first \(isActive)")
            if isActive { tokens.second?.cancel() }
        }
        tokens.second = interactor.observeActivity { received.append("second \($0)") }
        interactor.activate()
        interactor.deactivate()
        #expect(received == ["first false", "second false", "first true", "first false"])
        first.cancel()

        var scope: Interactor? = Interactor()
        received = []
        let third = scope?.observeActivity(
            { _ in },
            end: { [tokens] in
                received.append("third")
                tokens.fourth?.cancel()
            }
        )
        tokens.fourth = scope?.observeActivity({ _ in }, end: { received.append("fourth") })
        scope = nil
        #expect(received == ["third"])
        third?.cancel()
    }

    @MainActor
    private final class Tokens {
        var second, fourth: ObservationToken?
    }

    @Test("An observation ends when its token is deallocated")
    func endsWithToken() {
        var observed: [Bool] = []
        var token: ObservationToken? = interactor.observeActivity { observed.append($0) }
        #expect(token != nil)
        token = nil
        interactor.activate()
        #expect(observed == [false])
    }

    @Test("A task bound to activity is cancelled on resign, and removed when it ends")
    func bindsTasks() async {
        interactor.activate()
        let done = interactor.task {}
        await done.value
        #expect(interactor.boundCount == 0)
        let long = interactor.task { while !Task.isCancelled { await Task.yield() } }
        #expect(interactor.boundCount == 1)
        interactor.deactivate()
        #expect(long.isCancelled)
        long.cancel()
        await long.value
        #expect(interactor.boundCount == 0)
    }

    @Test("What is bound while inactive is cancelled at once")
    func cancelsWhileInactive() async {
        var cancelled = false
        interactor.onDeactivate { cancelled = true }
        #expect(cancelled)
        let bound = interactor.task { while !Task.isCancelled { await Task.yield() } }
        #expect(bound.isCancelled)
        bound.cancel()
        let task = Task { while !Task.isCancelled { await Task.yield() } }.cancelOnDeactivate(of: interactor)
        #expect(task.isCancelled)
        task.cancel()
        await task.value
    }

    @Test("What was bound in one period of activity is not cancelled again in the next")
    func forgetsAfterResign() {
        var cancels = 0
        interactor.activate()
        interactor.onDeactivate { cancels += 1 }
        interactor.deactivate()
        interactor.activate()
        interactor.deactivate()
        #expect(cancels == 1)
    }

    @Test("confineTo stores the latest value while inactive and delivers it on each activation")
    func confines() async throws {
        let (source, continuation) = AsyncStream.makeStream(of: Int.self)
        var received: [Int] = []
        let stream = source.confineTo(interactor)
        let consumer = Task { for await value in stream { received.append(value) } }
        continuation.yield(1)
        continuation.yield(2)
        await settle()
        #expect(received.isEmpty)
        interactor.activate()
        try await eventually { received == [2] }
        continuation.yield(3)
        try await eventually { received == [2, 3] }
        interactor.deactivate()
        continuation.yield(4)
        continuation.yield(5)
        await settle()
        #expect(received == [2, 3])
        interactor.activate()
        try await eventually { received == [2, 3, 5] }
        interactor.deactivate()
        interactor.activate()
        try await eventually { received == [2, 3, 5, 5] }
        continuation.finish()
        await consumer.value
    }

    @Test("confineTo delivers a last value received while inactive before it ends")
    func confinesTheLast() async {
        let (source, continuation) = AsyncStream.makeStream(of: Int.self)
        var received: [Int] = []
        let stream = source.confineTo(interactor)
        let consumer = Task { for await value in stream { received.append(value) } }
        continuation.yield(7)
        continuation.finish()
        await settle()
        interactor.activate()
        await consumer.value
        #expect(received == [7])
    }

    @Test("confineTo finishes with the scope, and throws an error at once")
    func endsConfinement() async {
        struct Failure: Error {}
        var scope: Interactor? = Interactor()
        let (endless, held) = AsyncStream.makeStream(of: Int.self)
        if let scope {
            let stream = endless.confineTo(scope)
            let consumer = Task { for await _ in stream {} }
            await settle()
            _ = scope
            let failing = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Failure()) }.confineTo(interactor)
            await #expect(throws: Failure.self) { for try await _ in failing {} }
            Task { await consumer.value }
        }
        let stream = scope.map { endless.confineTo($0) }
        scope = nil
        if let stream { for await _ in stream {} }
        held.finish()
    }

    @Test("A cancelled consumer of confineTo ends the sequence, with and without errors")
    func cancelledConfinement() async throws {
        let (ends, ended) = AsyncStream.makeStream(of: String.self)
        let plain = AsyncStream<Int> { $0.onTermination = { _ in ended.yield("plain") } }
        let throwing = AsyncThrowingStream<Int, any Error> { $0.onTermination = { _ in ended.yield("throwing") } }
        let (first, second) = (plain.confineTo(interactor), throwing.confineTo(interactor))
        let consumer = Task {
            async let ignoring: Void = { for await _ in first {} }()
            for try await _ in second {}
            await ignoring
        }
        await settle()
        consumer.cancel()
        var iterator = ends.makeAsyncIterator()
        let names = [await iterator.next(), await iterator.next()]
        #expect(Set(names) == ["plain", "throwing"])
    }

    /// Lets every task that is ready on the main actor run.
    private func settle() async {
        for _ in 0..<20 { await Task.yield() }
    }
}
