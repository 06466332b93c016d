/// Reads the graph of a package at a git revision, from a copy in a temporary folder; the work tree is not touched.
struct RevisionReader {
    /// The reader of the package in the work tree.
    let reader: PackageReader

    /// Returns the graph at a revision.
    ///
    /// - Throws: ``GraphError/usage(_:)`` if there is no such revision, and other errors if it has no package.
    func read(_ revision: String) throws -> PackageGraph {
        let root = reader.path
        let git = Git(folder: root)
        let prefix = try git.text("rev-parse", "--show-prefix").droppingTrailingSlash
        let top = try git.top()
        guard try git.commit(of: revision) != nil else {
            throw GraphError.usage("there is no revision \(revision) in the repository of \(root)")
        }
        return try Files.withTemporaryFolder { parent in
            // The name of the folder is the identity of the package.
            let folder = parent + "/" + (root.split(separator: "/").last.map(String.init) ?? "package")
            try Files.makeFolders(folder)
            let archive = parent + "/archive.tar"
            _ = try Git(folder: top).output("archive", "--format=tar", "--output=\(archive)", "\(revision):\(prefix)")
            _ = try Subprocess.output(of: ["tar", "-xf", archive, "-C", folder], install: "install tar")
            do {
                return try reader.reader(of: folder).read()
            } catch GraphError.notAPackage {
                throw GraphError.notAPackage(path: "\(root) at \(revision)")
            } catch GraphError.manifest(_, let message) {
                throw GraphError.manifest(path: "\(root) at \(revision)", message: message)
            }
        }
    }
}
