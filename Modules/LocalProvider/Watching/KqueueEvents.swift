#if canImport(Darwin)
    import Darwin

    /// The kqueue of Apple platforms.
    ///
    /// A folder's own events tell of names that come and go, not of what is written to a file: so each file in it is
    /// listened to as well, and which there are is looked at anew whenever the folder changes. kqueue knows no names.
    final class KqueueEvents: FolderEvents, @unchecked Sendable {
        let descriptor: Int32
        private let folder: String
        private var folderDescriptor: Int32 = -1
        private(set) var isLost = true
        /// The descriptors of the files listened to, by name, with the files' numbers. Of the watcher's thread alone.
        private var files: [String: (descriptor: Int32, inode: UInt64)] = [:]
        /// Descriptors are scarce (256 a process by default): beyond this many files, only coming and going is told.
        private static let mostFiles = 64

        /// Begins to listen; `nil` where there are no descriptors left.
        init?(_ folder: String) {
            descriptor = kqueue()
            guard descriptor >= 0 else { return nil }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            self.folder = folder
            renew()
        }

        func renew() {
            // Closing it takes it out of the queue.
            if folderDescriptor >= 0 { _ = Darwin.close(folderDescriptor) }
            folderDescriptor = open(folder, O_EVTONLY | O_CLOEXEC | O_DIRECTORY)
            isLost = folderDescriptor < 0
            if !isLost { listen(to: folderDescriptor) }
            lookAtFiles()
        }

        // kqueue listens to the folder itself, and tells of its end at once.
        func check() {}

        func take() -> Set<String>? {
            var event = kevent()
            var now = timespec(tv_sec: 0, tv_nsec: 0)
            var hasFolderChanged = false
            while kevent(descriptor, nil, 0, &event, 1, &now) > 0 {
                let isOfFolder = event.ident == UInt(folderDescriptor)
                let isGone = event.fflags & UInt32(NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE) != 0
                if isOfFolder || isGone { hasFolderChanged = true }
                if isOfFolder && isGone { isLost = true }
            }
            if hasFolderChanged { lookAtFiles() }
            return nil
        }

        func close() {
            for file in files.values { _ = Darwin.close(file.descriptor) }
            if folderDescriptor >= 0 { _ = Darwin.close(folderDescriptor) }
            _ = Darwin.close(descriptor)
        }

        private func listen(to file: Int32) {
            var change = kevent(
                ident: UInt(file),
                filter: Int16(EVFILT_VNODE),
                flags: UInt16(EV_ADD | EV_CLEAR),
                fflags: UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE | NOTE_ATTRIB),
                data: 0,
                udata: nil
            )
            _ = kevent(descriptor, &change, 1, nil, 0, nil)
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
                listen(to: opened)
            }
        }
    }
#endif
