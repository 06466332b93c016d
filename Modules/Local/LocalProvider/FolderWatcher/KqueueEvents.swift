#if canImport(Darwin)
    import SystemCalls

    /// The kqueue of Apple platforms.
    ///
    /// A folder reports names that appear and disappear, but not writes to its files: each file is watched as well,
    /// and the files are listed again whenever the folder changes. kqueue reports no names. A folder does not report
    /// that one above it was moved: so those above are watched, too.
    final class KqueueEvents: FolderEvents, @unchecked Sendable {
        let descriptor: Int32
        private let folder: String
        private var folderDescriptor: Int32 = -1
        private var way: FolderPath
        /// The descriptors of the folders above, with their paths.
        private var above: [(descriptor: Int32, path: String)] = []
        private(set) var isLost = true
        private(set) var reportsLoss = false
        /// The descriptors of the watched files, by name, with their inodes. Used only by the watcher's thread.
        private var files: [String: (descriptor: Int32, inode: UInt64)] = [:]
        /// Descriptors are scarce (256 a process by default): beyond this number, only the names of files are
        /// watched.
        private static let mostFiles = 64

        private static let changes = UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB)
        private static let removals = UInt32(NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE)

        /// Starts to watch; returns `nil` if there are no descriptors left.
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
            reportsLoss = true
            for step in way.steps {
                let opened = open(step.folder, O_EVTONLY | O_CLOEXEC | O_DIRECTORY)
                let events = Self.removals | (step.needsWatch ? UInt32(NOTE_WRITE) : 0)
                if opened >= 0 { above.append((opened, step.folder)) }
                if opened < 0 || !listen(to: opened, events) { reportsLoss = false }
            }
            folderDescriptor = open(way.folder, O_EVTONLY | O_CLOEXEC | O_DIRECTORY)
            isLost = folderDescriptor < 0
            if !isLost {
                if !listen(to: folderDescriptor, Self.removals | Self.changes) { reportsLoss = false }
                // Checked after the watches are added: folders may have appeared and disappeared before.
                check()
            }
            lookAtFiles()
        }

        func check() {
            let areAbove = above.allSatisfy { Self.isAt($0.path, $0.descriptor) }
            isLost = !areAbove || !Self.isAt(way.folder, folderDescriptor) || FolderPath(to: folder) != way
        }

        /// Returns whether a path without links leads to an open file.
        private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
            let calls = PosixFileCalls()
            guard let there = try? calls.outline(of: path), let mine = try? calls.status(descriptor) else {
                return false
            }
            return there.isSameFile(as: mine)
        }

        func take() -> Set<String>? {
            var event = kevent()
            var now = timespec(tv_sec: 0, tv_nsec: 0)
            var (hasChanged, hasFolderChanged, hasWayChanged) = (false, false, false)
            while kevent(descriptor, nil, 0, &event, 1, &now) > 0 {
                // Events only arrive for open files.
                let file = Int32(truncatingIfNeeded: event.ident)
                let (isOfFolder, isAbove) = (file == folderDescriptor, above.contains { $0.descriptor == file })
                let isGone = event.fflags & Self.removals != 0
                if isOfFolder || isGone { hasFolderChanged = true }
                if (isOfFolder || isAbove) && isGone { isLost = true }
                // Another entry of a folder above may have changed.
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

        /// Ends the watches of the folder and of those above it.
        private func giveBack() {
            // Closing a descriptor removes it from the queue.
            for folder in above { _ = Darwin.close(folder.descriptor) }
            above = []
            if folderDescriptor >= 0 { _ = Darwin.close(folderDescriptor) }
            folderDescriptor = -1
        }

        /// Adds a watch of an open file; returns false if the system refuses.
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

        /// Watches the present files, and no others.
        private func lookAtFiles() {
            let calls = PosixFileCalls()
            let names = Set((try? calls.list(folder)) ?? [])
            for (name, file) in files {
                let present = try? calls.outline(of: folder + "/" + name)
                if present?.inode != file.inode {
                    // Closing a descriptor removes it from the queue.
                    _ = Darwin.close(file.descriptor)
                    files[name] = nil
                }
            }
            for name in names where files[name] == nil && files.count < Self.mostFiles {
                let opened = open(folder + "/" + name, O_EVTONLY | O_CLOEXEC | O_NOFOLLOW)
                guard opened >= 0 else { continue }
                guard let status = try? calls.status(opened), status.kind == .regular else {
                    _ = Darwin.close(opened)
                    continue
                }
                files[name] = (opened, status.inode)
                listen(to: opened, Self.removals | Self.changes)
            }
        }
    }
#endif
