/// Keeps the calls that a test's double receives, and reports each that nobody asserted.
///
/// A mock router records every routing call, the test expects them one by one, and ``finish(file:line:)`` reports what
/// is left over: a transition that nobody asked for fails the test, as one that is missing does.
///
///     enum Call { case showPicture, close }
///     let journal = CallJournal<Call> { Issue.record("\($0)") }
///     interactor.router = MockRouter(journal)
///     interactor.didTapPicture()
///     journal.expect(.showPicture)
///     journal.finish()
///
/// It needs no test framework: the report is the framework's own, given by the test.
@MainActor
public final class CallJournal<Call: Equatable> {
    private let report: @MainActor (String) -> Void
    private var isFinished = false

    /// The calls that have not been expected yet, the oldest first.
    public private(set) var unasserted: [Call] = []

    /// Creates an empty journal.
    ///
    /// - Parameter report: Fails the test with a text.
    public init(report: @escaping @MainActor (String) -> Void) {
        self.report = report
    }

    isolated deinit {
        if !isFinished, !unasserted.isEmpty { report("nobody asserted \(unasserted), and the journal is gone") }
    }

    /// Keeps a call; the double does this.
    public func record(_ call: Call) {
        if isFinished { report("\(call) came after the journal was finished") }
        unasserted.append(call)
    }

    /// Expects the oldest call that has not been expected yet to be this one, and reports it when it is not.
    public func expect(_ call: Call, file: StaticString = #fileID, line: UInt = #line) {
        guard let first = unasserted.first else {
            return report("\(file):\(line): expected \(call), and there was no call")
        }
        guard first == call else {
            return report("\(file):\(line): expected \(call), and the next call was \(first) of \(unasserted)")
        }
        unasserted.removeFirst()
    }

    /// Expects that every call has been expected, and reports those that have not.
    public func finish(file: StaticString = #fileID, line: UInt = #line) {
        isFinished = true
        if !unasserted.isEmpty { report("\(file):\(line): nobody asserted \(unasserted)") }
        unasserted = []
    }
}
