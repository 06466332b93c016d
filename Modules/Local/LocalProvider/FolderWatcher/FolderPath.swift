import SystemCalls

/// The folders through which the system resolves a path: from the root or the working folder down, and through
/// symbolic links.
///
/// To notice that a path leads elsewhere, all of them must be watched: a folder does not report that one above it was
/// moved, nor a link that it was replaced.
struct FolderPath: Equatable {
    /// A folder in which the next component is looked up.
    struct Step: Equatable {
        /// The path of the folder, without links.
        var folder: String
        /// The name of the component: a folder or a symbolic link.
        var name: String
        /// Whether the component may be replaced without a separate event: a link always, and the last folder
        /// while it is open. Those in between are not empty, so that their content is removed first.
        var needsWatch: Bool
    }

    /// The folders, from the root on.
    private(set) var steps: [Step] = []
    /// The path of the folder, without links.
    private(set) var folder: String

    /// Resolves the existing part of a path, and the rest as if it had no links.
    init(to path: String) {
        folder = path.utf8.first == UInt8(ascii: "/") ? "/" : "."
        var rest = Self.parts(of: path)
        // The limit of Linux.
        var links = 40
        while let name = rest.popLast() {
            let next = folder == "/" ? "/" + name : folder + "/" + name
            let target = links > 0 ? Self.target(ofLink: next) : nil
            steps.append(Step(folder: folder, name: name, needsWatch: target != nil || rest.isEmpty))
            if let target {
                links -= 1
                rest += Self.parts(of: target)
                if target.utf8.first == UInt8(ascii: "/") { folder = "/" }
            } else {
                folder = next
            }
        }
    }

    /// Returns the components of a path, the last one first.
    private static func parts(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }.reversed()
    }

    /// Returns the target of a symbolic link, or `nil` for other files.
    private static func target(ofLink path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            let count = readlink(path, base, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self)
        }
    }
}
