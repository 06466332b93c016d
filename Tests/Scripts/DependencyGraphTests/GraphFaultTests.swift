import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

@Suite("Faults of packages")
struct GraphFaultTests {
    @Test("Missing and unreadable sources are marked, and the rest is checked and drawn", .timeLimit(.minutes(5)))
    func marksFaults() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Gone"),
                .target(name: "Empty"),
                .target(name: "Pipe", dependencies: ["Dangling"]),
                .target(name: "Dangling"),
                .target(name: "Whole", dependencies: ["Pipe"]),
                """,
            files: [
                "Sources/Empty/README.md": "", "Sources/Pipe/A.swift": "import Whole\nlet pipe = 1",
                "Sources/Whole/W.swift": "import Pipe",
                // What cannot be read of Pipe may import this.
                "Sources/Dangling/A.swift": "public let dangling = 1",
            ]
        )
        #expect(mkfifo(package.folder.file("Sources/Pipe/B.swift").path, 0o600) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: package.folder.file("Sources/Dangling/B.swift").path,
            withDestinationPath: "B.swift"
        )
        let text = await package.check().text
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 5, "\(text)")
        #expect(
            lines[0]
                == "Package.swift:8: fault: Sources/Gone: the folder of Gone does not exist; create it, or name the folder with path: in Package.swift"
        )
        #expect(
            lines[1]
                == "Package.swift:9: fault: Sources/Empty: the folder of Empty has no source files; add one, or remove the target"
        )
        #expect(
            lines[2]
                == "Sources/Pipe/B.swift:1: fault: Sources/Pipe/B.swift: it is neither a file nor a folder; repair or exclude it"
        )
        #expect(
            lines[3].hasPrefix(
                "Sources/Dangling/B.swift:1: fault: Sources/Dangling/B.swift: the symbolic link leads nowhere ("
            )
        )
        #expect(lines[4].hasPrefix("Sources/Pipe/A.swift:1: undeclared: Pipe imports Whole"))
        let graph = try package.graph()
        #expect(graph["Gone"]?.faults.map(\.kind) == [.missingFolder])
        #expect(graph["Empty"]?.faults.map(\.kind) == [.noSources])
        #expect(graph["Pipe"]?.faults.map(\.kind) == [.unreadable])
        #expect(graph["Whole"]?.faults == [])
        #expect(await package.run("--format", "dot").status == 0)
    }

    #if os(Linux)
        @Test("A source whose name is not valid UTF-8 is a fault")
        func marksUnreadableNames() async throws {
            let package = try FixturePackage(targets: ".target(name: \"A\")", files: ["Sources/A/A.swift": ""])
            let bytes: [UInt8] = Array((package.folder.path + "/Sources/A/B").utf8) + [0xFF] + Array(".swift\0".utf8)
            let descriptor = open(bytes.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY, 0o600)
            #expect(descriptor >= 0)
            close(descriptor)
            let text = await package.check().text
            #expect(text.contains("its name is not valid UTF-8"), "\(text)")
        }
    #endif

    @Test("A folder that cannot be read is marked", .enabled(if: getuid() != 0, "the superuser can read all folders"))
    func marksUnreadableFolders() async throws {
        let package = try FixturePackage(
            targets: ".target(name: \"A\")",
            files: ["Sources/A/A.swift": "", "Sources/A/Closed/B.swift": ""]
        )
        let closed = package.folder.file("Sources/A/Closed").path
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed) }
        let text = await package.check().text
        #expect(text.hasPrefix("Sources/A/Closed:1: fault: Sources/A/Closed: the folder cannot be read ("), "\(text)")
    }

    @Test("A package without targets and one whose targets form cycles are marked")
    func marksPackages() async throws {
        let empty = try FixturePackage(targets: "")
        #expect(await empty.run("check", "--no-cache").text == "Package.swift:1: fault: the package has no targets\n")
        #expect(try empty.graph().faults.map(\.kind) == [.emptyPackage])
        #expect(await empty.run("--format", "tree").status == 0)

        let cyclic = try FixturePackage(
            targets: """
                .target(name: "A", dependencies: ["B"]), .target(name: "B", dependencies: ["A"]),
                .target(name: "C", dependencies: ["A"]),
                .target(name: "D", dependencies: ["E"]), .target(name: "E", dependencies: ["D"]),
                """,
            files: ["A", "B", "C", "D", "E"].reduce(into: [:]) { $0["Sources/\($1)/\($1).swift"] = "" }
        )
        let graph = try cyclic.graph()
        #expect(graph.targets.filter { $0.faults.contains { $0.kind == .cycle } }.map(\.name) == ["A", "B", "D", "E"])
        #expect(graph.cycles == [["A", "B", "A"], ["D", "E", "D"]])
    }

    @Test("A cycle over a long chain of targets is found without exhausting the stack")
    func findsLongCycles() {
        let count = 20_000
        let targets = (0..<count).map { index in
            GraphTarget(
                name: "T\(index)",
                kind: .regular,
                folder: "T\(index)",
                dependencies: [GraphTarget.Dependency(name: "T\((index + 1) % count)")]
            )
        }
        let graph = PackageGraph(name: "Long", root: "/", targets: targets)
        #expect(graph.cyclicGroups.map(\.count) == [count])
    }

    @Test("A file in place of a target's folder is a fault, not an error")
    func marksFileAsFolder() async throws {
        let package = try FixturePackage(
            targets: ".target(name: \"A\", path: \"Sources/A.swift\"), .target(name: \"B\"),",
            files: ["Sources/A.swift": "", "Sources/B/B.swift": ""]
        )
        let result = await package.check()
        #expect(result.text.contains("fault: Sources/A.swift: the path of A is not a folder"))
        #expect(result.status == 1)
    }
}
