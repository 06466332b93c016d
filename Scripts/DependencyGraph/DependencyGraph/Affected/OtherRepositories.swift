/// The changes of local packages that are in other git repositories than the package that depends on them.
///
/// A revision of one repository has no meaning in another one. Of a submodule, the commit at the revision is known. Of any
/// other repository, only the changes that are not committed are known, and a note says so.
struct OtherRepositories {
    /// The absolute paths of the changed files, sorted.
    private(set) var files: [String] = []
    /// What is not known, for the user.
    private(set) var notes: [String] = []

    /// Finds the changes of the packages in some folders.
    ///
    /// - Throws: ``GraphError`` if git is not installed or fails.
    init(git: GitChanges, folders: [String]) throws {
        let own = try Git(folder: git.root).top()
        var seen: Set<String> = [own]
        var found: Set<String> = []
        for folder in folders {
            guard Files.exists(folder) else {
                notes.append("the local package \(folder) does not exist")
                continue
            }
            guard let top = try? Git(folder: folder).top() else {
                notes.append(
                    "the local package \(folder) is in no git repository, so that its changes are unknown; "
                        + "--files takes their names"
                )
                continue
            }
            guard seen.insert(top).inserted else { continue }
            let commit = try git.submodule(at: top)
            if commit == nil {
                notes.append(
                    "the local package \(folder) is in another git repository, in which the revision is unknown: only its "
                        + "uncommitted changes count; --files takes the names of others"
                )
            }
            found.formUnion(try GitChanges(root: top, with: commit ?? "HEAD").absoluteFiles())
        }
        files = found.sorted()
    }
}
