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
