import RIBs
import Testing

@Suite("The order of calls")
@MainActor
struct LifecycleTests {
    let recorder = Recorder()

    @Test("Launch: root view, visible, activate, load (1, U2)")
    func launches() {
        let router = RecordingLaunchRouter("root", recorder)
        let window = RecordingWindow(recorder)
        router.launch(in: window)
        #expect(
            recorder.calls == [
                "window.setRoot", "window.makeVisible", "root.didBecomeActive(active: true)", "root.didLoad",
            ]
        )
        #expect(window.root === router.viewController)
    }

    @Test("attachChild: append, then activate, then load (2)")
    func attaches() {
        let parent = active("parent")
        let child = RecordingRouter("child", recorder)
        child.interactor.whenActive = { [weak child, weak parent] in
            self.recorder.record("appended: \(parent?.children.contains { $0 === child } == true)")
        }
        parent.attachChild(child)
        #expect(recorder.calls == ["child.didBecomeActive(active: true)", "appended: true", "child.didLoad"])
    }

    @Test("attachChild does nothing for a child that is attached, nor for the router itself (2)")
    func attachesOnce() {
        let parent = active("parent")
        let child = RecordingRouter("child", recorder)
        parent.attachChild(child)
        _ = recorder.take()
        parent.attachChild(child)
        parent.attachChild(parent)
        #expect(recorder.calls.isEmpty)
        #expect(parent.children.count == 1)
    }

    @Test("Two children that are equal but not the same are both attached (2)")
    func attachesByIdentity() {
        let parent = active("parent")
        parent.attachChild(RecordingRouter("twin", recorder))
        parent.attachChild(RecordingRouter("twin", recorder))
        #expect(parent.children.count == 2)
    }

    @Test("load: the subtree is bound, then didLoad is told, then the hook runs; once (3)")
    func loadsOnce() {
        let router = RecordingRouter("a", recorder)
        let token = router.observeLifecycle { self.recorder.record("lifecycle.\($0)") }
        router.load()
        router.load()
        #expect(recorder.calls == ["lifecycle.didLoad", "a.didLoad"])
        token.cancel()
    }

    @Test("load binds the subtree before didLoad: children attached earlier follow at once (3)")
    func bindsBeforeDidLoad() {
        let router = RecordingRouter("a", recorder)
        router.attachChild(RecordingRouter("b", recorder))
        #expect(recorder.take() == ["b.didBecomeActive(active: true)", "b.didLoad"])
        // The parent is inactive when it loads, and so its subtree becomes inactive, before its hook.
        router.load()
        #expect(recorder.take() == ["b.willResignActive(active: true)", "a.didLoad"])
    }

    @Test("A late observer of the lifecycle hears of didLoad too (3)")
    func replaysDidLoad() {
        let router = RecordingRouter("a", recorder)
        router.load()
        _ = recorder.take()
        let token = router.observeLifecycle { self.recorder.record("lifecycle.\($0)") }
        #expect(recorder.calls == ["lifecycle.didLoad"])
        token.cancel()
    }

    @Test("activate: active and told, then the hook; a second call does nothing (4)")
    func activates() {
        let interactor = RecordingInteractor("a", recorder)
        let token = interactor.observeActivity { self.recorder.record("told \($0)") }
        interactor.activate()
        interactor.activate()
        #expect(recorder.calls == ["told false", "told true", "a.didBecomeActive(active: true)"])
        token.cancel()
    }

    @Test("deactivate: the hook while active, then cancel what is bound, then inactive and told; once (4)")
    func deactivates() {
        let interactor = RecordingInteractor("a", recorder)
        interactor.deactivate()
        #expect(recorder.calls.isEmpty)
        interactor.activate()
        let token = interactor.observeActivity { self.recorder.record("told \($0)") }
        interactor.onDeactivate { self.recorder.record("cancelled 1(active: \(interactor.isActive))") }
        interactor.onDeactivate { self.recorder.record("cancelled 2(active: \(interactor.isActive))") }
        _ = recorder.take()
        interactor.deactivate()
        interactor.deactivate()
        #expect(
            recorder.calls == [
                "a.willResignActive(active: true)", "cancelled 1(active: true)", "cancelled 2(active: true)",
                "told false",
            ]
        )
        token.cancel()
    }

    @Test("detachChild: deactivate, parents first, then remove; grandchildren stay (5)")
    func detaches() {
        let parent = active("parent")
        let (child, grandchild) = (RecordingRouter("child", recorder), RecordingRouter("grandchild", recorder))
        parent.attachChild(child)
        child.attachChild(grandchild)
        _ = recorder.take()
        child.interactor.whenResigning = { [weak parent] in
            self.recorder.record("attached: \(parent?.children.count ?? 0)")
        }
        parent.detachChild(child)
        #expect(
            recorder.calls == [
                "child.willResignActive(active: true)", "attached: 1", "grandchild.willResignActive(active: true)",
            ]
        )
        #expect(parent.children.isEmpty)
        #expect(child.children.count == 1)
        #expect(!grandchild.interactor.isActive)
    }

    @Test("Re-attaching makes the whole subtree active again without a second didLoad (5)")
    func reattaches() {
        let parent = active("parent")
        let (child, grandchild) = (RecordingRouter("child", recorder), RecordingRouter("grandchild", recorder))
        parent.attachChild(child)
        child.attachChild(grandchild)
        parent.detachChild(child)
        _ = recorder.take()
        parent.attachChild(child)
        // Being active is told before the own hook runs, so the grandchild's hook comes first.
        #expect(
            recorder.calls == ["grandchild.didBecomeActive(active: true)", "child.didBecomeActive(active: true)"]
        )
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

    @Test("Children stand in the order of attaching, and resign in it, whatever was detached between")
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

    @Test("A sibling detached from a hook in the midst of a change is left out of it")
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

    @Test("A router that goes makes its interactor inactive, then its children, the last attached first (7)")
    func goes() {
        let children = ["a", "b"].map { RecordingRouter($0, recorder) }
        var parent: RecordingRouter? = active("parent")
        let interactor = parent?.interactor
        for child in children { parent?.attachChild(child) }
        _ = recorder.take()
        parent = nil
        #expect(
            recorder.calls == [
                "parent.willResignActive(active: true)", "b.willResignActive(active: true)",
                "a.willResignActive(active: true)",
            ]
        )
        #expect(interactor?.isActive == false)
        #expect(children.allSatisfy { !$0.interactor.isActive })
    }

    @Test("An interactor that goes while it is active resigns first (7)")
    func resignsBeforeItGoes() {
        var interactor: RecordingInteractor? = RecordingInteractor("a", recorder)
        interactor?.activate()
        _ = recorder.take()
        interactor = nil
        #expect(recorder.calls == ["a.willResignActive(active: true)"])
    }

    private func active(_ name: String) -> RecordingRouter {
        let router = RecordingRouter(name, recorder)
        router.interactor.activate()
        router.load()
        _ = recorder.take()
        return router
    }
}
