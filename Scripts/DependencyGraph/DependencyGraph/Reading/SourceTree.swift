import EssentialFoundation
import SystemCalls

/// The files of the targets of a package, by the rules of SwiftPM.
struct SourceTree: Sendable {
    /// The files of a target.
    struct Listing: Sendable {
        /// The sorted paths of the sources, headers and module maps below the package's folder.
        var sources: [String] = []
        /// What cannot be read.
        var faults: [GraphFault] = []
        /// The absolute paths outside the target's folder that it, if it is or is below a symbolic link, and the links in it lead
        /// to, with the path of each; also of the links among its resources, excluded and hidden files, which a test may read.
        var links: [(link: String, destination: String)] = []

        fileprivate mutating func add(_ fault: GraphFault.Kind, _ path: String, _ message: String) {
            faults.append(GraphFault(fault, path: path, message: message))
        }
    }

    /// The folder of the package.
    let root: String
    private let folders: Set<String>

    init(graph: PackageGraph) {
        root = graph.root
        folders = Set(graph.targets.map(\.folder))
    }

    /// Creates a tree to read files only.
    init(root: String) {
        self.root = root
        folders = []
    }

    /// Lists the files of a target, without those that are excluded, hidden, resources or in the folder of another target.
    func listing(of target: GraphTarget) -> Listing {
        var listing = Listing()
        guard !target.folder.isEmpty else { return listing }
        let start = absolute(target.folder)
        guard let status = try? POSIX.status(of: start) else {
            listing.add(.missingFolder, target.folder, "the folder of \(target.name) does not exist")
            return listing
        }
        guard status.kind == .folder else {
            listing.add(.missingFolder, target.folder, "the path of \(target.name) is not a folder")
            return listing
        }
        let real = start.resolvingLinks
        if real.relative(to: root) ?? "." != target.folder { listing.links.append((target.folder, real)) }
        var walk = Walk(tree: self, target: target)
        walk.enter(target.folder, status, isSource: true, &listing)
        let isUnread = listing.faults.contains { $0.kind == .unreadable }
        if !isUnread, target.kind != .system, !listing.sources.contains(where: Self.isSource) {
            listing.add(.noSources, target.folder, "the folder of \(target.name) has no source files")
        }
        return listing
    }

    /// Returns the content of a file below the package's folder.
    ///
    /// - Throws: ``GraphError/file(path:message:)`` if it cannot be read or is not a regular file.
    func bytes(of file: String) throws(GraphError) -> [UInt8] {
        do throws(SystemError) {
            let path = absolute(file)
            // To open a FIFO would wait for its writer.
            guard try POSIX.status(of: path).kind == .regular else {
                throw SystemError(code: 22, call: "open")
            }
            return try POSIX.contents(of: path)
        } catch {
            throw GraphError.file(path: file, message: "it cannot be read (\(error))")
        }
    }

    /// Whether a file has code for the compiler of Swift or of the C languages.
    static func isSource(_ file: String) -> Bool {
        guard let dot = file.lastIndex(of: ".") else { return false }
        return ["swift", "c", "cc", "cpp", "cxx", "m", "mm", "s", "S"].contains(String(file[file.index(after: dot)...]))
    }

    /// Returns the absolute path of a file below the package's folder, or an absolute path itself.
    func absolute(_ path: String) -> String {
        path == "." ? root : path.hasPrefix("/") ? path : "\(root)/\(path)"
    }

    /// The walk through the folder of one target.
    private struct Walk {
        struct Identity: Hashable {
            var device: UInt64
            var inode: UInt64

            init(_ status: POSIX.Status) {
                device = status.device
                inode = status.inode
            }
        }

        /// The names of folders that SwiftPM takes as one file end like this.
        static let bundles = [".docc", ".playground", ".xcassets", ".xcdatamodeld"]
        /// The folders of git and SwiftPM, which may be in the folder of a target and are large.
        static let ofTools: Set = [".build", ".git", ".swiftpm"]

        let tree: SourceTree
        let target: GraphTarget
        let skipped: Set<String>
        let sources: [String]?
        /// The folders of sources that were entered, and those of other files.
        var seen: [Set<Identity>] = [[], []]
        /// The folders above the current one.
        var above: Set<Identity> = []

        init(tree: SourceTree, target: GraphTarget) {
            self.tree = tree
            self.target = target
            let prefix = target.folder == "." ? "" : target.folder + "/"
            skipped = Set((target.layout.excluded + target.layout.resources).map { prefix + $0 })
            sources = target.layout.sources.map { $0.map { $0 == "." ? target.folder : prefix + $0 } }
        }

        /// Walks through a folder of sources, or of other files, in which only the links matter.
        mutating func enter(_ folder: String, _ status: POSIX.Status, isSource: Bool, _ listing: inout Listing) {
            let identity = Identity(status)
            guard !above.contains(identity) else {
                guard isSource else { return }
                listing.add(.linkLoop, folder, "the symbolic link leads to a folder above it")
                return
            }
            // A second link to the same folder has the same sources.
            guard seen[isSource ? 0 : 1].insert(identity).inserted else { return }
            let names: [String]
            do throws(SystemError) {
                names = try POSIX.list(tree.absolute(folder))
            } catch {
                guard isSource else { return }
                listing.add(.unreadable, folder, "the folder cannot be read (\(error))")
                return
            }
            above.insert(identity)
            for name in names.sorted() where !Self.ofTools.contains(name) {
                let path = folder == "." ? name : "\(folder)/\(name)"
                visit(path, isSource: isSource && !name.hasPrefix(".") && !skipped.contains(path), &listing)
            }
            above.remove(identity)
        }

        private mutating func visit(_ path: String, isSource: Bool, _ listing: inout Listing) {
            if tree.folders.contains(path) { return }
            let isCode =
                isSource && isInSources(path)
                && (SourceTree.isSource(path) || path.hasSuffix(".h") || path.hasSuffix(".modulemap"))
            let absolute = tree.absolute(path)
            guard var status = try? POSIX.status(of: absolute, followsLinks: false) else {
                // A name that is not UTF-8 reads as another one.
                guard isCode else { return }
                listing.add(.unreadable, path, "its name is not valid UTF-8, or it has just been removed")
                return
            }
            if status.kind == .link {
                let destination = Self.destination(of: absolute)
                listing.links.append((path, destination))
                do throws(SystemError) {
                    status = try POSIX.status(of: absolute)
                } catch {
                    guard isCode else { return }
                    listing.add(.unreadable, path, "the symbolic link leads nowhere (\(error))")
                    return
                }
                // A link to the root folder among the resources is not followed through the whole system.
                if !isSource, destination.relative(to: tree.root) == nil { return }
            }
            switch status.kind {
            case .folder:
                let isBundle = Self.bundles.contains(where: path.hasSuffix)
                enter(path, status, isSource: isSource && !isBundle, &listing)
            case .regular: if isCode { listing.sources.append(path) }
            default:
                guard isCode else { return }
                listing.add(.unreadable, path, "it is neither a file nor a folder")
            }
        }

        /// Returns where a link leads to, also if nothing is there: a change may have removed it.
        private static func destination(of link: String) -> String {
            let resolved = link.resolvingLinks
            guard !Files.exists(resolved), let slash = link.lastIndex(of: "/"),
                let text = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
            else { return resolved }
            return (text.hasPrefix("/") ? text : "\(String(link[..<slash]).resolvingLinks)/\(text)").absolutePath
        }

        /// Whether the manifest's list of sources, if there is one, has the path. Headers and module maps are not listed.
        private func isInSources(_ path: String) -> Bool {
            guard let sources, SourceTree.isSource(path) else { return true }
            return sources.contains { path == $0 || path.hasPrefix($0 + "/") || $0 == target.folder }
        }
    }
}
