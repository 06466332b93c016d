import RIBs
import Testing

@Suite("Components and builders", .timeLimit(.minutes(1)))
@MainActor
struct BuildingTests {
    final class Store {}
    final class Screen {}
    protocol EmptyDependencyOwner {}

    final class AppComponent: Component<any EmptyDependency>, EmptyDependencyOwner {
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

    @Test("shared returns one instance for each property, made once")
    func shares() {
        let component = AppComponent(dependency: EmptyComponent())
        #expect(component.store === component.store)
        #expect(component.made == 1)
        #expect(component.other !== component.store)
        #expect(component.unshared !== component.unshared)
    }

    @Test("A shared property may use other shared properties")
    func nests() {
        let component = AppComponent(dependency: EmptyComponent())
        #expect(component.pair[0] === component.store)
        #expect(component.pair[1] === component.other)
        #expect(component.made == 1)
    }

    @Test("Two components do not share instances")
    func separates() {
        let (first, second) = (AppComponent(dependency: EmptyComponent()), AppComponent(dependency: EmptyComponent()))
        #expect(first.store !== second.store)
    }

    @Test("shared stores a nil instance, and does not call its factory again")
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

    @Test("A builder has the dependency of its parent")
    func builds() {
        let component = AppComponent(dependency: EmptyComponent())
        let builder = Builder<AppComponent>(dependency: component)
        #expect(builder.dependency === component)
    }

    @Test("A multi-stage builder uses one component until the final build, then makes another")
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

    @Test("A component that is returned in two passes is reported, and one that is used twice in a pass is not")
    func reportsReusedComponent() {
        let component = AppComponent(dependency: EmptyComponent())
        let builder = MultiStageBuilder<any EmptyDependencyOwner, Int, Int>(
            component: { component },
            finalStage: { _, number in number }
        )
        let reports = MisuseReports()
        Misuse.$report.withValue({ reports.misuses.append($0) }) {
            _ = builder.componentForCurrentPass
            _ = builder.componentForCurrentPass
            #expect(builder.finalStageBuild(with: 1) == 1)
            #expect(reports.misuses.isEmpty)
            #expect(builder.finalStageBuild(with: 2) == 2)
        }
        #expect(reports.misuses.count == 1)
        guard case .reusedComponent(let name, _) = reports.misuses.first else {
            Issue.record("\(reports.misuses)")
            return
        }
        #expect(name == "AppComponent")
    }

    @Test("A componentised builder uses a new component for each build, and reports one that is returned twice")
    func componentised() {
        var components: [AppComponent] = []
        let builder = ComponentizedBuilder<AppComponent, String, Int> {
            AppComponent(dependency: EmptyComponent())
        } router: { component, number in
            components.append(component)
            return "\(component.made) \(number)"
        }
        #expect(builder.build(with: 5) == "0 5")
        #expect(builder.build(with: 6) == "0 6")
        #expect(components[0] !== components[1])

        let reused = AppComponent(dependency: EmptyComponent())
        let careless = ComponentizedBuilder<AppComponent, Int, Void> {
            reused
        } router: { _, _ in
            1
        }
        let reports = MisuseReports()
        Misuse.$report.withValue({ reports.misuses.append($0) }) {
            #expect(careless.build() == 1)
            #expect(reports.misuses.isEmpty)
            #expect(careless.build() == 1)
        }
        #expect(reports.misuses.count == 1)
    }

    @Test("A componentised builder accepts values, which are always new")
    func componentisedValues() {
        let builder = ComponentizedBuilder<Int, Int, Void> {
            7
        } router: { component, _ in
            component
        }
        #expect(builder.build() == 7 && builder.build() == 7)
    }

    @Test("A final build without an earlier step uses a new component each time")
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
