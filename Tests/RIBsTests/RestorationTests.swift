import Foundation
import RIBs
import Testing

@Suite("Snapshots", .timeLimit(.minutes(1)))
@MainActor
struct RestorationTests {
    /// A node with a page, which can attach children by name.
    final class Node: Router<Interactor>, RestorableRouting {
        let restorationID: String
        var page = 0
        /// What it can attach; another name is unknown to it.
        var known: Set<String>

        init(_ id: String, known: Set<String> = []) {
            restorationID = id
            self.known = known
            super.init(interactor: Interactor())
        }

        var restorationState: [String: String] { page == 0 ? [:] : ["page": "\(page)"] }

        func restore(state: [String: String]) { page = state["page"].flatMap { Int($0) } ?? 0 }

        func restoreChild(id: String, state: [String: String]) -> (any RestorableRouting)? {
            known.contains(id) ? show(id) : nil
        }

        @discardableResult
        func show(_ id: String) -> Node {
            let child = Node(id, known: known)
            attachChild(child)
            return child
        }
    }

    @Test("A snapshot encoded as JSON restores the same tree, active, in a new process")
    func restores() throws {
        let root = launched()
        root.show("list").page = 3
        let edit = root.show("drawer").show("edit")
        edit.page = 7
        let data = try JSONEncoder().encode(root.snapshot)

        let restored = launched()
        let snapshot = try JSONDecoder().decode(RouterSnapshot.self, from: data)
        #expect(restored.restore(from: snapshot) == [])
        #expect(restored.snapshot == root.snapshot)
        #expect(restored.treeDescription == root.treeDescription)
        #expect(restored.treeDescription.contains("(inactive)") == false)
    }

    @Test("A child that is attached already is used; children of the same name are matched by their order")
    func usesAttached() {
        let root = launched()
        root.show("list")
        let snapshot = RouterSnapshot(
            id: "root",
            children: [
                RouterSnapshot(id: "list", state: ["page": "1"]), RouterSnapshot(id: "list", state: ["page": "2"]),
            ]
        )
        #expect(root.restore(from: snapshot) == [])
        #expect(root.children.compactMap { ($0 as? Node)?.page } == [1, 2])
    }

    @Test("An unknown or damaged node is skipped and named, and the rest is restored")
    func leavesOut() {
        let root = launched()
        let snapshot = RouterSnapshot(
            id: "root",
            children: [
                RouterSnapshot(id: "gone", children: [RouterSnapshot(id: "edit")]),
                RouterSnapshot(
                    id: "list",
                    state: ["page": "many"],
                    children: [RouterSnapshot(id: "older"), RouterSnapshot(id: "edit")]
                ),
            ]
        )
        #expect(root.restore(from: snapshot) == ["root/gone", "root/list/older"])
        #expect(
            root.snapshot
                == RouterSnapshot(
                    id: "root",
                    children: [RouterSnapshot(id: "list", children: [RouterSnapshot(id: "edit")])]
                )
        )
    }

    @Test("A node that is not restorable is skipped with all nodes below it")
    func skipsOthers() {
        let root = launched()
        let plain = Router(interactor: Interactor())
        root.attachChild(plain)
        plain.attachChild(Node("edit"))
        #expect(root.snapshot == RouterSnapshot(id: "root"))
    }

    private func launched() -> Node {
        let root = Node("root", known: ["list", "edit", "drawer"])
        root.interactor.activate()
        root.load()
        return root
    }
}
