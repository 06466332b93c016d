import Foundation
import TestSupport
import Testing

@testable import LocalProvider

@Suite("Resolving a path")
struct FolderPathTests {
    private func steps(_ path: String) -> [String] {
        FolderPath(to: path).steps.map { "\($0.folder) \($0.name)\($0.needsWatch ? " !" : "")" }
    }

    @Test("A path is resolved from the root or the working folder through each component")
    func plain() {
        #expect(steps("/nowhere/at/all") == ["/ nowhere", "/nowhere at", "/nowhere/at all !"])
        #expect(FolderPath(to: "/nowhere/at/all").folder == "/nowhere/at/all")
        #expect(steps("nowhere//at/./all/") == [". nowhere", "./nowhere at", "./nowhere/at all !"])
        #expect(FolderPath(to: "nowhere//at/./all/").folder == "./nowhere/at/all")
        #expect(steps("/nowhere/../all") == ["/ nowhere", "/nowhere ..", "/nowhere/.. all !"])
        for path in ["/", "."] { #expect(steps(path) == [] && FolderPath(to: path).folder == path) }
    }

    @Test("A symbolic link is resolved relative to its folder")
    func links() throws {
        let place = try TemporaryDirectory("path")
        let files = FileManager.default
        try files.createDirectory(at: place.file("a/b"), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: place.path + "/a/near", withDestinationPath: "../a/b")
        try files.createSymbolicLink(atPath: place.path + "/far", withDestinationPath: place.path + "/a/near")
        let path = FolderPath(to: place.path + "/far/c")
        #expect(path.folder == place.path + "/a/../a/b/c")
        #expect(path.steps.suffix(5).map(\.name) == ["near", "..", "a", "b", "c"])
        #expect(path.steps.filter(\.needsWatch).map(\.name) == ["far", "near", "c"])
        // The same path with another target is another way.
        try files.removeItem(atPath: place.path + "/far")
        try files.createSymbolicLink(atPath: place.path + "/far", withDestinationPath: "a/b")
        #expect(FolderPath(to: place.path + "/far/c") != path)
    }

    @Test("A symbolic link to itself ends the resolution")
    func loop() throws {
        let place = try TemporaryDirectory("path")
        try FileManager.default.createSymbolicLink(atPath: place.path + "/loop", withDestinationPath: "loop")
        let path = FolderPath(to: place.path + "/loop/a")
        #expect(path.steps.count { $0.name == "loop" } == 41 && path.folder == place.path + "/loop/a")
    }
}
