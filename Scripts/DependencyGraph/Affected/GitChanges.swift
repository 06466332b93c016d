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

    /// Compares with a commit itself.
    init(root: String, with commit: String) {
        self.root = root
        revision = commit
    }

    /// Returns the files that differ between the revision and the working folder, with untracked ones: below the package's
    /// folder relative to it, others absolute.
    func files() throws -> [String] {
        let real = URL(filePath: root).resolvingSymlinksInPath().path.droppingTrailingSlash
        return try absoluteFiles().map { $0.hasPrefix(real + "/") ? String($0.dropFirst(real.count + 1)) : $0 }.sorted()
    }

    /// Returns the absolute paths of the files that differ, without symbolic links.
    func absoluteFiles() throws -> Set<String> {
        let top = try top()
        let changed = try git(["diff", "--name-only", "--no-renames", "-z", revision, "--", top])
        let untracked = try git(["ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", top])
        return Set((changed + untracked).split(separator: 0).map { "\(top)/\(String(decoding: $0, as: UTF8.self))" })
    }

    /// Returns the commit of the submodule in a folder at the revision, or `nil` if there was no submodule. The path of the
    /// folder is absolute and has no symbolic links.
    func submodule(at folder: String) throws -> String? {
        let top = try top()
        guard folder.hasPrefix(top + "/") else { return nil }
        let name = String(folder.dropFirst(top.count + 1))
        let outcome = try Subprocess.run(["git", "-C", top, "ls-tree", revision, "--", name], install: Self.install)
        // MODE TYPE COMMIT, a tab and the name.
        let words = outcome.text.split(whereSeparator: \.isWhitespace)
        return outcome.status == 0 && words.count > 2 && words[1] == "commit" ? String(words[2]) : nil
    }

    /// Returns the top folder of the repository that contains a folder, or `nil` if none does.
    static func top(above folder: String) throws -> String? {
        let outcome = try Subprocess.run(["git", "-C", folder, "rev-parse", "--show-toplevel"], install: install)
        return outcome.status == 0 ? outcome.text.trimmed : nil
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

    /// Returns the top folder of the repository.
    func top() throws -> String {
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
