import RIBs
import Testing

@Suite("The tree of routers", .timeLimit(.minutes(1)))
@MainActor
struct TreeTests {
    @Test("The tree description has every node, its depth and its activity")
    func describesTheTree() {
        let recorder = Recorder()
        let root = RecordingLaunchRouter("root", recorder)
        root.launch(in: RecordingWindow(recorder))
        let (first, second) = (RecordingRouter("first", recorder), RecordingRouter("second", recorder))
        root.attachChild(first)
        root.attachChild(second)
        first.attachChild(RecordingRouter("leaf", recorder))
        second.interactor.deactivate()
        #expect(
            root.treeDescription == """
                RecordingLaunchRouter (active)
                ├─ RecordingRouter (active)
                │  └─ RecordingRouter (active)
                └─ RecordingRouter (inactive)
                """
        )
    }

    @Test("The tree as a graph has every node and every edge, inactive nodes dashed")
    func dot() {
        let recorder = Recorder()
        let root = RecordingLaunchRouter("root", recorder)
        root.launch(in: RecordingWindow(recorder))
        let first = RecordingRouter("first", recorder)
        root.attachChild(first)
        first.attachChild(RecordingRouter("leaf", recorder))
        first.interactor.deactivate()
        #expect(
            root.treeDot == """
                digraph RIBs {
                    node [shape=box];
                    n0 [label="RecordingLaunchRouter"];
                    n1 [label="RecordingRouter", style=dashed];
                    n2 [label="RecordingRouter", style=dashed];
                    n1 -> n2;
                    n0 -> n1;
                }
                """
        )
    }

    @Test("A whole tree is deallocated with its root: there is no retain cycle")
    func letsGo() async {
        let recorder = Recorder()
        weak var weakRoot: RecordingRouter?
        weak var weakLeaf: RecordingRouter?
        weak var weakInteractor: RecordingInteractor?
        do {
            let (root, leaf) = (RecordingRouter("root", recorder), RecordingRouter("leaf", recorder))
            root.interactor.activate()
            root.load()
            root.attachChild(leaf)
            (weakRoot, weakLeaf, weakInteractor) = (root, leaf, leaf.interactor)
        }
        #expect(weakRoot == nil)
        #expect(weakLeaf == nil)
        #expect(weakInteractor == nil)
    }
}
