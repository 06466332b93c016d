import Foundation
import TestSupport
import Testing

/// A screen with a store is added to a copy of the app as a person would do it, and compiled.
@Suite("A new screen", .enabled(if: PackageCompiler.isAvailable))
struct NewScreenTests {
    /// An edit of a file of the app: a text that is inserted behind another one, which occurs once.
    private struct Edit {
        let file: String
        let anchor: String
        let text: String
    }

    /// The files of the copy that every edit below is applied to.
    private static let home = "Apps/TodoApp/Home/"
    private static let services = "Apps/TodoApp/Program/AppServices.swift"
    private static let fakes = "Tests/Apps/TodoAppTests/Support/FakeServices.swift"

    private static let edits: [Edit] = [
        Edit(file: services, anchor: "import AppUI\n", text: "import ZeppelinFeature\n"),
        Edit(file: services, anchor: "\n    ProfileDependency", text: ", ZeppelinDependency"),
        Edit(
            file: services,
            anchor: "    var favourites: any FavouriteStoring\n",
            text: "    var plants: any PlantStoring\n"
        ),
        Edit(
            file: services,
            anchor: "LocalFavourites(local: local, now: { Date() }),",
            text: " plants: MemoryPlants(),"
        ),
        Edit(file: home + "HomeProtocols.swift", anchor: "case login, profile, favourites", text: ", zeppelin"),
        Edit(
            file: home + "HomeProtocols.swift",
            anchor: "enum HomeText {\n",
            text: "    static let zeppelin = LocalizedText(\"zeppelin\", ko: \"비행선\")\n"
        ),
        Edit(file: home + "HomeRouter.swift", anchor: "import AccountCore\n", text: "import ZeppelinFeature\n"),
        Edit(
            file: home + "HomeRouter.swift",
            anchor: "case .sync: router = SyncBuilder(dependency: services).build(withListener: interactor)\n",
            text: "case .zeppelin: router = ZeppelinBuilder(dependency: services).build(withListener: interactor)\n"
        ),
        Edit(file: home + "HomeInteractor.swift", anchor: "import AppUI\n", text: "import ZeppelinFeature\n"),
        Edit(
            file: home + "HomeInteractor.swift",
            anchor: "import TodoFeature\n",
            text:
                "extension HomeInteractor: ZeppelinListener {\n    func zeppelinDidClose() { router?.close(.zeppelin) }\n}\n"
        ),
        Edit(file: home + "HomeViewController.swift", anchor: "case picture, profile, quit", text: ", zeppelin"),
        Edit(
            file: home + "HomeViewController.swift",
            anchor: "        case .profile: listener?.didChoose(.profile)\n",
            text: "        case .zeppelin: listener?.didChoose(.zeppelin)\n"
        ),
        Edit(
            file: home + "HomeViewController.swift",
            anchor: "            case .profile: (HomeText.profile, \"o\")\n",
            text: "            case .zeppelin: (HomeText.zeppelin, \"g\")\n"
        ),
        Edit(file: fakes, anchor: "import AppUI\n", text: "import ZeppelinFeature\n"),
        Edit(file: fakes, anchor: "favourites: favouritesFake,", text: " plants: MemoryPlants(),"),
    ]

    private static let store = """
        package protocol PlantStoring: Sendable {
            func plants() async -> [String]
        }

        package struct MemoryPlants: PlantStoring {
            package init() {}
            package func plants() async -> [String] { [] }
        }
        """

    @Test("A new screen with a store takes at most eight edited files, and compiles with the fakes of the tests")
    func newScreen() async throws {
        let copy = try TemporaryDirectory("screen")
        try copy.copy([
            "Package.swift", ".dependency-rules.json", "Scripts/new-rib", "Scripts/lib/common.sh", "Apps/TodoApp",
            Self.fakes,
        ])
        let written = try await ChildProcess.run(copy.file("Scripts/new-rib"), ["Zeppelin"])
        #expect(written.status == 0, "\(written.errors)")
        let feature = "Apps/Features/ZeppelinFeature/"
        try copy.write(Self.store, to: feature + "PlantStore.swift")
        try insert(
            Edit(
                file: feature + "ZeppelinBuilder.swift",
                anchor: "package protocol ZeppelinDependency: Dependency {\n",
                text: "    var plants: any PlantStoring { get }\n"
            ),
            in: copy
        )
        for edit in Self.edits { try insert(edit, in: copy) }
        let edited = Set(Self.edits.map(\.file)).union(["Package.swift", ".dependency-rules.json"])
        #expect(edited.count <= 8, "\(edited.sorted())")

        let compiler = PackageCompiler(modules: copy)
        try await compiler.emit("ZeppelinFeature", sources: feature)
        try await compiler.emit("TodoApp", sources: "Apps/TodoApp")
        try await compiler.check(sources: "Tests/Apps/TodoAppTests/Support")
    }

    private func insert(_ edit: Edit, in copy: TemporaryDirectory) throws {
        let text = try String(contentsOf: copy.file(edit.file), encoding: .utf8)
        let parts = text.components(separatedBy: edit.anchor)
        try #require(parts.count == 2, "\(edit.file) has \(parts.count - 1) times \(edit.anchor)")
        try copy.write(parts[0] + edit.anchor + edit.text + parts[1], to: edit.file)
    }
}
