/// Compares the constraints that the DSL gives to the system with those that it gives to the engine.
@main
@MainActor
struct AppleLayoutCheck {
    static func main() {
        let checker = Checker()
        Sweep(checker: checker).run()
        Behaviour(checker: checker).run()
        WholeLayouts(checker: checker).run()
        print("\(platform): \(checker.comparisons) comparisons, \(checker.differences) differences")
        if checker.differences > 0 { exitWithFailure() }
    }
}
