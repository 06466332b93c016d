#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a command writes what it has to say, and reads what it is given.
struct Console: Sendable {
    /// Writes results, to standard output.
    let write: @Sendable (String) -> Void
    /// Writes notices and errors, to standard error.
    let complain: @Sendable (String) -> Void
    /// Reads standard input, at most as many bytes as asked for.
    let read: @Sendable (_ limit: Int) -> [UInt8]

    /// The process's own streams.
    static let standard = Console(
        write: { put(Array($0.utf8), to: STDOUT_FILENO) },
        complain: { put(Array($0.utf8), to: STDERR_FILENO) },
        read: { take($0) }
    )

    /// Writes a line to standard output.
    func line(_ text: String) {
        write(text + "\n")
    }

    /// Writes a line to standard error.
    func note(_ text: String) {
        complain(text + "\n")
    }

    private static func put(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { unistdWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                // A reader that went away ends the program by SIGPIPE; a full disk behind `>` is told by exit code 3.
                return
            }
        }
    }

    private static func unistdWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes, count)
        #elseif canImport(Musl)
            Musl.write(descriptor, bytes, count)
        #else
            Darwin.write(descriptor, bytes, count)
        #endif
    }

    private static func take(_ limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < limit {
            let wanted = min(buffer.count, limit - bytes.count)
            let count = buffer.withUnsafeMutableBytes { unistdRead($0.baseAddress, wanted) }
            if count > 0 {
                bytes += buffer[..<count]
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        return bytes
    }

    private static func unistdRead(_ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.read(STDIN_FILENO, buffer, count)
        #elseif canImport(Musl)
            Musl.read(STDIN_FILENO, buffer, count)
        #else
            Darwin.read(STDIN_FILENO, buffer, count)
        #endif
    }
}
