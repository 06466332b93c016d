#if os(Linux) && !canImport(Darwin)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Linux's inotify, which tells within some tens of microseconds and by name.
    struct InotifyEvents: FolderEvents {
        let descriptor: Int32

        /// Begins to listen; `nil` where the folder is not there or inotify's instances are used up.
        init?(_ folder: String) {
            let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard descriptor >= 0 else { return nil }
            let events = UInt32(IN_MODIFY) | UInt32(IN_MOVED_TO) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
            guard inotify_add_watch(descriptor, folder, events) >= 0 else {
                _ = Self.close(descriptor)
                return nil
            }
            self.descriptor = descriptor
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
                        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isComplete = false }
                        let end = offset + header + Int(event.len)
                        let name = buffer[offset + header..<end].prefix { $0 != 0 }
                        names.insert(String(decoding: name, as: UTF8.self))
                        offset = end
                    }
                }
            }
            return isComplete ? names : nil
        }

        func close() {
            _ = Self.close(descriptor)
        }

        private static func close(_ descriptor: Int32) -> Int32 {
            #if canImport(Glibc)
                Glibc.close(descriptor)
            #else
                Musl.close(descriptor)
            #endif
        }
    }
#endif
