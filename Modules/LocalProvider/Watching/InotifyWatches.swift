#if os(Linux) && !canImport(Darwin)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// The numbers under which inotify watches a folder and those on the way to it.
    ///
    /// A folder that is watched already keeps its number when it is watched again, and no other ever gets it: so equal
    /// numbers mean the same folders.
    struct InotifyWatches: Equatable {
        /// Adds a watch as `inotify_add_watch` does: returns its number, or -1 with an error in `errno`.
        typealias Adding = @Sendable (_ path: String, _ events: UInt32) -> Int32

        /// The folders above, and what is looked up in each; without a number where one may not be watched.
        private var above: [(number: Int32?, name: String)] = []
        /// The folder itself; `nil` where it cannot be watched.
        private(set) var folder: Int32?

        private static let changes = UInt32(IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE)
        private static let replacements = UInt32(IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
        private static let goings = UInt32(IN_DELETE_SELF | IN_MOVE_SELF)
        /// What says that a watch is over, or will be.
        private static let ends = goings | UInt32(IN_IGNORED) | UInt32(IN_UNMOUNT)

        /// Watches nothing.
        init() {}

        /// Watches what is there of the way to `path`, from above.
        init(to path: String, _ add: Adding) {
            let way = FolderPath(to: path)
            for step in way.steps {
                let events = Self.goings | (step.isToBeWatchedFor ? Self.replacements : 0)
                let number = Self.watch(step.folder, events, add)
                // Below a folder that is not there nothing is, or it has only just come: the next look finds it.
                if number == nil, [ENOENT, ENOTDIR, ELOOP].contains(errno) { return }
                above.append((number, step.name))
            }
            folder = Self.watch(way.folder, Self.changes | Self.goings, add)
        }

        private static func watch(_ path: String, _ events: UInt32, _ add: Adding) -> Int32? {
            // One folder may be on the way more than once, and is then to tell all that is asked of it.
            let number = add(path, events | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD))
            return number >= 0 ? number : nil
        }

        /// The numbers of all.
        var numbers: Set<Int32> { Set(above.compactMap(\.number) + [folder].compactMap(\.self)) }

        /// Whether every folder on the way is watched, so that none can go unnoticed.
        var isWhole: Bool { folder != nil && above.allSatisfy { $0.number != nil } }

        /// Whether an event may mean that the path leads elsewhere.
        func isEnd(_ events: UInt32, of number: Int32, _ name: String) -> Bool {
            if events & Self.ends != 0 { return folder == number || above.contains { $0.number == number } }
            return events & Self.replacements != 0 && above.contains { $0.number == number && $0.name == name }
        }

        static func == (one: InotifyWatches, other: InotifyWatches) -> Bool {
            one.folder == other.folder && one.above.elementsEqual(other.above, by: ==)
        }
    }
#endif
