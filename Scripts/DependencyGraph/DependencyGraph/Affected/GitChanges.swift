/// Runs git in a folder.
struct Git {
    let folder: String
    /// The file of the index, if it is not that of the repository.
    var index: String?

    private static let install = "install git"

    private var command: [String] { (index.map { ["env", "GIT_INDEX_FILE=\($0)"] } ?? []) + ["git", "-C", folder] }

    func run(_ arguments: String...) throws -> Subprocess.Outcome {
        try Subprocess.run(command + arguments, install: Self.install)
    }

    /// Returns the output of a command.
    ///
    /// - Throws: ``GraphError/failed(program:message:)`` if it fails.
    func output(_ arguments: String...) throws -> [UInt8] { try output(arguments) }

    private func output(_ arguments: [String]) throws -> [UInt8] {
        try Subprocess.output(of: command + arguments, install: Self.install)
    }

    /// Returns the output of a command as text without white space at its ends.
    func text(_ arguments: String...) throws -> String {
        String(decoding: try output(arguments), as: UTF8.self).trimmed
    }

    /// Returns the top folder of the repository.
    func top() throws -> String { try text("rev-parse", "--show-toplevel") }

    /// Returns the commit of a revision, or `nil` if there is none.
    func commit(of revision: String) throws -> String? {
        let outcome = try run("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
        return outcome.status == 0 ? outcome.text.trimmed : nil
    }

    /// Returns the names of the files that git knows or would add, below the folder.
    func knownFiles() throws -> Set<String>? {
        let outcome = try run("ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", ".")
        return outcome.status == 0 ? Set(Self.names(in: outcome.output)) : nil
    }

    /// Returns the names that a command with the option `-z` printed.
    static func names(in output: [UInt8]) -> [String] {
        output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The changes in the repository of a package since a revision, according to git.
struct GitChanges {
    /// The folder of the package.
    let root: String
    /// The revision to compare with.
    let revision: String

    private var git: Git { Git(folder: root) }

    /// Compares with the common ancestor of `revision` and the current commit, so that the changes on `revision` since then
    /// do not count.
    ///
    /// - Throws: ``GraphError`` if git is not installed, the folder is not in a repository, or the revision is unknown.
    init(root: String, since revision: String) throws {
        self.root = root
        let git = Git(folder: root)
        let outcome = try git.run("merge-base", "--end-of-options", revision, "HEAD")
        self.revision = outcome.status == 0 ? outcome.text.trimmed : revision
        // Without a common ancestor the revision itself is compared.
        if outcome.status != 0, try git.commit(of: revision) == nil {
            let message = outcome.errorText.isEmpty ? "there is no such revision" : outcome.errorText.trimmed
            throw GraphError.failed(program: "git merge-base \(revision) HEAD", message: message)
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
        let real = root.resolvingLinks
        return try absoluteFiles().map { $0.hasPrefix(real + "/") ? String($0.dropFirst(real.count + 1)) : $0 }.sorted()
    }

    /// Returns the absolute paths of the files that differ, without symbolic links.
    func absoluteFiles() throws -> Set<String> {
        let top = try git.top()
        // A submodule is named if anything in it differs, whatever a setting ignores: it may hold the folder of a target.
        let changed = try git.output(
            "diff",
            "--name-only",
            "--no-relative",
            "--no-renames",
            "--ignore-submodules=none",
            "-z",
            revision,
            "--",
            top
        )
        let untracked = try git.output("ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", top)
        return Set(Git.names(in: changed + untracked).map { "\(top)/\($0)" })
    }

    /// Returns the commit of the submodule in a folder at the revision, or `nil` if there was no submodule. The path of the
    /// folder is absolute and has no symbolic links.
    func submodule(at folder: String) throws -> String? {
        let top = try git.top()
        guard folder.hasPrefix(top + "/") else { return nil }
        let name = String(folder.dropFirst(top.count + 1))
        let outcome = try Git(folder: top).run("ls-tree", revision, "--", name)
        // MODE TYPE COMMIT, a tab and the name.
        let words = outcome.text.split(whereSeparator: \.isWhitespace)
        return outcome.status == 0 && words.count > 2 && words[1] == "commit" ? String(words[2]) : nil
    }

    /// Returns the content of a file of the package at the revision, or `nil` if it did not exist.
    func content(of file: String) throws -> [UInt8]? {
        let outcome = try git.run("show", "\(revision):./\(file)")
        return outcome.status == 0 ? outcome.output : nil
    }

    /// Returns the names of the manifests at the revision: Package.swift and Package@swift-….swift.
    func manifests() throws -> [String] {
        Git.names(in: try git.output("ls-tree", "--name-only", "-z", revision, "--", "./"))
            .filter(ManifestChanges.isManifest)
    }
}
