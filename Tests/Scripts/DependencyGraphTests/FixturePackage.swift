import Foundation
import JSONValues
import TestSupport
import Testing
import Threading

@testable import DependencyGraph

/// A package in a temporary folder, and the tool run on it.
struct FixturePackage {
    let folder: TemporaryDirectory

    /// Writes a manifest with these targets, and files.
    init(targets: String, dependencies: String = "", products: String = "", files: [String: String] = [:]) throws {
        folder = try TemporaryDirectory("graph")
        let manifest = Self.manifest(targets: targets, dependencies: dependencies, products: products)
        try folder.write(manifest, to: "Package.swift")
        for (name, text) in files { try folder.write(text, to: name) }
    }

    static func manifest(
        _ name: String = "Fixture",
        targets: String,
        dependencies: String = "",
        products: String = ""
    ) -> String {
        """
        // swift-tools-version: 6.0
        import PackageDescription

        let package = Package(
            name: "\(name)",\(products.isEmpty ? "" : " products: [\(products)],")
            dependencies: [\(dependencies)],
            targets: [
        \(targets)
            ]
        )

        """
    }

    /// The requirement of the package "far".
    static let far = ".package(url: \"https://far.invalid/far.git\", from: \"1.0.0\")"

    /// Returns a Package.resolved with the versions of packages.
    static func resolved(_ versions: [String: String]) -> String {
        let pins = versions.sorted { $0.key < $1.key }.map { identity, version in
            "{\"identity\": \"\(identity)\", \"state\": {\"version\": \"\(version)\"}}"
        }
        return "{\"pins\": [\(pins.joined(separator: ", "))], \"version\": 3}"
    }

    /// Replaces Package.resolved.
    func pin(_ versions: [String: String]) throws {
        try folder.write(Self.resolved(versions), to: "Package.resolved")
    }

    /// Runs the tool with this package as the default.
    func run(_ arguments: String...) async -> GraphCommand.Result {
        await Self.run(arguments, in: folder.path)
    }

    /// Runs the tool in a folder.
    static func run(_ arguments: [String], in folder: String) async -> GraphCommand.Result {
        await blocking { GraphCommand(reader: reader(of: folder)).run(arguments) }
    }

    /// Checks the package; nothing is stored.
    func check(_ arguments: String...) async -> GraphCommand.Result {
        await Self.run(["check", "--no-cache"] + arguments, in: folder.path)
    }

    /// Returns what the changes since the last commit affect.
    func affected(_ format: String = "text") async -> String {
        await run("affected", "--since", "HEAD", "--format", format).text
    }

    /// Returns the graph of the package.
    func graph() throws -> PackageGraph { try Self.reader(of: folder.path).read() }

    private static func reader(of folder: String) -> PackageReader {
        PackageReader(path: folder, describe: ManifestDescriptions.shared.description)
    }

    /// Runs the program that was built with the tests.
    static func runProgram(_ arguments: [String], environment: [String: String?] = [:]) async throws -> ChildResult {
        let program = ChildProcess.productsDirectory.appendingPathComponent("dependency-graph")
        return try await ChildProcess.run(program, arguments, environment: environment)
    }

    /// Returns the text of the manifest, or replaces it.
    func manifest() throws -> String { try String(contentsOf: folder.file("Package.swift"), encoding: .utf8) }

    /// Replaces a text in the manifest, which must contain it.
    func changeManifest(_ text: String, to replacement: String) throws {
        let manifest = try manifest()
        try #require(manifest.contains(text))
        try folder.write(manifest.replacing(text, with: replacement), to: "Package.swift")
    }

    /// Commits all files to the repository in the package's folder, which is created if there is none.
    func commit() async throws { try await Self.commit(folder.path) }

    /// Runs git in the package's folder and expects success.
    func git(_ arguments: String...) async throws { try await Self.git(arguments, in: folder.path) }

    /// Commits all files to the repository in a folder, which is created if there is none.
    static func commit(_ folder: String) async throws {
        if !FileManager.default.fileExists(atPath: folder + "/.git") {
            try await git(["init", "--quiet"], in: folder)
        }
        try await git(["add", "--all"], in: folder)
        try await git(["commit", "--quiet", "--message", "Change"], in: folder)
    }

    /// Runs git in a folder, where a submodule may be a folder of this machine.
    static func git(_ arguments: [String], in folder: String) async throws {
        let settings = [
            "-c", "user.name=Fixture", "-c", "user.email=fixture@example.com",
            "-c", "protocol.file.allow=always",
        ]
        let command = ["git", "-C", folder] + settings + arguments
        _ = try await blocking { Result { try Subprocess.output(of: command, install: "install git") } }.get()
    }

    /// Runs work that waits for other programs: as much at the same time as there are processors.
    private static func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.addOperation { continuation.resume(returning: work()) }
        }
    }

    private static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
        return queue
    }()
}

/// The descriptions of manifests by SwiftPM, which reads each text once in a run of the tests.
private final class ManifestDescriptions: Sendable {
    static let shared = ManifestDescriptions()

    private let known = Locked<[String: (folder: String, description: JSONValue)]>([:])

    @Sendable func description(in folder: String) throws -> JSONValue {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter(ManifestChanges.isManifest)
        let texts = try names.sorted().map {
            "\($0)\n" + (try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8))
        }
        let key = texts.joined(separator: "\n")
        if let (other, description) = known.withLock({ $0[key] }) {
            return description.replacingPrefixes(other, with: folder)
        }
        let description = try PackageReader.swiftPM(folder)
        // A path to a folder beside the package depends on more than the package's own folder.
        if !key.contains("\"../") { known.withLock { $0[key] = (folder, description) } }
        return description
    }
}
