import RIBs
import Testing

@Suite("The test kit", .timeLimit(.minutes(1)))
@MainActor
struct CallJournalTests {
    enum Call: Equatable { case show, close }

    final class Reports {
        var texts: [String] = []
    }

    let reports = Reports()

    @Test("Calls that are expected in order are not reported")
    func passes() {
        let journal = journal()
        journal.record(.show)
        journal.record(.close)
        journal.expect(.show)
        journal.expect(.close)
        journal.finish()
        #expect(reports.texts == [])
    }

    @Test("A call that is not asserted is reported")
    func reportsLeftOver() {
        let journal = journal()
        journal.record(.show)
        journal.record(.close)
        journal.expect(.show)
        journal.finish(file: "Some/Tests.swift", line: 7)
        #expect(reports.texts == ["Some/Tests.swift:7: unasserted calls: \([Call.close])"])
    }

    @Test("A missing call and a wrong order are reported")
    func reportsMissing() {
        let journal = journal()
        journal.expect(.show, file: "a.swift", line: 1)
        journal.record(.close)
        journal.record(.show)
        journal.expect(.show, file: "a.swift", line: 2)
        #expect(reports.texts.count == 2)
        #expect(reports.texts.first?.hasPrefix("a.swift:1: expected ") == true)
        #expect(reports.texts.last?.hasPrefix("a.swift:2: expected ") == true)
        #expect(journal.unasserted == [.close, .show])
        journal.expect(.close)
        journal.expect(.show)
        journal.finish()
        #expect(reports.texts.count == 2)
    }

    @Test("A deallocated journal reports unasserted calls, and a finished one reports late calls")
    func reportsAtTheEnd() {
        var left: CallJournal<Call>? = journal()
        left?.record(.show)
        left = nil
        #expect(reports.texts.count == 1)
        let late = journal()
        late.finish()
        late.record(.close)
        late.expect(.close)
        #expect(reports.texts.count == 2)
    }

    private func journal() -> CallJournal<Call> { CallJournal { [reports] in reports.texts.append($0) } }
}
