#if os(Linux) && !canImport(Darwin)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Linux's inotify, which tells within some tens of microseconds and by name.
    ///
    /// It watches what is at a path when it begins, wherever that goes: so the folders on the way are watched as well, and
    /// after any event of theirs the path is looked up anew. The one right above tells of the folder's removal, which its
    /// own watch does only when the system forgets the folder: while somebody has a file of it open, that is never.
    final class InotifyEvents: FolderEvents, @unchecked Sendable {
        let descriptor: Int32
        private let folder: String
        private let add: InotifyWatches.Adding
        private var watches = InotifyWatches()
        /// The numbers of all watches that have not been given back.
        private var numbers: Set<Int32> = []
        private(set) var isLost = true

        var tellsOfLoss: Bool { watches.isWhole }

        /// Begins to listen; `nil` where inotify's instances are used up.
        convenience init?(_ folder: String) {
            self.init(folder) { descriptor, path, events in inotify_add_watch(descriptor, path, events) }
        }

        /// Begins to listen; `add` adds a watch to the instance given as `inotify_add_watch` does, for tests.
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
            // While the watches are set one by one, folders may go and come: so all is looked up again. Where that finds what
            // is watched already, the path has led there since it was watched, and leads elsewhere only with an event.
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
                        // Among those that were lost may be the one that says that the folder is.
                        let isOverflow = event.mask & UInt32(IN_Q_OVERFLOW) != 0
                        // Of a watch that was given back there may be some left: they are neither.
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
