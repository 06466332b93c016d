#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads the graph of a package at a git revision, from a copy in a temporary folder; the work tree is not touched.
struct RevisionReader {
    /// The folder of the package in the work tree.
    let path: String

    /// Returns the graph at a revision.
    ///
    /// - Throws: ``GraphError/usage(_:)`` if there is no such revision, and other errors if it has no package.
    func read(_ revision: String) throws -> PackageGraph {
        let root = PackageReader(path: path).path
        let prefix = try git(root, "rev-parse", "--show-prefix").trimmed.droppingTrailingSlash
        let top = try git(root, "rev-parse", "--show-toplevel").trimmed
        guard
            try Subprocess.run(
                ["git", "-C", root, "rev-parse", "--quiet", "--verify", "--end-of-options", revision + "^{commit}"],
                install: Self.install
            ).status == 0
        else { throw GraphError.usage("there is no revision \(revision) in the repository of \(root)") }

        // The name of the folder is the identity of the package.
        let parent = FileManager.default.temporaryDirectory.path + "/dependency-graph-\(UUID().uuidString)"
        let folder = parent + "/" + (root.split(separator: "/").last.map(String.init) ?? "package")
        defer { try? FileManager.default.removeItem(atPath: parent) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let archive = parent + "/archive.tar"
        _ = try git(top, "archive", "--format=tar", "--output=\(archive)", "\(revision):\(prefix)")
        let outcome = try Subprocess.run(["tar", "-xf", archive, "-C", folder], install: "install tar")
        guard outcome.status == 0 else { throw GraphError.failed(program: "tar", message: outcome.errorText.trimmed) }
        do {
            return try PackageReader(path: folder).read()
        } catch GraphError.notAPackage {
            throw GraphError.notAPackage(path: "\(root) at \(revision)")
        } catch GraphError.manifest(_, let message) {
            throw GraphError.manifest(path: "\(root) at \(revision)", message: message)
        }
    }

    private static let install = "install git"

    private func git(_ root: String, _ arguments: String...) throws -> String {
        let outcome = try Subprocess.run(["git", "-C", root] + arguments, install: Self.install)
        guard outcome.status == 0 else { throw GraphError.failed(program: "git", message: outcome.errorText.trimmed) }
        return outcome.text
    }
}
