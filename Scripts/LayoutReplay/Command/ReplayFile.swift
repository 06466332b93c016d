#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Reads the bytes of a file, or of standard input.
enum ReplayFile {
    struct Failure: Error {
        var message: String
    }

    /// All bytes of a file.
    ///
    /// - Parameter path: the file; `-` for standard input.
    /// - Returns: the bytes.
    /// - Throws: ``Failure`` with the system's reason in plain words.
    static func bytes(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(message: reason()) }
        defer { if descriptor > 0 { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(message: reason()) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    private static func reason() -> String {
        switch errno {
        case ENOENT: "there is no such file"
        case EISDIR: "it is a folder; name its files"
        case EACCES: "reading it is not permitted"
        default: String(cString: strerror(errno))
        }
    }
}
