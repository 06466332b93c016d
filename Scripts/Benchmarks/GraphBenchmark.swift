import Foundation

/// Runs the dependency-graph tool on generated packages, beside SwiftPM's own reading of their manifests.
struct GraphBenchmark: Benchmark {
    let area = "graph"
    let summary = "time of dependency-graph beyond swift package dump-package, packages of 100, 500 and 2,000 targets"

    /// A command and its bound in seconds for a size.
    private struct Command {
        var name: String
        var arguments: [String]
        var bounds: [Int: Double]
        /// Whether the bound is for the whole run, with SwiftPM's part of it.
        var isWhole = false
        /// The sizes that are measured; `nil` for all.
        var sizes: Set<Int>?
    }

    private let commands = [
        Command(name: "graph", arguments: ["--format", "json"], bounds: [100: 0.3, 2_000: 0.5]),
        Command(name: "check, nothing stored", arguments: ["check", "--no-cache"], bounds: [100: 1.5, 2_000: 3]),
        Command(name: "check, again", arguments: ["check"], bounds: [100: 0.3]),
        Command(name: "affected", arguments: ["affected", "--since", "HEAD"], bounds: [2_000: 3]),
        Command(name: "svg", arguments: ["--format", "svg"], bounds: [500: 5], isWhole: true, sizes: [500]),
        Command(name: "png", arguments: ["--format", "png"], bounds: [500: 5], isWhole: true, sizes: [500]),
    ]

    func run() async throws -> [BenchmarkRow] {
        let program = Bundle.main.bundleURL.appendingPathComponent("dependency-graph").path
        guard FileManager.default.isExecutableFile(atPath: program) else {
            return [row(commands[0], 100, nil, "dependency-graph is not built: Scripts/bench builds it")]
        }
        return try [100, 500, 2_000].flatMap { try measure($0, program) }
    }

    private func measure(_ size: Int, _ program: String) throws -> [BenchmarkRow] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pawkit-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let package = GeneratedPackage(size: size, folder: folder.appendingPathComponent("package"))
        try package.write()
        let cache = folder.appendingPathComponent("cache").path
        let commands = commands.filter { $0.sizes?.contains(size) ?? true }
        let sides: [() throws -> Void] =
            [
                {
                    try Self.run(
                        ["swift", "package", "--package-path", package.folder.path, "--ignore-lock", "dump-package"],
                        cache
                    )
                }
            ]
            + commands.map { command in
                { try Self.run([program] + command.arguments.inserting(package.folder.path), cache) }
            }
        // The runs of a large package take seconds each.
        let times = try interleaved(rounds: size > 1_000 ? 3 : 5, sides)
        let alone = times[0].wall
        return zip(commands, times.dropFirst()).map { command, time in
            row(
                command,
                size,
                command.isWhole ? time.wall : time.wall - alone,
                "swift package dump-package alone: \(alone.brief) s"
            )
        }
    }

    private func row(_ command: Command, _ size: Int, _ value: Double?, _ against: String) -> BenchmarkRow {
        let name = "\(command.name), \(size) targets"
        let unit = command.isWhole ? "s" : "s more"
        guard let bound = command.bounds[size] else {
            return BenchmarkRow(area: area, name: name, value: value, unit: unit, against: against)
        }
        return .atMost(bound, area: area, name: name, value: value, unit: unit, against: against)
    }

    /// Runs a program; `check` ends with 1, as the package has findings.
    private static func run(_ words: [String], _ cache: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(["XDG_CACHE_HOME": cache]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 || process.terminationStatus == 1 && words.contains("check") else {
            throw GraphFailure(description: "\(words.joined(separator: " ")) ended with \(process.terminationStatus)")
        }
    }
}

/// A package in layers, in a git repository with one changed file. Each target has three files and imports what it declares;
/// every tenth file has a conditional import, and every hundredth target an undeclared one.
private struct GeneratedPackage {
    let size: Int
    let folder: URL

    func write() throws {
        var manifest =
            "// swift-tools-version: 6.0\nimport PackageDescription\n\nlet package = Package(\n    name: \"Generated\",\n    targets: [\n"
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
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["git", "-C", folder.path] + words
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw GraphFailure(description: "git \(words[0]) failed") }
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

private struct GraphFailure: Error, CustomStringConvertible {
    let description: String
}

extension [String] {
    /// The arguments with the package's folder after the name of the command, if there is one.
    fileprivate func inserting(_ package: String) -> [String] {
        first?.hasPrefix("-") ?? true ? [package] + self : [self[0], package] + dropFirst()
    }
}
