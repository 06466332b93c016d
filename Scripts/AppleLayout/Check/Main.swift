#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Compares the constraints that statements make on views with those that they make on the engine's items.
@main
@MainActor
struct AppleLayoutCheck {
    static func main() {
        let checker = Checker()
        Sweep(checker: checker).run()
        Behaviour(checker: checker).run()
        WholeLayouts(checker: checker).run()
        print("\(platform): \(checker.comparisons) comparisons, \(checker.differences) differences")
        if checker.differences > 0 { exit(1) }
    }
}

/// Counts comparisons and prints the first 20 differences.
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
