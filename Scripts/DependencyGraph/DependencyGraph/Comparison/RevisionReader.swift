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
        guard let commit = try git.commit(of: revision) else {
            throw GraphError.usage("there is no revision \(revision) in the repository of \(root)")
        }
        return try Files.withTemporaryFolder { parent in
            // The name of the folder is the identity of the package.
            let folder = parent + "/" + (root.split(separator: "/").last.map(String.init) ?? "package")
            try Files.makeFolders(folder)
            // An index of its own: an archive would lack what .gitattributes excludes from it.
            let index = Git(folder: top, index: parent + "/index")
            _ = try index.output("read-tree", "\(commit):\(prefix)")
            _ = try index.output("checkout-index", "--all", "--prefix=\(folder)/")
            let entries = Git.names(in: try index.output("ls-files", "--stage", "-z"))
            let submodules = entries.filter { $0.hasPrefix("160000 ") }.compactMap { entry in
                entry.firstIndex(of: "\t").map { entry[entry.index(after: $0)...] + "/" }
            }
            do {
                var graph = try reader.reader(of: folder).read()
                // What a submodule contains is in another repository, and not missing.
                graph.update { target in
                    if submodules.contains(where: (target.folder + "/").hasPrefix) {
                        target.faults.removeAll { $0.kind != .cycle }
                    }
                }
                return graph
            } catch GraphError.notAPackage {
                throw GraphError.notAPackage(path: "\(root) at \(revision)")
            } catch GraphError.manifest(_, let message) {
                throw GraphError.manifest(path: "\(root) at \(revision)", message: message)
            }
        }
    }
}
