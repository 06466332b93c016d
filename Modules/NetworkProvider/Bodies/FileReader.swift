#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Reads a file in pieces.
final class FileReader {
    private let descriptor: Int32
    private let path: String

    init(_ path: String) throws(MultipartError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else { throw .unreadableFile(path: path, code: errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The next 64 KiB; nil at the end.
    func next() throws(MultipartError) -> Data? {
        var piece = Data(count: 65_536)
        var count: Int
        repeat {
            count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw .unreadableFile(path: path, code: errno) }
        return count == 0 ? nil : piece.prefix(count)
    }

    /// The size of the regular file at a path.
    static func size(of path: String) throws(MultipartError) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unreadableFile(path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadableFile(path: path, code: EISDIR) }
        return Int64(status.st_size)
    }
}
