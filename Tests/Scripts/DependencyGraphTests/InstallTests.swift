import Foundation
import TestSupport
import Testing

@Suite("The installed program")
struct InstallTests {
    @Test("Scripts/install dependency-graph installs a program that reads any package and finds its own page's files")
    func installs() async throws {
        let project = try ProjectCopy(programs: ["dependency-graph"])
        let arguments = ["--prefix", project.folder.path + "/local", "dependency-graph"]
        let result = try await project.run("install", arguments)
        #expect(result.status == 0, "\(result.errors)")
        // The folder of the build is not needed any more.
        try FileManager.default.removeItem(at: project.folder.file(".build"))
        let program = project.folder.file("local/bin/dependency-graph")
        let package = try DrawTests.diamond()
        let tree = try await ChildProcess.run(program, [package.folder.path])
        #expect(tree.output.contains("tool (executable)\n└─ Top"), "\(tree)")
        let here = try await ChildProcess.run(program, ["--format", "html"], in: package.folder.url)
        #expect(here.output.contains("<svg") && here.output.contains("newState()"), "\(here.errors)")
        #expect(here.output.contains("\"name\":\"Top\""), "the package is that of the folder")
        let page = try String(
            contentsOf: project.folder.file("local/share/man/man1/dependency-graph.1"),
            encoding: .utf8
        )
        #expect(page.contains("affected"))
        let removed = try await project.run("install", ["--uninstall"] + arguments)
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(!FileManager.default.fileExists(atPath: project.folder.file("local").path), "it was created, too")
    }
}
