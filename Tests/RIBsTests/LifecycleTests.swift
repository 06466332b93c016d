import RIBs
import TestSupport
import Testing

@Suite("The order of calls", .timeLimit(.minutes(1)))
@MainActor
struct LifecycleTests {
    let recorder = Recorder()

    @Test("Launch: root view, visible, activate, load")
    func launches() {
        let router = RecordingLaunchRouter("root", recorder)
        let window = RecordingWindow(recorder)
        router.launch(in: window)
        #expect(
            recorder.calls == [
                "window.setRoot", "window.makeVisible", "root.didBecomeActive", "root.didLoad",
            ]
        )
        #expect(window.root === router.viewController)
    }

    @Test("attachChild: append, then activate, then load")
    func attaches() {
        let parent = active("parent")
        let child = RecordingRouter("child", recorder)
        child.interactor.whenActive = { [weak child, weak parent] in
            self.recorder.record("appended: \(parent?.children.contains { $0 === child } == true)")
        }
        parent.attachChild(child)
        #expect(recorder.calls == ["child.didBecomeActive", "appended: true", "child.didLoad"])
    }

    @Test("A child with a view is shown after it is attached, and hidden before it is detached; once each")
    func showsAndHides() {
        let parent = active("parent")
        var child: RecordingLaunchRouter? = RecordingLaunchRouter("child", recorder)
        guard let attached = child else { return }
        parent.attachChild(attached) { view in
            #expect(view === attached.viewController)
            recorder.record("show")
        }
        #expect(recorder.take() == ["child.didBecomeActive", "child.didLoad", "show"])
        for _ in 0..<2 { parent.detachChild(child.take()) { _ in recorder.record("hide") } }
        #expect(recorder.take() == ["hide", "child.willResignActive"])
        #expect(parent.children.isEmpty)
    }

    @Test("A child that closes itself while it is attached goes with the nodes below it, neither loaded nor shown")
    func closesItself() {
        let (parent, child) = (active("parent"), RecordingLaunchRouter("child", recorder))
        let grandchild = RecordingRouter("grandchild", recorder)
        child.interactor.whenActive = { [weak parent, weak child] in
            child?.attachChild(grandchild)
            parent?.detachChild(child) { _ in self.recorder.record("hide") }
        }
        parent.attachChild(child) { _ in recorder.record("show") }
        #expect(
            recorder.take() == [
                "child.didBecomeActive", "grandchild.didBecomeActive", "grandchild.didLoad",
                "hide", "child.willResignActive", "grandchild.willResignActive",
            ]
        )
        #expect(parent.children.isEmpty && ![child.interactor, grandchild.interactor].contains { $0.isActive })
        child.interactor.whenActive = nil
        parent.attachChild(child) { _ in recorder.record("show") }
        #expect(
            recorder.take() == [
                "grandchild.didBecomeActive", "child.didBecomeActive", "child.didLoad",
                "show",
            ]
        )
    }

    @Test("A child that deactivates itself while it is attached is loaded when it is active again")
    func deactivatesItself() {
        let (parent, child) = (active("parent"), RecordingRouter("child", recorder))
        child.interactor.whenActive = { [weak child] in child?.interactor.deactivate() }
        parent.attachChild(child)
        #expect(recorder.take() == ["child.didBecomeActive", "child.willResignActive"])
        child.interactor.whenActive = nil
        parent.interactor.deactivate()
        parent.interactor.activate()
        #expect(
            recorder.take().suffix(3) == ["child.didBecomeActive", "child.didLoad", "parent.didBecomeActive"]
        )
    }

    @Test("attachChild reports a child that is attached already, the router itself and one above it, and attaches none")
    func attachesOnce() {
        let (parent, child, grandchild) = family()
        let misuses = reported {
            parent.attachChild(child)
            parent.attachChild(parent)
            grandchild.attachChild(parent)
        }
        #expect(
            misuses == [
                .attachedTwice(child: "RecordingRouter", parent: "RecordingRouter"),
                .attachedToItself(router: "RecordingRouter"),
                .attachedAncestor(child: "RecordingRouter", parent: "RecordingRouter"),
            ]
        )
        #expect(recorder.calls.isEmpty)
        #expect(parent.children.count == 1 && grandchild.children.isEmpty)
    }

    @Test("A child of one router is reported and not attached by another, until it is detached")
    func attachesToOneParent() {
        let (first, second) = (active("first"), active("second"))
        let child = RecordingRouter("child", recorder)
        first.attachChild(child)
        #expect(
            reported { second.attachChild(child) } == [
                .attachedElsewhere(child: "RecordingRouter", parent: "RecordingRouter", otherParent: "RecordingRouter")
            ]
        )
        #expect(second.children.isEmpty && first.children.count == 1)
        first.detachChild(child)
        #expect(reported { second.attachChild(child) }.isEmpty)
        #expect(second.children.count == 1 && child.interactor.isActive)
        var third: RecordingRouter? = active("third")
        let orphan = RecordingRouter("orphan", recorder)
        third?.attachChild(orphan)
        third = nil
        #expect(reported { second.attachChild(orphan) }.isEmpty)
        #expect(second.children.count == 2)
    }

    #if DEBUG
        @Test("A debug build stops at a misuse that no receiver is set for")
        func stopsDebugBuilds() async {
            await #expect(processExitsWith: .failure) {
                await MainActor.run {
                    let (parent, child) = (Router(interactor: Interactor()), Router(interactor: Interactor()))
                    parent.attachChild(child)
                    parent.attachChild(child)
                }
            }
        }
    #endif

    private func reported(_ body: () -> Void) -> [Misuse] {
        let reports = MisuseReports()
        Misuse.$report.withValue({ reports.misuses.append($0) }, operation: body)
        return reports.misuses
    }

    @Test("Two children that are equal but not the same are both attached")
    func attachesByIdentity() {
        let parent = active("parent")
        parent.attachChild(RecordingRouter("twin", recorder))
        parent.attachChild(RecordingRouter("twin", recorder))
        #expect(parent.children.count == 2)
    }

    @Test("load: the subtree is bound, didLoad is reported, then the hook runs; once")
    func loadsOnce() {
        let router = RecordingRouter("a", recorder)
        let token = router.observeLifecycle { self.recorder.record("lifecycle.\($0)") }
        router.load()
        router.load()
        #expect(recorder.calls == ["lifecycle.didLoad", "a.didLoad"])
        token.cancel()
    }

    @Test("load binds the subtree before didLoad: children attached to an inactive router become active with it, once")
    func bindsBeforeDidLoad() {
        let (router, child) = (RecordingRouter("a", recorder), RecordingRouter("b", recorder))
        child.attachChild(RecordingRouter("c", recorder))
        router.attachChild(child)
        #expect(recorder.take().isEmpty)
        #expect(router.children.count == 1 && !child.interactor.isActive)
        router.interactor.activate()
        #expect(recorder.take() == ["a.didBecomeActive"])
        router.load()
        #expect(
            recorder.take() == [
                "b.didBecomeActive", "c.didBecomeActive", "c.didLoad", "b.didLoad",
                "a.didLoad",
            ]
        )
        let late = RecordingRouter("d", recorder)
        router.interactor.deactivate()
        router.attachChild(late)
        _ = recorder.take()
        router.interactor.activate()
        #expect(late.interactor.isActive)
        #expect(recorder.take().filter { $0.hasPrefix("d") } == ["d.didBecomeActive", "d.didLoad"])
    }

    @Test("A late observer of the lifecycle receives didLoad too")
    func replaysDidLoad() {
        let router = RecordingRouter("a", recorder)
        router.load()
        _ = recorder.take()
        let token = router.observeLifecycle { self.recorder.record("lifecycle.\($0)") }
        #expect(recorder.calls == ["lifecycle.didLoad"])
        token.cancel()
    }

    @Test("activate: observers are called, then the hook; a second call does nothing")
    func activates() {
        let interactor = RecordingInteractor("a", recorder)
        let token = interactor.observeActivity { self.recorder.record("observed \($0)") }
        interactor.activate()
        interactor.activate()
        #expect(recorder.calls == ["observed false", "observed true", "a.didBecomeActive"])
        token.cancel()
    }

    @Test("deactivate: the hook while active, cancellations, which bind nothing, then observers are called; once")
    func deactivates() {
        let interactor = RecordingInteractor("a", recorder)
        interactor.deactivate()
        #expect(recorder.calls.isEmpty)
        interactor.activate()
        let token = interactor.observeActivity { self.recorder.record("observed \($0)") }
        interactor.onDeactivate { self.recorder.record("cancelled 1(active: \(interactor.isActive))") }
        var late: Task<Void, Never>?
        interactor.onDeactivate {
            self.recorder.record("cancelled 2(active: \(interactor.isActive))")
            interactor.deactivate()
            late = interactor.task { while !Task.isCancelled { await Task.yield() } }
            interactor.onDeactivate { self.recorder.record("cancelled 3") }
        }
        _ = recorder.take()
        interactor.deactivate()
        interactor.deactivate()
        #expect(
            recorder.calls == [
                "a.willResignActive", "cancelled 1(active: true)", "cancelled 2(active: true)",
                "cancelled 3", "observed false",
            ]
        )
        #expect(late?.isCancelled == true && interactor.boundCount == 0)
        late?.cancel()
        token.cancel()
    }

    @Test("detachChild: deactivate, parents first, then remove; grandchildren stay")
    func detaches() {
        let (parent, child, grandchild) = family()
        child.interactor.whenResigning = { [weak parent] in
            self.recorder.record("attached: \(parent?.children.count ?? 0)")
        }
        parent.detachChild(child)
        #expect(recorder.calls == ["child.willResignActive", "attached: 1", "grandchild.willResignActive"])
        #expect(parent.children.isEmpty)
        #expect(child.children.count == 1)
        #expect(!grandchild.interactor.isActive)
    }

    @Test("Re-attaching makes the whole subtree active again without a second didLoad")
    func reattaches() {
        let (parent, child, grandchild) = family()
        parent.detachChild(child)
        _ = recorder.take()
        parent.attachChild(child)
        // Observers are called before the hook, so that the hook of the grandchild is called first.
        #expect(recorder.calls == ["grandchild.didBecomeActive", "child.didBecomeActive"])
        #expect(grandchild.interactor.isActive)
    }

    @Test("detachChild does nothing for a router that is not attached")
    func detachesOnlyItsOwn() {
        let parent = active("parent")
        let stranger = active("stranger")
        parent.detachChild(stranger)
        #expect(stranger.interactor.isActive)
        #expect(recorder.calls.isEmpty)
    }

    @Test("Children are stored in the order of attachment, and resign in it, whatever was detached before")
    func keepsOrder() {
        let parent = active("parent")
        let children = ["a", "b", "c"].map { RecordingRouter($0, recorder) }
        for child in children { parent.attachChild(child) }
        parent.detachChild(children[0])
        parent.attachChild(children[0])
        #expect(parent.children.map { ($0 as? RecordingRouter)?.interactor.name } == ["b", "c", "a"])
        _ = recorder.take()
        parent.interactor.deactivate()
        #expect(recorder.calls.map { String($0.prefix(1)) } == ["p", "b", "c", "a"])
    }

    @Test("A child that detaches itself, or deactivates itself, in its own willResignActive resigns once")
    func detachesItselfWhileResigning() {
        let (parent, child, grandchild) = family()
        child.interactor.whenResigning = { [weak parent, weak child] in
            child?.interactor.deactivate()
            if let child { parent?.detachChild(child) }
        }
        parent.detachChild(child)
        #expect(recorder.take() == ["child.willResignActive", "grandchild.willResignActive"])
        #expect(parent.children.isEmpty && !child.interactor.isActive && !grandchild.interactor.isActive)
        child.interactor.whenResigning = nil
        parent.attachChild(child)
        #expect(child.interactor.isActive && grandchild.interactor.isActive)
    }

    @Test("A router that is activated while a node below it resigns is active again with all nodes below it")
    func activatesWhileResigning() {
        let (parent, child, grandchild) = family()
        for node in [child, grandchild] {
            node.interactor.whenResigning = { [weak parent, weak node] in
                node?.interactor.whenResigning = nil
                parent?.interactor.activate()
            }
            parent.interactor.deactivate()
            #expect([parent, child, grandchild].allSatisfy { $0.interactor.isActive })
        }
    }

    @Test("A child that its own hook, or that of a node below it, attaches again while it is detached stays detached")
    func attachesWhileResigning() {
        let parent = active("parent")
        let (child, grandchild) = (RecordingRouter("child", recorder), RecordingRouter("grandchild", recorder))
        child.attachChild(grandchild)
        for node in [child, grandchild] {
            parent.attachChild(child)
            #expect(child.interactor.isActive && grandchild.interactor.isActive)
            node.interactor.whenResigning = { [weak parent, weak child, weak node] in
                node?.interactor.whenResigning = nil
                guard let child else { return }
                parent?.detachChild(child)
                parent?.attachChild(child)
            }
            #expect(
                reported { parent.detachChild(child) } == [
                    .attachedWhileResigning(child: "RecordingRouter", parent: "RecordingRouter")
                ]
            )
            #expect(parent.children.isEmpty && ![child, grandchild].contains { $0.interactor.isActive })
        }
    }

    @Test("A sibling that a hook detaches during a change is not activated")
    func survivesDetachInHook() {
        let parent = active("parent")
        let (first, second) = (RecordingRouter("first", recorder), RecordingRouter("second", recorder))
        parent.attachChild(first)
        parent.attachChild(second)
        parent.interactor.deactivate()
        _ = recorder.take()
        first.interactor.whenActive = { [weak parent, weak second] in
            if let second { parent?.detachChild(second) }
        }
        parent.interactor.activate()
        #expect(!second.interactor.isActive)
        #expect(parent.children.count == 1)
    }

    @Test("If the first child deactivates the parent in its hook, the second child is not activated")
    func survivesDeactivationInHook() {
        let parent = active("parent")
        let (first, second) = (RecordingRouter("first", recorder), RecordingRouter("second", recorder))
        let grandchild = RecordingRouter("grandchild", recorder)
        parent.attachChild(first)
        parent.attachChild(second)
        second.attachChild(grandchild)
        parent.interactor.deactivate()
        _ = recorder.take()
        first.interactor.whenActive = { [weak parent] in parent?.interactor.deactivate() }
        parent.interactor.activate()
        #expect(
            recorder.calls == [
                "first.didBecomeActive", "parent.willResignActive",
                "first.willResignActive",
            ]
        )
        #expect(![parent, first, second, grandchild].contains { $0.interactor.isActive })
    }

    @Test("If a grandchild deactivates its parent in its hook, the next grandchild is not activated")
    func survivesDeactivationBelow() {
        let parent = active("parent")
        let child = RecordingRouter("child", recorder)
        let (first, second) = (RecordingRouter("first", recorder), RecordingRouter("second", recorder))
        parent.attachChild(child)
        child.attachChild(first)
        child.attachChild(second)
        parent.interactor.deactivate()
        first.interactor.whenActive = { [weak child] in child?.interactor.deactivate() }
        parent.interactor.activate()
        #expect(parent.interactor.isActive)
        #expect(![child, first, second].contains { $0.interactor.isActive })
    }

    @Test("A deallocated router deactivates its interactor, then its children, the last attached first")
    func goes() {
        let children = ["a", "b"].map { RecordingRouter($0, recorder) }
        var parent: RecordingRouter? = active("parent")
        let interactor = parent?.interactor
        for child in children { parent?.attachChild(child) }
        _ = recorder.take()
        parent = nil
        #expect(recorder.calls == ["parent.willResignActive", "b.willResignActive", "a.willResignActive"])
        #expect(interactor?.isActive == false)
        #expect(children.allSatisfy { !$0.interactor.isActive })
    }

    @Test("An active interactor resigns before it is deallocated, also if it is released on another thread")
    func resignsBeforeItGoes() async throws {
        var interactor: RecordingInteractor? = RecordingInteractor("a", recorder)
        interactor?.activate()
        _ = recorder.take()
        interactor = nil
        #expect(recorder.calls == ["a.willResignActive"])

        interactor = RecordingInteractor("b", recorder)
        interactor?.activate()
        _ = recorder.take()
        let gate = AsyncStream.makeStream(of: Void.self)
        let task = Task.detached { [interactor] in
            for await _ in gate.stream {}
            #expect(interactor != nil)
        }
        interactor = nil
        #expect(recorder.calls == [])
        gate.continuation.finish()
        await task.value
        try await eventually { recorder.calls == ["b.willResignActive"] }
    }

    /// An active router with a child and a grandchild.
    private func family() -> (parent: RecordingRouter, child: RecordingRouter, grandchild: RecordingRouter) {
        let parent = active("parent")
        let (child, grandchild) = (RecordingRouter("child", recorder), RecordingRouter("grandchild", recorder))
        parent.attachChild(child)
        child.attachChild(grandchild)
        _ = recorder.take()
        return (parent, child, grandchild)
    }

    private func active(_ name: String) -> RecordingRouter {
        let router = RecordingRouter(name, recorder)
        router.interactor.activate()
        router.load()
        _ = recorder.take()
        return router
    }
}
