#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The changes in the repository of a package since a revision, according to git.
struct GitChanges {
    /// The folder of the package.
    let root: String
    /// The revision to compare with.
    let revision: String

    private static let install = "install git"

    /// Compares with the common ancestor of `revision` and the current commit, so that the changes on `revision` since then
    /// do not count.
    ///
    /// - Throws: ``GraphError`` if git is not installed, the folder is not in a repository, or the revision is unknown.
    init(root: String, since revision: String) throws {
        self.root = root
        let outcome = try Subprocess.run(
            ["git", "-C", root, "merge-base", "--end-of-options", revision, "HEAD"],
            install: Self.install
        )
        self.revision = outcome.status == 0 ? outcome.text.trimmed : revision
        // Without a common ancestor the revision itself is compared.
        if outcome.status != 0 {
            _ = try git(["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"])
        }
    }

    /// Returns the files that differ between the revision and the working folder, with untracked ones: below the package's
    /// folder relative to it, others absolute.
    func files() throws -> [String] {
        let top = try top()
        let changed = try git(["diff", "--name-only", "--no-renames", "-z", revision, "--", top])
        let untracked = try git(["ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", top])
        // The names are relative to the top, whose path has no symbolic links.
        let real = URL(filePath: root).resolvingSymlinksInPath().path.droppingTrailingSlash
        let names = Set((changed + untracked).split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
        return names.map { name in
            let path = "\(top)/\(name)"
            return path.hasPrefix(real + "/") ? String(path.dropFirst(real.count + 1)) : path
        }
        .sorted()
    }

    /// Returns the names of the files that git knows or would add, below the package's folder.
    static func knownFiles(below root: String) throws -> Set<String>? {
        let outcome = try Subprocess.run(
            ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", "."],
            install: install
        )
        guard outcome.status == 0 else { return nil }
        return Set(outcome.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }

    /// Returns the content of a file of the package at the revision, or `nil` if it did not exist.
    func content(of file: String) throws -> [UInt8]? {
        let outcome = try Subprocess.run(["git", "-C", root, "show", "\(revision):./\(file)"], install: Self.install)
        return outcome.status == 0 ? outcome.output : nil
    }

    /// Returns the names of the manifests at the revision: Package.swift and Package@swift-….swift.
    func manifests() throws -> [String] {
        try git(["ls-tree", "--name-only", "-z", revision, "--", "./"]).split(separator: 0)
            .map { String(decoding: $0, as: UTF8.self) }.filter(ManifestChanges.isManifest)
    }

    private func top() throws -> String {
        String(decoding: try git(["rev-parse", "--show-toplevel"]), as: UTF8.self).trimmed
    }

    private func git(_ arguments: [String]) throws -> [UInt8] {
        let outcome = try Subprocess.run(["git", "-C", root] + arguments, install: Self.install)
        guard outcome.status == 0 else {
            let message = outcome.errorText.trimmed
            throw GraphError.failed(
                program: "git \(arguments.joined(separator: " "))",
                message: message.isEmpty ? "there is no such revision" : message
            )
        }
        return outcome.output
    }
}
