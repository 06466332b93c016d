import TestSupport
import Testing

@testable import RIBs

@Suite("Leak detector", .timeLimit(.minutes(1)))
@MainActor
struct LeakDetectorTests {
    final class Thing {}
    final class Shown: ViewControllable {}
    final class Presenting: PresentableInteractor<Shown> {}

    /// Its timer ticks once an hour, so that only the test advances it.
    let detector = LeakDetector(interval: .seconds(3600), isEnabled: true)

    @Test("In debug builds detection is on, unless the environment disables it")
    func environment() {
        #expect([nil, "on", "", "OFF"].allSatisfy(LeakDetector.isOn) && !LeakDetector.isOn("off"))
        #expect(LeakDetector(isEnabled: LeakDetector.isOn("off")).isEnabled == false)
    }

    @Test("An object that is deallocated in time is not a leak")
    func meets() {
        var thing: Thing? = Thing()
        if let thing { detector.expectDeallocation(of: thing, within: .seconds(1), because: "it should") }
        #expect(detector.pendingCount == 1)
        thing = nil
        #expect(detector.pendingCount == 0)
        detector.advance(by: .seconds(2))
        #expect(detector.leaks.isEmpty)
    }

    @Test("An object that is alive after its time is reported once, with its type and the reason")
    func finds() {
        let thing = Thing()
        var reported: [Leak] = []
        detector.onLeak = { reported.append($0) }
        detector.expectDeallocation(of: thing, within: .seconds(1), because: "its owner is deallocated")
        detector.advance(by: .milliseconds(999))
        #expect(reported.isEmpty)
        detector.advance(by: .milliseconds(1))
        detector.advance(by: .seconds(9))
        #expect(reported.count == 1)
        #expect(reported == detector.leaks)
        #expect(
            reported.first?.description.hasPrefix(
                "Thing is still alive after 1.0 seconds, although its owner is deallocated."
            )
                == true
        )
    }

    @Test("Only the latest leaks are stored, and each is reported")
    func limits() {
        let thing = Thing()
        var count = 0
        detector.onLeak = { _ in count += 1 }
        for index in 0..<LeakDetector.leakLimit + 5 {
            detector.expectDeallocation(of: thing, within: .seconds(1), because: "\(index)")
        }
        detector.advance(by: .seconds(1))
        #expect(count == LeakDetector.leakLimit + 5)
        #expect(detector.leaks.count == LeakDetector.leakLimit)
        #expect(detector.leaks.first?.reason == "5" && detector.leaks.last?.reason == "\(count - 1)")
    }

    @Test("Cancelling after the expiry, or twice, does not affect other expectations")
    func cancels() {
        let (first, second) = (Thing(), Thing())
        let one = detector.expectDeallocation(of: first, within: .seconds(1), because: "one")
        let two = detector.expectDeallocation(of: second, within: .seconds(5), because: "two")
        detector.advance(by: .seconds(1))
        one.cancel()
        one.cancel()
        #expect(detector.leaks.map(\.reason) == ["one"])
        #expect(detector.pendingCount == 1)
        two.cancel()
        two.cancel()
        #expect(detector.pendingCount == 0)
        detector.advance(by: .seconds(10))
        #expect(detector.leaks.count == 1)
    }

    @Test("Two expectations of one object are independent")
    func separates() {
        let thing = Thing()
        let first = detector.expectDeallocation(of: thing, within: .seconds(1), because: "one")
        detector.expectDeallocation(of: thing, within: .seconds(1), because: "two")
        first.cancel()
        detector.advance(by: .seconds(1))
        #expect(detector.leaks.map(\.reason) == ["two"])
    }

    @Test("A new object at the address of a deallocated one is not mistaken for it")
    func ignoresAddresses() {
        for _ in 0..<1_000 {
            let thing = Thing()
            detector.expectDeallocation(of: thing, within: .seconds(1), because: "it should")
        }
        let later = (0..<1_000).map { _ in Thing() }
        detector.advance(by: .seconds(1))
        #expect(detector.leaks.isEmpty)
        #expect(later.count == 1_000)
    }

    @Test("A disabled detector expects nothing")
    func isOff() {
        let off = LeakDetector(interval: .seconds(3600), isEnabled: false)
        let thing = Thing()
        off.expectDeallocation(of: thing, within: .zero, because: "it should")
        off.advance(by: .seconds(1))
        #expect(off.pendingCount == 0)
        #expect(off.leaks.isEmpty)
    }

    @Test(
        "The detector checks by itself, and counts a check as one interval, which is a millisecond or more",
        arguments: [.milliseconds(5), .zero] as [Duration]
    )
    func ticks(interval: Duration) async throws {
        let detector = LeakDetector(interval: interval, isEnabled: true)
        let thing = Thing()
        detector.expectDeallocation(of: thing, within: .milliseconds(20), because: "it should")
        try await eventually { !detector.leaks.isEmpty }
        #expect(detector.leaks.count == 1)
    }

    @Test("A router expects its interactor within a second, and its view controller within five")
    func expectsOfRouter() {
        let interactor = Interactor()
        let shown = Shown()
        do {
            _ = ViewableRouter(interactor: interactor, viewController: shown, leakDetector: detector)
        }
        #expect(detector.pendingCount == 2)
        detector.advance(by: .seconds(1))
        #expect(detector.leaks.map(\.type) == ["Interactor"])
        detector.advance(by: .seconds(4))
        #expect(detector.leaks.map(\.type) == ["Interactor", "Shown"])
    }

    @Test("An interactor expects its presenter within a second")
    func expectsOfInteractor() {
        let shown = Shown()
        do { _ = Presenting(presenter: shown, leakDetector: detector) }
        detector.advance(by: .seconds(1))
        #expect(detector.leaks.map(\.type) == ["Shown"])
        #expect(detector.leaks.map(\.reason) == ["its interactor, Presenting, is deallocated"])
    }

    /// A view controller that knows whether it is on screen.
    final class Visible: ViewControllable {
        var isOnScreen = true
    }

    @Test(
        "A view that is on screen five seconds after its router was detached is reported, while the router is retained"
    )
    func findsViewOnScreen() {
        let root = Router(interactor: Interactor(), leakDetector: detector)
        root.interactor.activate()
        root.load()
        let child = ViewableRouter(interactor: Interactor(), viewController: Visible(), leakDetector: detector)
        root.attachChild(child)
        detector.advance(by: .seconds(60))
        #expect(detector.leaks.isEmpty)
        root.detachChild(child)
        detector.advance(by: .milliseconds(4_999))
        #expect(detector.leaks.isEmpty && detector.pendingCount == 1)
        detector.advance(by: .milliseconds(1))
        #expect(detector.leaks.map(\.type) == ["Visible"])
        #expect(detector.leaks.map(\.fault) == [.onScreen])
        #expect(
            detector.leaks.first?.description.hasPrefix(
                "Visible is still on screen after 5.0 seconds, although its router"
            )
                == true
        )
        detector.advance(by: .seconds(60))
        #expect(detector.leaks.count == 1)
    }

    @Test("A view that leaves the screen in time, or whose router is attached again, is not reported")
    func findsNoViewOnScreen() {
        let root = Router(interactor: Interactor(), leakDetector: detector)
        root.interactor.activate()
        root.load()
        let dismissed = ViewableRouter(interactor: Interactor(), viewController: Visible(), leakDetector: detector)
        let reattached = ViewableRouter(interactor: Interactor(), viewController: Visible(), leakDetector: detector)
        for child in [dismissed, reattached] {
            root.attachChild(child)
            root.detachChild(child)
        }
        #expect(detector.pendingCount == 2)
        dismissed.viewController.isOnScreen = false
        root.attachChild(reattached)
        #expect(detector.pendingCount == 0)
        detector.advance(by: .seconds(60))
        #expect(detector.leaks.isEmpty)
    }

    @Test("Routers take the detector that is current where they are made")
    func takesCurrent() {
        let interactor = Interactor()
        LeakDetector.withCurrent(detector) { _ = Router(interactor: interactor) }
        #expect(detector.pendingCount == 1)
    }

    @Test("A RIB that is deallocated leaves no expectation")
    func cleanTree() {
        LeakDetector.withCurrent(detector) {
            let root = ViewableRouter(interactor: Presenting(presenter: Shown()), viewController: Shown())
            root.interactor.activate()
            root.load()
            root.attachChild(Router(interactor: Interactor()))
        }
        #expect(detector.pendingCount == 0)
    }

    @Test("A task that ends while the main actor is busy for longer than the time limit is not reported as a leak")
    func busyMainActor() async {
        var leaks: [Leak] = []
        await LeakDetector.reporting(within: .milliseconds(200)) {
            leaks.append($0)
        } whileRunning: {
            let presenter = Shown()
            _ = Presenting(presenter: presenter)
            // Other work of the main actor, such as a parallel test.
            Task { @MainActor in
                let end = ContinuousClock.now + .milliseconds(500)
                while ContinuousClock.now < end {}
            }
            // Retains the presenter for several turns of the main actor.
            Task { @MainActor in
                for _ in 0..<5 { await Task.detached {}.value }
                withExtendedLifetime(presenter) {}
            }
        }
        #expect(leaks.isEmpty, "\(leaks)")
    }

    @Test("A test body that releases its tree reports nothing, one that retains a part of it reports that")
    func reports() async {
        var leaks: [Leak] = []
        await LeakDetector.reporting {
            leaks.append($0)
        } whileRunning: {
            let root = ViewableRouter(interactor: Presenting(presenter: Shown()), viewController: Shown())
            root.interactor.activate()
            root.load()
            await Task.yield()
            // Ends a little after the tree: what a task still holds is no leak.
            Task { [interactor = root.interactor] in
                await Task.yield()
                _ = interactor
            }
        }
        #expect(leaks.isEmpty)

        let kept = Interactor()
        await LeakDetector.reporting(within: .milliseconds(5)) {
            leaks.append($0)
        } whileRunning: {
            _ = Router(interactor: kept)
        }
        #expect(leaks.map(\.type) == ["Interactor"])
    }
}
