import SystemCalls

#if os(Linux) && !canImport(Darwin)
    /// The inotify of Linux, which reports changes by name within some tens of microseconds.
    ///
    /// It watches files, not paths: so the folders above are watched as well, and after any event of theirs the path
    /// is resolved again. The parent reports the removal of the folder; the folder itself does so only when the
    /// system releases it, which an open file in it prevents.
    final class InotifyEvents: FolderEvents, @unchecked Sendable {
        let descriptor: Int32
        private let folder: String
        private let add: InotifyWatches.Adding
        private var watches = InotifyWatches()
        /// The numbers of all watches that were not removed.
        private var numbers: Set<Int32> = []
        private(set) var isLost = true

        var reportsLoss: Bool { watches.isWhole }

        /// Starts to watch; returns `nil` if there are no inotify instances left.
        convenience init?(_ folder: String) {
            self.init(folder) { descriptor, path, events in inotify_add_watch(descriptor, path, events) }
        }

        /// Starts to watch; `add` adds a watch as `inotify_add_watch` does, for tests.
        init?(_ folder: String, _ add: @escaping @Sendable (Int32, String, UInt32) -> Int32) {
            let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard descriptor >= 0 else { return nil }
            self.descriptor = descriptor
            self.folder = folder
            self.add = { path, events in add(descriptor, path, events) }
            renew()
        }

        func renew() {
            watch()
            let first = watches
            // Folders may appear and disappear while the watches are added one by one: the path is resolved again. If
            // it leads to the same folders, it has done so since they are watched, and every change is an event.
            watch()
            isLost = watches.folder == nil || watches != first
            for number in numbers.subtracting(watches.numbers) { inotify_rm_watch(descriptor, number) }
            numbers = watches.numbers
        }

        func check() {
            let before = watches
            watch()
            if watches != before { isLost = true }
        }

        private func watch() {
            watches = InotifyWatches(to: folder, add)
            numbers.formUnion(watches.numbers)
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
                        // The lost events may include the loss of the folder.
                        let isOverflow = event.mask & UInt32(IN_Q_OVERFLOW) != 0
                        // Events of removed watches may still arrive and are ignored.
                        if isOverflow || watches.isEnd(event.mask, of: event.wd, name) {
                            (isComplete, isLost) = (false, true)
                        } else if event.wd == watches.folder {
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

#if os(Linux) && !canImport(Darwin)
    /// The watches of a folder and of those above it.
    ///
    /// A folder that is watched again has the same number, and no other folder ever gets that: equal numbers mean the
    /// same folders.
    struct InotifyWatches: Equatable {
        /// Adds a watch as `inotify_add_watch` does: returns its number, or -1 with an error in `errno`.
        typealias Adding = @Sendable (_ path: String, _ events: UInt32) -> Int32

        /// The folders above with the name that is looked up in each; without a number if one may not be watched.
        private var above: [(number: Int32?, name: String)] = []
        /// The folder itself; `nil` if it cannot be watched.
        private(set) var folder: Int32?

        private static let changes = UInt32(IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE)
        private static let replacements = UInt32(IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
        private static let removals = UInt32(IN_DELETE_SELF | IN_MOVE_SELF)
        /// The events that end a watch.
        private static let ends = removals | UInt32(IN_IGNORED) | UInt32(IN_UNMOUNT)

        /// Watches nothing.
        init() {}

        /// Watches the existing folders of a path, from the root on.
        init(to path: String, _ add: Adding) {
            let way = FolderPath(to: path)
            for step in way.steps {
                let events = Self.removals | (step.needsWatch ? Self.replacements : 0)
                let number = Self.watch(step.folder, events, add)
                // Nothing exists below a missing folder, or it was created just now: the next resolution finds it.
                if number == nil, [ENOENT, ENOTDIR, ELOOP].contains(errno) { return }
                above.append((number, step.name))
            }
            folder = Self.watch(way.folder, Self.changes | Self.removals, add)
        }

        private static func watch(_ path: String, _ events: UInt32, _ add: Adding) -> Int32? {
            // A folder may be part of the path more than once: its events are combined.
            let number = add(path, events | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD))
            return number >= 0 ? number : nil
        }

        /// The numbers of all watches.
        var numbers: Set<Int32> { Set(above.compactMap(\.number) + [folder].compactMap(\.self)) }

        /// Whether every folder of the path is watched.
        var isWhole: Bool { folder != nil && above.allSatisfy { $0.number != nil } }

        /// Returns whether an event may mean that the path leads to another folder.
        func isEnd(_ events: UInt32, of number: Int32, _ name: String) -> Bool {
            if events & Self.ends != 0 { return folder == number || above.contains { $0.number == number } }
            return events & Self.replacements != 0 && above.contains { $0.number == number && $0.name == name }
        }

        static func == (one: InotifyWatches, other: InotifyWatches) -> Bool {
            one.folder == other.folder && one.above.elementsEqual(other.above, by: ==)
        }
    }
#endif
