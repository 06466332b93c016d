import DependencyGraph
import Foundation
import TestSupport
import Testing

/// A package in a temporary folder, and the tool run on it.
struct FixturePackage {
    let folder: TemporaryDirectory

    /// Writes a manifest with these targets, and files.
    init(targets: String, dependencies: String = "", files: [String: String] = [:]) throws {
        folder = try TemporaryDirectory("graph")
        try folder.write(Self.manifest(targets: targets, dependencies: dependencies), to: "Package.swift")
        for (name, text) in files { try folder.write(text, to: name) }
    }

    static func manifest(targets: String, dependencies: String = "") -> String {
        """
        // swift-tools-version: 6.0
        import PackageDescription

        let package = Package(
            name: "Fixture",
            dependencies: [\(dependencies)],
            targets: [
        \(targets)
            ]
        )

        """
    }

    /// Runs the tool with this package as the default.
    func run(_ arguments: String...) async -> GraphCommand.Result {
        await Self.run(arguments, in: folder.path)
    }

    /// Runs the tool on its own thread: it blocks while it waits for other programs.
    static func run(_ arguments: [String], in folder: String) async -> GraphCommand.Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: GraphCommand(defaultPackage: folder).run(arguments))
            }
        }
    }

    /// Runs git in the package's folder and expects success.
    func git(_ arguments: String...) async throws {
        let result = try await ChildProcess.run(
            URL(filePath: "/usr/bin/env"),
            ["git", "-c", "user.name=Fixture", "-c", "user.email=fixture@example.com"] + arguments,
            in: folder.url
        )
        #expect(result.status == 0, "\(result.errors)")
    }
}
