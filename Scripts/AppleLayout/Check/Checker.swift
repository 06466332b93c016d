/// Counts what was compared, and tells what differed.
@MainActor
final class Checker {
    private(set) var comparisons = 0
    private(set) var differences = 0

    func expect(_ condition: Bool, _ text: @autoclosure () -> String, line: UInt = #line) {
        comparisons += 1
        guard !condition else { return }
        differences += 1
        if differences <= 20 { print("line \(line): \(text())") }
    }

    func equal<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: @autoclosure () -> String, line: UInt = #line)
    {
        expect(found == wanted, "\(what()): \(found), not \(wanted)", line: line)
    }
}
