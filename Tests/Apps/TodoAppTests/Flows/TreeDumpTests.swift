import AccountCore
import AppTestSupport
import Foundation
import RIBs
import TestSupport
import Testing

@testable import TodoApp

@Suite("The documented tree")
@MainActor
struct TreeDumpTests {
    @Test("The tree of a logged-in app with the profile open is the one in Apps/README.md, as text and as a graph")
    func readme() async throws {
        let screen = try await AppOnScreen(
            width: 100,
            height: 30,
            account: FakeAccount(branch: .main(Profile(id: "maxdog", nickname: "Max")))
        )
        try await screen.type("o", waitingFor: "Max (maxdog)")
        let tree = screen.root.treeDescription
        let readme = try String(contentsOf: Project.root.appending(path: "Apps/README.md"), encoding: .utf8)
        #expect(readme.contains("```\n\(tree)\n```"), "\(tree)")
        for name in ["RootRouter", "HomeRouter", "ProfileRouter"] {
            #expect(screen.root.treeDot.contains("label=\"\(name)\""))
        }
    }
}
