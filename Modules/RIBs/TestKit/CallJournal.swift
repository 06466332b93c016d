/// Records the calls that a mock receives, and reports each that the test does not assert.
///
/// A mock router records every routing call, the test expects them one by one, and ``finish(file:line:)`` reports the rest: an
/// unexpected transition fails the test, as a missing one does.
///
///     enum Call { case showPicture, close }
///     let journal = CallJournal<Call> { Issue.record("\($0)") }
///     interactor.router = MockRouter(journal)
///     interactor.didTapPicture()
///     journal.expect(.showPicture)
///     journal.finish()
///
/// It depends on no test framework: the test passes the function that reports.
@MainActor
public final class CallJournal<Call: Equatable> {
    private let report: @MainActor (String) -> Void
    private var isFinished = false

    /// The calls that have not been expected yet, the oldest first.
    public private(set) var unasserted: [Call] = []

    /// Creates an empty journal, whose `report` fails the test with a message.
    public init(report: @escaping @MainActor (String) -> Void) {
        self.report = report
    }

    #if canImport(Darwin)
        deinit { onMainThread { willDeallocate() } }
    #else
        isolated deinit { willDeallocate() }
    #endif

    private func willDeallocate() {
        if !isFinished, !unasserted.isEmpty {
            report("the journal was deallocated with unasserted calls: \(unasserted)")
        }
    }

    /// Records a call; the mock calls this.
    public func record(_ call: Call) {
        if isFinished { report("\(call) was called after the journal was finished") }
        unasserted.append(call)
    }

    /// Expects the oldest call that has not been expected yet to be this one, and reports it otherwise.
    public func expect(_ call: Call, file: StaticString = #fileID, line: UInt = #line) {
        guard let first = unasserted.first else {
            return report("\(file):\(line): expected \(call), but there was no call")
        }
        guard first == call else {
            return report("\(file):\(line): expected \(call), but the next call was \(first) of \(unasserted)")
        }
        unasserted.removeFirst()
    }

    /// Expects that every call has been expected, and reports the rest.
    public func finish(file: StaticString = #fileID, line: UInt = #line) {
        isFinished = true
        if !unasserted.isEmpty { report("\(file):\(line): unasserted calls: \(unasserted)") }
        unasserted = []
    }
}
