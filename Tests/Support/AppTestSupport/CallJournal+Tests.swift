package import RIBs
import Testing

/// Returns a journal that fails the test with each call that was not asserted.
@MainActor
package func journal<Call: Equatable>(of type: Call.Type = Call.self) -> CallJournal<Call> {
    CallJournal { Issue.record("\($0)") }
}
