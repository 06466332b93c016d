#if canImport(Darwin)
    import Darwin

    /// The kqueue of Apple platforms.
    ///
    /// A folder's own events tell of names that come and go, not of what is written to a file: so each file in it is
    /// listened to as well, and which there are is looked at anew whenever the folder changes. kqueue knows no names.
    /// Nor does a folder tell that one above it is moved: so those on the way are listened to, too.
    final class KqueueEvents: FolderEvents, @unchecked Sendable {
        let descriptor: Int32
        private let folder: String
        private var folderDescriptor: Int32 = -1
        private var way: FolderPath
        /// The descriptors of the folders on the way, with their paths. An open one's number is not given to another.
        private var above: [(descriptor: Int32, path: String)] = []
        private(set) var isLost = true
        private(set) var tellsOfLoss = false
        /// The descriptors of the files listened to, by name, with the files' numbers. Of the watcher's thread alone.
        private var files: [String: (descriptor: Int32, inode: UInt64)] = [:]
        /// Descriptors are scarce (256 a process by default): beyond this many files, only coming and going is told.
        private static let mostFiles = 64

        private static let changes = UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB)
        private static let goings = UInt32(NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE)

        /// Begins to listen; `nil` where there are no descriptors left.
        init?(_ folder: String) {
            let queue = kqueue()
            guard queue >= 0 else { return nil }
            _ = fcntl(queue, F_SETFD, FD_CLOEXEC)
            descriptor = queue
            self.folder = folder
            way = FolderPath(to: folder)
            renew()
        }

        func renew() {
            giveBack()
            way = FolderPath(to: folder)
            tellsOfLoss = true
            for step in way.steps {
                let opened = open(step.folder, O_EVTONLY | O_CLOEXEC | O_DIRECTORY)
                let events = Self.goings | (step.isToBeWatchedFor ? UInt32(NOTE_WRITE) : 0)
                if opened >= 0 { above.append((opened, step.folder)) }
                if opened < 0 || !listen(to: opened, events) { tellsOfLoss = false }
            }
            folderDescriptor = open(way.folder, O_EVTONLY | O_CLOEXEC | O_DIRECTORY)
            isLost = folderDescriptor < 0
            if !isLost {
                if !listen(to: folderDescriptor, Self.goings | Self.changes) { tellsOfLoss = false }
                // Listen first, then look: while all were opened one by one, folders may have gone and come.
                check()
            }
            lookAtFiles()
        }

        func check() {
            let areAbove = above.allSatisfy { Self.isAt($0.path, $0.descriptor) }
            isLost = !areAbove || !Self.isAt(way.folder, folderDescriptor) || FolderPath(to: folder) != way
        }

        /// Whether a path without links leads to what is open.
        private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
            let calls = PosixFileCalls()
            guard let there = try? calls.outline(of: path), let mine = try? calls.status(descriptor).outline else {
                return false
            }
            return there.isSameFile(as: mine)
        }

        func take() -> Set<String>? {
            var event = kevent()
            var now = timespec(tv_sec: 0, tv_nsec: 0)
            var (hasChanged, hasFolderChanged, hasWayChanged) = (false, false, false)
            while kevent(descriptor, nil, 0, &event, 1, &now) > 0 {
                // The folder may be closed, and events are told of open files alone.
                let file = Int32(truncatingIfNeeded: event.ident)
                let (isOfFolder, isAbove) = (file == folderDescriptor, above.contains { $0.descriptor == file })
                let isGone = event.fflags & Self.goings != 0
                if isOfFolder || isGone { hasFolderChanged = true }
                if (isOfFolder || isAbove) && isGone { isLost = true }
                // Something in it, which need not be what the way leads through.
                if isAbove { hasWayChanged = true } else { hasChanged = true }
            }
            if hasWayChanged, !isLost { check() }
            if hasFolderChanged { lookAtFiles() }
            return hasChanged || isLost ? nil : []
        }

        func close() {
            for file in files.values { _ = Darwin.close(file.descriptor) }
            giveBack()
            _ = Darwin.close(descriptor)
        }

        /// Listens no more to the folder and those above it.
        private func giveBack() {
            // Closing it takes it out of the queue.
            for folder in above { _ = Darwin.close(folder.descriptor) }
            above = []
            if folderDescriptor >= 0 { _ = Darwin.close(folderDescriptor) }
            folderDescriptor = -1
        }

        /// Begins to be told of an open file; false where the system does not.
        @discardableResult
        private func listen(to file: Int32, _ events: UInt32) -> Bool {
            var change = kevent(
                ident: UInt(file),
                filter: Int16(EVFILT_VNODE),
                flags: UInt16(EV_ADD | EV_CLEAR),
                fflags: events,
                data: 0,
                udata: nil
            )
            return kevent(descriptor, &change, 1, nil, 0, nil) == 0
        }

        /// Listens to the files that are there now, and to no others.
        private func lookAtFiles() {
            let calls = PosixFileCalls()
            let names = Set((try? calls.list(folder)) ?? [])
            for (name, file) in files {
                let present = try? calls.outline(of: folder + "/" + name)
                if present?.inode != file.inode {
                    // Closing it takes it out of the queue.
                    _ = Darwin.close(file.descriptor)
                    files[name] = nil
                }
            }
            for name in names where files[name] == nil && files.count < Self.mostFiles {
                let opened = open(folder + "/" + name, O_EVTONLY | O_CLOEXEC | O_NOFOLLOW)
                guard opened >= 0 else { continue }
                guard let outline = try? calls.status(opened).outline, outline.isRegular else {
                    _ = Darwin.close(opened)
                    continue
                }
                files[name] = (opened, outline.inode)
                listen(to: opened, Self.goings | Self.changes)
            }
        }
    }
#endif
