/// What changed in a package's folder since a revision, according to git.
struct GitChanges {
    /// The package's folder.
    var root: String
    /// The revision.
    var revision: String

    private static let install = "install git"

    /// The files that differ between the revision and the working folder, untracked ones too, below the package.
    ///
    /// - Throws: ``GraphError`` when the folder is in no repository or the revision is unknown.
    func files() throws -> [String] {
        let changed = try git(["diff", "--name-only", "--no-renames", "--relative", "-z", revision, "--", "."])
        let untracked = try git(["ls-files", "--others", "--exclude-standard", "-z", "--", "."])
        return Set((changed + untracked).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }).sorted()
    }

    /// A file's text at the revision; nil if it was not there.
    func text(of file: String) throws -> [UInt8]? {
        let outcome = try Subprocess.run(
            ["git", "-C", root, "show", "\(revision):./\(file)"],
            install: Self.install
        )
        return outcome.status == 0 ? outcome.output : nil
    }

    private func git(_ arguments: [String]) throws -> [UInt8] {
        let outcome = try Subprocess.run(["git", "-C", root] + arguments, install: Self.install)
        guard outcome.status == 0 else {
            throw GraphError.failed(program: "git \(arguments[0])", message: outcome.errorText.trimmed)
        }
        return outcome.output
    }
}
