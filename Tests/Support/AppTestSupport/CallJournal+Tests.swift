package import RIBs
import Testing

/// A journal that fails the test with what nobody asserted.
@MainActor
package func journal<Call: Equatable>(of type: Call.Type = Call.self) -> CallJournal<Call> {
    CallJournal { Issue.record("\($0)") }
}
