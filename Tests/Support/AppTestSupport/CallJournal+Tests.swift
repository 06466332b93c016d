package import RIBs
import TestSupport
import Testing

/// Returns a journal that fails the test with each call that was not asserted.
@MainActor
package func journal<Call: Equatable>(of type: Call.Type = Call.self) -> CallJournal<Call> {
    CallJournal { Issue.record("\($0)") }
}

extension CallJournal {
    /// Expects several calls, in this order.
    package func expect(
        _ first: Call,
        _ second: Call,
        _ more: Call...,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        for call in [first, second] + more { expect(call, file: file, line: line) }
    }

    /// Waits for calls, and expects them in this order.
    package func expectNext(_ calls: Call..., file: StaticString = #fileID, line: UInt = #line) async throws {
        for call in calls {
            try await eventually { !unasserted.isEmpty }
            expect(call, file: file, line: line)
        }
    }
}
