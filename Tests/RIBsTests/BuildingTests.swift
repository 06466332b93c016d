import RIBs
import Testing

@Suite("Components and builders (10)")
@MainActor
struct BuildingTests {
    final class Store {}
    final class Screen {}

    final class AppComponent: Component<any EmptyDependency> {
        private(set) var made = 0

        var store: Store {
            shared {
                made += 1
                return Store()
            }
        }
        var other: Store { shared { Store() } }
        var pair: [Store] { shared { [store, other] } }
        var unshared: Store { Store() }
    }

    final class MadeOnce {
        var count = 0
    }

    @Test("shared keeps one instance for each property, made once")
    func shares() {
        let component = AppComponent(dependency: EmptyComponent())
        #expect(component.store === component.store)
        #expect(component.made == 1)
        #expect(component.other !== component.store)
        #expect(component.unshared !== component.unshared)
    }

    @Test("A shared property may be made of other shared ones")
    func nests() {
        let component = AppComponent(dependency: EmptyComponent())
        #expect(component.pair[0] === component.store)
        #expect(component.pair[1] === component.other)
        #expect(component.made == 1)
    }

    @Test("Two components share nothing with each other")
    func separates() {
        let (first, second) = (
            AppComponent(dependency: EmptyComponent()), AppComponent(dependency: EmptyComponent())
        )
        #expect(first.store !== second.store)
    }

    @Test("shared keeps a nil that its factory gave, and does not run it again")
    func sharesNil() {
        let component = Component<Int>(dependency: 0)
        var runs = 0
        func value() -> Store? {
            component.shared("value") {
                runs += 1
                return nil
            }
        }
        #expect(value() == nil)
        #expect(value() == nil)
        #expect(runs == 1)
    }

    @Test("A builder keeps what its parent provides")
    func builds() {
        let component = AppComponent(dependency: EmptyComponent())
        let builder = Builder<AppComponent>(dependency: component)
        #expect(builder.dependency === component)
    }

    @Test("A multi-stage builder keeps one component until the final build, then makes another")
    func buildsInStages() {
        let made = MadeOnce()
        let builder = MultiStageBuilder<AppComponent, String, Int>(
            component: {
                made.count += 1
                return AppComponent(dependency: EmptyComponent())
            },
            finalStage: { component, number in "\(component.made) \(number)" }
        )
        let first = builder.componentForCurrentPass
        _ = first.store
        #expect(builder.componentForCurrentPass === first)
        #expect(builder.finalStageBuild(with: 5) == "1 5")
        #expect(builder.componentForCurrentPass !== first)
        #expect(made.count == 2)
    }

    @Test("A final build without an earlier step has a component of its own each time")
    func buildsAtOnce() {
        let made = MadeOnce()
        let builder = MultiStageBuilder<Int, Int, Int>(
            component: {
                made.count += 1
                return made.count
            },
            finalStage: { component, number in component * 10 + number }
        )
        #expect(builder.finalStageBuild(with: 1) == 11)
        #expect(builder.finalStageBuild(with: 2) == 22)
    }
}
