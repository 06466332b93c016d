import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

@Suite("--metrics")
struct MetricsTests {
    @Test("The table has fan-in, fan-out, instability and depth, sorted by fan-in, and the longest chain")
    func printsTable() async throws {
        let result = try await DrawTests.diamond().run("--metrics", "--no-externals")
        #expect(
            result.text == """
                target    kind        fan-in  fan-out  instability  depth
                Base      regular          3        0         0.00      0
                Top       regular          2        3         0.60      2
                Left      regular          1        1         0.50      1
                Right     regular          1        1         0.50      1
                tool      executable       0        1         1.00      3
                TopTests  test             0        1         1.00      3

                longest chain, 4 targets: tool -> Top -> Left -> Base

                """
        )
        #expect(result.status == 0)
    }

    @Test("A build log adds the seconds of each target and the build-critical path, in the table and in JSON")
    func readsBuildLogs() async throws {
        let package = try DrawTests.diamond()
        try package.folder.write("# a build\nBase 2.5\nLeft 1\nRight 4\nTop 1\nTopTests 0.25\n", to: "times.txt")
        let log = package.folder.file("times.txt").path
        let table = await package.run("--metrics", "--build-log", log).text
        #expect(table.contains("build-critical path, 7.75 of 8.75 s: Base, Right, Top, TopTests\n"))
        struct Document: Decodable {
            struct Path: Decodable { var targets: [String], seconds: Double }
            var criticalPath: Path
            var totalSeconds: Double
        }
        let json = await package.run("--metrics", "--build-log", log, "--format", "json").output
        let document = try JSONDecoder().decode(Document.self, from: Data(json))
        #expect(document.criticalPath.targets == ["Base", "Right", "Top", "TopTests"])
        #expect(document.criticalPath.seconds == 7.75 && document.totalSeconds == 8.75)
    }

    @Test("The statistics that the compiler wrote in a real build are a build log")
    func readsCompilerStatistics() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Base"),
                .target(name: "Top", dependencies: ["Base"]),
                """,
            files: [
                "Sources/Base/Base.swift": "public func base() -> [Int] { (0..<9).map { $0 * 2 } }\n",
                "Sources/Top/Top.swift": "import Base\nfunc top() -> Int { base().reduce(0, +) }\n",
            ]
        )
        let statistics = package.folder.file("statistics")
        try FileManager.default.createDirectory(at: statistics, withIntermediateDirectories: true)
        let build = try await ChildProcess.run(
            URL(filePath: "/usr/bin/env"),
            [
                "swift", "build", "--package-path", package.folder.path, "-Xswiftc", "-stats-output-dir", "-Xswiftc",
                statistics.path,
            ]
        )
        #expect(build.status == 0, "\(build.errors)")
        let table = await package.run("--metrics", "--build-log", statistics.path).text
        #expect(table.contains("build-critical path, "))
        #expect(table.contains(" s: Base, Top\n"))
    }

    @Test("The targets of a cycle count once in the longest chain and are named")
    func measuresCycles() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "A", dependencies: ["B"]),
                .target(name: "B", dependencies: ["A", "C"]),
                .target(name: "C"),
                .target(name: "D", dependencies: ["A"]),
                """
        )
        let text = await package.run("--metrics").text
        #expect(text.contains("longest chain, 3 targets: D -> A -> C\n"))
        #expect(text.contains("cycle: A, B\n"))
    }

    @Test("A cycle is one step of the longest chain, and has the seconds of all its targets")
    func weighsCycles() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "A", dependencies: ["B"]), .target(name: "B", dependencies: ["C"]),
                .target(name: "C", dependencies: ["A"]),
                .target(name: "D", dependencies: ["A", "X"]),
                .target(name: "X", dependencies: ["Y"]), .target(name: "Y"),
                """
        )
        try package.folder.write("A 1\nB 4\nC 4\nD 1\nX 3\nY 3\n", to: "times.txt")
        let text = await package.run("--metrics", "--build-log", package.folder.file("times.txt").path).text
        #expect(text.contains("longest chain, 3 targets: D -> X -> Y\n"), "\(text)")
        #expect(text.contains("build-critical path, 10.00 of 16.00 s: A, D\n"), "\(text)")
    }

    @Test("A log that is missing, malformed or empty, and options that do not apply, are clear errors")
    func refuses() async throws {
        let package = try DrawTests.diamond()
        let missing = await package.run("--metrics", "--build-log", "/nowhere")
        #expect(missing.status == 3 && missing.errors.contains("there is no such build log"))
        try package.folder.write("Base two\n", to: "times.txt")
        let log = package.folder.file("times.txt").path
        let malformed = await package.run("--metrics", "--build-log", log)
        #expect(malformed.status == 3 && malformed.errors.contains("times.txt:1: a line of a build log has"))
        try package.folder.write("", to: "times.txt")
        let empty = await package.run("--metrics", "--build-log", log)
        #expect(empty.status == 3 && empty.errors.contains("it has no compile times"))
        let drawn = await package.run("--metrics", "--format", "svg")
        #expect(drawn.status == 2 && drawn.errors.contains("it is not drawn as svg"))
        let alone = await package.run("--build-log", log)
        #expect(alone.status == 2 && alone.errors.contains("is for --metrics alone"))
    }
}
