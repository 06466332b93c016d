import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

@Suite("affected: files that tests read, and names of tests")
struct AffectedVerifyTests {
    @Test("A trace has the files that the test bundle and its children read, whatever the order of the lines")
    func readsTraces() {
        let trace = FileTrace(
            #"""
            10 execve("/usr/bin/swift", ["swift", "test"], 0x7ffe /* 3 vars */) = 0
            10 openat(AT_FDCWD</p>, "/p/Package.swift", O_RDONLY) = 3</p/Package.swift>
            12 openat(AT_FDCWD</p>, "early", O_RDONLY) = 3</p/early>
            10 clone(child_stack=NULL, flags=SIGCHLD) = 11
            11 execve("/p/.build/debug/PTests.xctest", ["x"], 0x7ffe /* 3 vars */) = 0
            11 clone3({flags=CLONE_VM}, 88 <unfinished ...>
            11 openat(AT_FDCWD</p>, "read", O_RDONLY|O_CLOEXEC <unfinished ...>
            13 openat(AT_FDCWD</p>, "other", O_RDONLY) = 3</p/other>
            11 <... openat resumed>) = 4</p/a = b.txt>
            11 openat(AT_FDCWD</p>, "c = <d", O_RDONLY) = 4</p/c = \74d>
            11 openat(AT_FDCWD</p>, "\303\2440\\", O_RDONLY) = 4</p/\303\2440\\>
            11 openat(AT_FDCWD</p>, "written", O_WRONLY|O_CREAT, 0600) = 5</p/written>
            11 openat(AT_FDCWD</p>, "folder", O_RDONLY|O_DIRECTORY) = 6</p/folder>
            11 vfork( <unfinished ...>
            11 <... vfork resumed>) = 12
            12 --- SIGCHLD {si_signo=SIGCHLD} ---
            """#
        )
        #expect(trace.files == ["/p/early", "/p/a = b.txt", "/p/c = <d", #"/p/ä0\"#])
    }

    @Test(
        "--verify runs the tests and finds the file that no target contains and no rule declares",
        .enabled(if: Programs.find("strace") != nil, "strace is not installed"),
        .disabled(if: isTraced, "a process that is traced, as by --verify itself, cannot be traced again"),
        .timeLimit(.minutes(10))
    )
    func verifies() async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Core"), .testTarget(name: "CoreTests", dependencies: ["Core"]),
                .testTarget(name: "EmptyTests"),
                """,
            files: [
                "Sources/Core/Core.swift": "public let core = 1", "Sources/Core/data.txt": "", "README.md": "",
                "LICENSE": "",
                "Scripts/hello": "#!/bin/sh\nexit 0\n", ".gitignore": ".build\nignored\n", "ignored": "",
                "Tests/EmptyTests/T.swift": "",
                "Tests/CoreTests/CoreTests.swift": """
                import Core
                import Foundation
                import Testing

                @Test func reads() throws {
                    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                        .deletingLastPathComponent()
                    for name in ["README.md", "LICENSE", "Sources/Core/data.txt", "ignored"] {
                        _ = try Data(contentsOf: root.appending(path: name))
                    }
                    let process = Process()
                    process.executableURL = URL(filePath: "/bin/sh")
                    process.arguments = [root.path + "/Scripts/hello"]
                    try process.run()
                    process.waitUntilExit()
                    #expect(process.terminationStatus == core - 1)
                }
                """,
                ".dependency-rules.json": #"{"reads": [{"targets": ["CoreTests"], "paths": ["LICENSE"]}]}"#,
            ]
        )
        try package.changeManifest(".target(name: \"Core\")", to: ".target(name: \"Core\", exclude: [\"data.txt\"])")
        try await package.commit()
        let result = await package.run("affected", "--verify", "--test", "CoreTests")
        #expect(
            result.text == """
                CoreTests reads README.md: declare it in "reads" of .dependency-rules.json: {"targets": ["CoreTests"], \
                "paths": ["README.md"]}
                CoreTests reads Scripts/hello: declare it in "reads" of .dependency-rules.json: {"targets": ["CoreTests"], \
                "paths": ["Scripts/hello"]}

                """,
            "\(result.errors)"
        )
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("2 undeclared files in 1 test targets\n"), "\(result.errors)")
        try package.folder.write(
            #"{"reads": [{"targets": ["CoreTests"], "paths": ["LICENSE", "README.md", "Scripts/*"]}]}"#,
            to: ".dependency-rules.json"
        )
        let declared = await package.run("affected", "--verify", "--test", "CoreTests")
        #expect(declared.status == 0 && declared.text == "", "\(declared)")

        // Its tests are not built again.
        try package.folder.write(
            #"{"reads": [{"targets": ["CoreTests"], "paths": ["LICENSE", "README.md"]}]}"#,
            to: ".dependency-rules.json"
        )
        try package.folder.write("not Swift", to: "Sources/Core/Core.swift")
        let program = package.folder.path + "/.build/debug/FixturePackageTests.xctest"
        let built = await package.run("affected", "--verify", "--test", "CoreTests", "--program", program)
        #expect(built.text.hasPrefix("CoreTests reads Scripts/hello: "), "\(built)")
        try package.folder.write("public let core = 1", to: "Sources/Core/Core.swift")

        // The same build shows that swift test list has no test of the other target.
        let names = await package.run(
            "affected",
            "--files",
            "README.md,Tests/EmptyTests/T.swift",
            "--format",
            "filter",
            "--check-names"
        )
        #expect(names.text == "^(CoreTests|EmptyTests)\\.\n")
        #expect(
            names.errors.hasSuffix("dependency-graph: swift test list has no test of EmptyTests\n"),
            "\(names.errors)"
        )
        #expect(names.status == 1)
    }

    private static var isTraced: Bool {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return status.map { $0.contains("TracerPid:") && !$0.contains("TracerPid:\t0\n") } ?? false
    }

    @Test("A failed test is named, of Swift Testing and of XCTest")
    func failedTests() {
        let output = """
            Test Suite 'CoreTests' started at 2026-01-02 03:04:05.678
            Test Case 'CoreTests.testFirst' passed (0.001 seconds)
            Test Case 'CoreTests.testSecond' failed (0.002 seconds)
            ◇ Test "A \"quoted\" name" started.
            ✘ Test "A \"quoted\" name" recorded an issue at CoreTests.swift:5:3: Expectation failed
            ✘ Test "A \"quoted\" name" failed after 0.001 seconds with 1 issue.
            ✘ Test third() with 2 test cases failed after 0.001 seconds with 1 issue.
            ✔ Test fourth() passed after 0.001 seconds.
            ✘ Suite "Core" failed after 0.001 seconds with 1 issue.
            ✘ Test run with 3 tests in 1 suite failed after 0.002 seconds with 2 issues.
            """
        let expected = ["CoreTests.testSecond", "A \"quoted\" name", "third()"]
        #expect(UndeclaredReads.failedTests(in: output) == expected)
    }

    @Test("A test counts as failed if it fails in both runs; without names, the second run decides")
    func failsTwice() {
        func outcome(_ tests: [String], status: Int32 = 1) -> Subprocess.Outcome {
            let lines = tests.map { "✘ Test \($0)() failed after 1.000 seconds with 1 issue.\n" }.joined()
            return Subprocess.Outcome(status: status, output: Array(lines.utf8), errors: [])
        }
        func failed(_ first: Subprocess.Outcome, _ second: Subprocess.Outcome) -> [String]? {
            UndeclaredReads.failure(of: "CoreTests", in: [first, second])?.tests
        }
        #expect(failed(outcome(["a", "b"]), outcome([], status: 0)) == nil)
        #expect(failed(outcome(["a", "b"]), outcome(["c"])) == nil)
        #expect(failed(outcome(["a", "b"]), outcome(["b", "c"])) == ["b()"])
        #expect(failed(outcome(["a"]), outcome([])) == [])
        #expect(failed(outcome([]), outcome(["c"])) == [])
    }

    static let refused: [[String]] = [
        ["--verify", "--since", "HEAD"], ["--verify", "--format", "filter"], ["--test", "T", "--since", "HEAD"],
        ["--explain", "--since", "HEAD", "--format", "json"], ["--verify", "--explain"],
        ["--program", "P", "--since", "HEAD"],
    ]

    @Test("Options that do not apply together are refused", arguments: refused)
    func refusesCombinations(arguments: [String]) async {
        let result = await FixturePackage.run(["affected"] + arguments, in: "/nowhere")
        #expect(result.status == 2 && result.errors.contains("--"), "\(result.errors)")
    }
}
