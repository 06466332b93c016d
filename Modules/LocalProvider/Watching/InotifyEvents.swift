#if os(Linux) && !canImport(Darwin)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Linux's inotify, which tells within some tens of microseconds and by name.
    ///
    /// It watches what is at a path when it begins, wherever that goes: so the folders above are watched as well, for
    /// being moved or removed, and after that the path is looked up anew. The one right above tells of the folder's removal,
    /// which its own watch does only when the system forgets the folder: that may be never.
    final class InotifyEvents: FolderEvents, @unchecked Sendable {
        let descriptor: Int32
        private let folder: String
        /// The numbers of the folder's watch and of those above it.
        private var watches: Set<Int32> = []
        /// The number of the watch of the folder right above.
        private var parent: Int32 = -1
        private(set) var isLost = true
        /// The folder that is watched.
        private var watched: FileOutline?

        private static let changes = UInt32(IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE)
        private static let goings = UInt32(IN_DELETE_SELF | IN_MOVE_SELF)
        /// What says that a watch is over, or will be.
        private static let ends = goings | UInt32(IN_IGNORED) | UInt32(IN_UNMOUNT)

        /// Begins to listen; `nil` where inotify's instances are used up.
        init?(_ folder: String) {
            descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard descriptor >= 0 else { return nil }
            self.folder = folder
            renew()
        }

        func renew() {
            for watch in watches { inotify_rm_watch(descriptor, watch) }
            watches = []
            // From above, so that a folder which is moved meanwhile is noticed. What may not be read cannot be watched.
            for parent in Self.parents(of: folder).dropFirst().reversed() { _ = watch(parent, Self.goings) }
            parent = watch(FileSystem.parent(of: folder), Self.goings | UInt32(IN_DELETE)) ?? -1
            isLost = watch(folder, Self.changes | Self.goings) == nil
            watched = try? PosixFileCalls().outline(of: folder)
        }

        func check() {
            guard let watched, let there = try? PosixFileCalls().outline(of: folder), there.isSameFile(as: watched)
            else {
                isLost = true
                return
            }
        }

        private static func parents(of path: String) -> [String] {
            var (parents, path): ([String], String) = ([], path)
            while path != "/", path != "." {
                path = FileSystem.parent(of: path)
                parents.append(path)
            }
            return parents
        }

        private func watch(_ path: String, _ events: UInt32) -> Int32? {
            let number = inotify_add_watch(descriptor, path, events | UInt32(IN_ONLYDIR))
            guard number >= 0 else { return nil }
            watches.insert(number)
            return number
        }

        func take() -> Set<String>? {
            var names: Set<String> = []
            var isComplete = true
            let header = MemoryLayout<inotify_event>.size
            withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: MemoryLayout<inotify_event>.alignment) {
                buffer in
                while true {
                    let count = read(descriptor, buffer.baseAddress, buffer.count)
                    guard count > 0 else { break }
                    var offset = 0
                    while offset + header <= count {
                        let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                        let end = offset + header + Int(event.len)
                        let bytes = buffer[offset + header..<end].prefix { $0 != 0 }
                        let name = String(decoding: bytes, as: UTF8.self)
                        offset = end
                        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isComplete = false }
                        // Of a watch that was given back there may be some left.
                        guard watches.contains(event.wd) else { continue }
                        let isOfParent = event.wd == parent && event.mask & UInt32(IN_DELETE) != 0
                        if event.mask & Self.ends != 0 || isOfParent && name == FileSystem.name(of: folder) {
                            (isComplete, isLost) = (false, true)
                        } else if !isOfParent {
                            names.insert(name)
                        }
                    }
                }
            }
            return isComplete ? names : nil
        }

        func close() {
            #if canImport(Glibc)
                _ = Glibc.close(descriptor)
            #else
                _ = Musl.close(descriptor)
            #endif
        }
    }
#endif
