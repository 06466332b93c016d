import Foundation
import TestSupport

/// Runs the dependency-graph tool on generated packages and on this one, beside SwiftPM's own reading of their manifests.
struct GraphBenchmark: Benchmark {
    let area = "graph"
    let summary =
        "time of dependency-graph beyond swift package dump-package, packages of 100, 500 and 2,000 targets and this one"

    /// A command with its bounds in seconds by package.
    private struct Command {
        var name: String
        var arguments: [String]
        var bounds: [String: Double]
        /// Whether it is measured as a whole, with SwiftPM's part of it, and for the packages with a bound only.
        var isPicture = false
    }

    /// A package that the commands read.
    private struct Package {
        var name: String
        var folder: URL
        var rounds = 5
    }

    private let commands: [Command] = [
        Command(name: "graph", arguments: ["--format", "json"], bounds: ["100 targets": 0.3, "2000 targets": 0.5]),
        Command(
            name: "check, nothing stored",
            arguments: ["check", "--no-cache"],
            bounds: ["100 targets": 1.5, "2000 targets": 3, "this package": 2]
        ),
        Command(name: "check, again", arguments: ["check"], bounds: ["100 targets": 0.3]),
        Command(name: "affected", arguments: ["affected", "--since", "HEAD"], bounds: ["2000 targets": 3]),
        Command(name: "svg", arguments: ["--format", "svg"], bounds: ["500 targets": 5], isPicture: true),
        Command(name: "png", arguments: ["--format", "png"], bounds: ["500 targets": 5], isPicture: true),
    ]

    func run() async throws -> [BenchmarkRow] {
        let program = Bundle.main.bundleURL.appendingPathComponent("dependency-graph").path
        guard FileManager.default.isExecutableFile(atPath: program) else {
            let reason = "dependency-graph is not built: Scripts/bench builds it"
            return [row(commands[0], "100 targets", nil, reason)]
        }
        let folder = try TemporaryDirectory("bench")
        var packages = try [100, 500, 2_000].map { size in
            let package = GeneratedPackage(size: size, folder: folder.file("\(size)"))
            try package.write()
            // The runs of a large package take seconds each.
            return Package(name: "\(size) targets", folder: package.folder, rounds: size > 1_000 ? 3 : 5)
        }
        packages.append(Package(name: "this package", folder: Project.root))
        return try packages.flatMap { try measure($0, program, cache: folder.file("cache \($0.name)").path) }
    }

    private func measure(_ package: Package, _ program: String, cache: String) throws -> [BenchmarkRow] {
        let commands = commands.filter { !$0.isPicture || $0.bounds[package.name] != nil }
        let path = package.folder.path
        let dump = ["swift", "package", "--package-path", path, "--ignore-lock", "dump-package"]
        let sides = [dump] + commands.map { [program] + $0.arguments.inserting(path) }
        let times = try interleaved(rounds: package.rounds, sides.map { words in { try Self.run(words, cache) } })
        let alone = times[0].wall
        return zip(commands, times.dropFirst()).map { command, time in
            let value = command.isPicture ? time.wall : time.wall - alone
            return row(command, package.name, value, "swift package dump-package alone: \(alone.brief) s")
        }
    }

    private func row(_ command: Command, _ package: String, _ value: Double?, _ against: String) -> BenchmarkRow {
        let (unit, bound) = (command.isPicture ? "s" : "s more", command.bounds[package])
        return row("\(command.name), \(package)", value, unit, atMost: bound, against: against)
    }

    /// Runs a program; `check` ends with 1 if the package has findings.
    private static func run(_ words: [String], _ cache: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(["XDG_CACHE_HOME": cache]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 || process.terminationStatus == 1 && words.contains("check") else {
            throw ProgramFailed(program: words.joined(separator: " "), status: process.terminationStatus)
        }
    }
}

/// A package in layers, in a git repository with one changed file. Each target has three files and imports what it declares;
/// every tenth file has a conditional import, and every hundredth target an undeclared one.
private struct GeneratedPackage {
    let size: Int
    let folder: URL

    func write() throws {
        var manifest = """
            // swift-tools-version: 6.0
            import PackageDescription

            let package = Package(
                name: "Generated",
                targets: [

            """
        for index in 0..<size {
            let list = dependencies(of: index).map { "\"Target\($0)\"" }.joined(separator: ", ")
            manifest += "        .target(name: \"Target\(index)\", dependencies: [\(list)]),\n"
            for file in 0..<3 { try write(source(index, file), to: "Sources/Target\(index)/File\(file).swift") }
        }
        try write(manifest + "    ]\n)\n", to: "Package.swift")
        for words in [
            ["init", "-q"], ["add", "-A"],
            ["-c", "user.name=B", "-c", "user.email=b@example.com", "commit", "-qm", "Begin"],
        ] {
            try Programs.run(URL(filePath: "/usr/bin/env"), ["git", "-C", folder.path] + words)
        }
        try write("// changed\n", to: "Sources/Target\(size / 10)/File0.swift")
    }

    /// Up to five targets of lower numbers, the same in each run.
    private func dependencies(of index: Int) -> [Int] {
        guard index > 0 else { return [] }
        return Set((1...5).map { max(0, index - 1 - ($0 * $0 * 7 + index * $0) % min(index, 60)) }).sorted()
    }

    private func source(_ index: Int, _ file: Int) -> String {
        var text = "import Foundation\n"
        for dependency in dependencies(of: index) { text += "import Target\(dependency)\n" }
        if (index * 3 + file) % 10 == 0 { text += "#if canImport(UIKit) && !os(watchOS)\nimport UIKit\n#endif\n" }
        if index % 100 == 50, file == 1 { text += "import Target\(index + 1)\n" }
        text += "\n/// A type of the target.\npublic struct Type\(file) {\n    public var value: Int\n}\n"
        for number in 0..<12 {
            text += "\npublic func function\(number)(_ text: String) -> [String] {\n"
            text += "    // The text in quotation marks.\n    return [\"\\(text) \\(text.count)\", #\"\"raw\"\"#]\n}\n"
        }
        return text
    }

    private func write(_ text: String, to path: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}

extension [String] {
    /// The arguments with the package's folder after the name of the command, if there is one.
    fileprivate func inserting(_ package: String) -> [String] {
        first?.hasPrefix("-") ?? true ? [package] + self : [self[0], package] + dropFirst()
    }
}
