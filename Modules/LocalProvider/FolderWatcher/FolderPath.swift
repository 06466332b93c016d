#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The way to a folder as the system goes it: from the root or the working folder down, and through symbolic links.
///
/// Whoever wants to know that a path leads elsewhere has to listen on all of it: a folder does not tell that one above it
/// has been moved, nor a link that it has been replaced.
struct FolderPath: Equatable {
    /// A folder on the way, in which the next part is looked up.
    struct Step: Equatable {
        /// The folder's path, without links.
        var folder: String
        /// What is looked up in it: a folder, or a symbolic link.
        var name: String
        /// Whether what has that name may be replaced without telling it itself: a link never does, and the last folder
        /// only when nobody has it open any more. Those in between are not empty, so that the one in them goes first.
        var isToBeWatchedFor: Bool
    }

    /// The folders on the way, from above.
    private(set) var steps: [Step] = []
    /// The folder's path, without links.
    private(set) var folder: String

    /// Goes the way as far as there is one, and from there on as if there were no links.
    init(to path: String) {
        folder = path.utf8.first == UInt8(ascii: "/") ? "/" : "."
        var rest = Self.parts(of: path)
        // As many as Linux follows.
        var links = 40
        while let name = rest.popLast() {
            let next = folder == "/" ? "/" + name : folder + "/" + name
            let target = links > 0 ? Self.target(ofLink: next) : nil
            steps.append(Step(folder: folder, name: name, isToBeWatchedFor: target != nil || rest.isEmpty))
            if let target {
                links -= 1
                rest += Self.parts(of: target)
                if target.utf8.first == UInt8(ascii: "/") { folder = "/" }
            } else {
                folder = next
            }
        }
    }

    /// The names in a path, the last one first.
    private static func parts(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }.reversed()
    }

    /// What a symbolic link points to; `nil` for all else.
    private static func target(ofLink path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            let count = readlink(path, base, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self)
        }
    }
}
