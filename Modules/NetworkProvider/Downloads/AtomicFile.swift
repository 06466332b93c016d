#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that is written beside its place and moved there when it is whole.
package final class AtomicFile {
    /// A system call on the file failed.
    package struct Failure: Error {
        package let path: String
        package let code: Int32
    }

    private let path: String
    private let partial: String
    private let descriptor: Int32
    private var isDone = false

    /// Creates the partial file, readable by its owner only.
    /// - Parameters:
    ///   - path: where the file goes.
    ///   - partial: where it is written; for one writer at a time, who writes over what a killed one has left there. Nil
    ///     for a name that nobody else has.
    /// - Throws: the failure of the system.
    package init(_ path: String, by partial: String? = nil) throws(Failure) {
        self.path = path
        self.partial = partial ?? path + "." + String(UInt64.random(in: .min ... .max), radix: 36) + ".part"
        let mode = partial == nil ? O_EXCL : O_TRUNC | O_NOFOLLOW
        descriptor = open(self.partial, O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0o600)
        guard descriptor >= 0 else {
            isDone = true
            throw Failure(path: path, code: errno)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isDone { unlink(partial) }
    }

    /// Adds bytes.
    package func write(_ data: Data) throws(Failure) {
        let code = WholeWrite.all(of: data) { bytes in
            #if canImport(Darwin)
                return Darwin.write(descriptor, bytes.baseAddress, bytes.count)
            #elseif canImport(Glibc)
                return Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            #else
                return Musl.write(descriptor, bytes.baseAddress, bytes.count)
            #endif
        }
        if let code { throw Failure(path: path, code: code) }
    }

    /// Brings the bytes to the disk and the file to its place, over whatever is there.
    package func commit() throws(Failure) {
        guard fsync(descriptor) == 0, rename(partial, path) == 0 else { throw Failure(path: path, code: errno) }
        isDone = true
    }
}

/// Writing until all is written: a call may take less than it was given, or nothing because of a signal.
enum WholeWrite {
    /// Hands all bytes on, however many a call takes.
    /// - Parameters:
    ///   - data: the bytes.
    ///   - write: a call that gives how many bytes it has taken, or less than 0 and `errno`.
    /// - Returns: the system's error number where a call failed.
    static func all(of data: Data, _ write: (UnsafeRawBufferPointer) -> Int) -> Int32? {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(UnsafeRawBufferPointer(rebasing: rest))
                guard count >= 0 || errno == EINTR else { return errno }
                rest = rest.dropFirst(max(count, 0))
            }
            return nil
        }
    }
}
