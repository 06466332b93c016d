import Foundation
import TestSupport

/// Builds a copy of this package as Scripts/run and Scripts/test do, from nothing and after a changed line.
struct BuildBenchmark: Benchmark {
    let area = "build"
    let summary = "processor time of debug builds: Dog and the tests from nothing, and Dog after one changed line"

    /// A change of one line, and the bound of the build after it in seconds.
    private static let changes = [
        (name: "NeedleKit", file: "Modules/Layout/NeedleKit/Geometry/LayoutRect.swift", bound: 60.0),
        (name: "TodoCore", file: "Apps/TodoCore/Model/Todo.swift", bound: 40.0),
        (name: "a feature", file: "Apps/Features/TodoFeature/TodoList/TodoListInteractor.swift", bound: 20.0),
    ]

    func run() async throws -> [BenchmarkRow] {
        let copy = try TemporaryDirectory("build")
        for name in ["Package.swift", "Modules", "Apps", "Scripts", "Tests"] {
            try FileManager.default.copyItem(at: Project.root.appending(path: name), to: copy.file(name))
        }
        var rows = [try row("cold build of Dog", copy, ["--product", "Dog"], atMost: 130)]
        for change in Self.changes {
            var text = try String(contentsOf: copy.file(change.file), encoding: .utf8)
            text += "\nprivate let changedLine = \"\(change.name)\"\n"
            try Data(text.utf8).write(to: copy.file(change.file))
            let name = "build of Dog after a line of \(change.name)"
            rows.append(try row(name, copy, ["--product", "Dog"], atMost: change.bound))
        }
        rows.append(try row("build of the tests after that of Dog", copy, ["--build-tests"], atMost: 400))
        return rows
    }

    private func row(_ name: String, _ copy: TemporaryDirectory, _ arguments: [String], atMost bound: Double) throws
        -> BenchmarkRow
    {
        // The options of Scripts/lib/common.sh.
        let options = [
            "swift", "build", "--package-path", copy.path, "--disable-index-store", "-debug-info-format", "none",
            "-Xswiftc",
            "-gline-tables-only",
        ]
        let time = try ProcessTime(running: "/usr/bin/env", options + arguments)
        let seconds = time.milliseconds / 1000
        return row(name, seconds, "s CPU", atMost: bound, against: "all processes of the build")
    }
}
