#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The files of a package's targets.
struct SourceTree {
    var graph: PackageGraph

    /// The files of a target below the package's folder, sorted; what is excluded, hidden, or another target's is left
    /// out.
    func files(of target: GraphTarget) -> [String] {
        guard !target.folder.isEmpty else { return [] }
        let others = Set(graph.targets.map(\.folder)).subtracting([target.folder])
        let excluded = Set(target.excluded.map { "\(target.folder)/\($0.droppingTrailingSlash)" })
        var files: [String] = []
        func walk(_ folder: String) {
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

    /// The text of a file below the package's folder; invalid UTF-8 is repaired.
    func text(of file: String) throws -> String {
        do {
            return String(decoding: try Data(contentsOf: URL(filePath: "\(graph.root)/\(file)")), as: UTF8.self)
        } catch {
            throw GraphError.file(path: file, message: "it cannot be read (\(error))")
        }
    }
}
