import SystemCalls

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The source files of the targets of a package.
struct SourceTree {
    var graph: PackageGraph

    /// Returns the sorted paths of a target's files below the package's folder, without those that are excluded or hidden and
    /// those of other targets.
    func files(of target: GraphTarget) -> [String] {
        guard !target.folder.isEmpty else { return [] }
        let others = Set(graph.targets.map(\.folder)).subtracting([target.folder])
        let excluded = Set(target.excluded.map { "\(target.folder)/\($0.droppingTrailingSlash)" })
        var files: [String] = []
        var walked: Set<FileIdentity> = []
        func walk(_ folder: String) {
            // A symbolic link may lead back to a folder above.
            guard let status = try? POSIX.status(of: "\(graph.root)/\(folder)"),
                walked.insert(FileIdentity(device: status.device, inode: status.inode)).inserted
            else { return }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(graph.root)/\(folder)")) ?? []
            for name in names.sorted() where !name.hasPrefix(".") {
                let path = folder == "." ? name : "\(folder)/\(name)"
                if others.contains(path) || excluded.contains(path) { continue }
                var isFolder = false
                guard FileManager.default.fileExists(atPath: "\(graph.root)/\(path)", isDirectory: &isFolder) else {
                    continue
                }
                if isFolder { walk(path) } else { files.append(path) }
            }
        }
        walk(target.folder)
        return files
    }

    private struct FileIdentity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    /// Returns the text of a file below the package's folder; invalid UTF-8 is replaced.
    func text(of file: String) throws -> String {
        do {
            return String(decoding: try Data(contentsOf: URL(filePath: "\(graph.root)/\(file)")), as: UTF8.self)
        } catch {
            throw GraphError.file(path: file, message: "it cannot be read (\(error))")
        }
    }
}
