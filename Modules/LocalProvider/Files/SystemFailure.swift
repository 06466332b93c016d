#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A system call that failed, with its `errno`.
package struct SystemFailure: Error, Equatable {
    /// The value of `errno`.
    package let code: Int32
    /// The call's name.
    package let operation: String

    package init(code: Int32, operation: String) {
        self.code = code
        self.operation = operation
    }

    static let noSpace = ENOSPC
    static let overQuota = EDQUOT
    static let fileTooLarge = EFBIG
    static let accessDenied = EACCES
    static let notPermitted = EPERM
    static let readOnly = EROFS
    static let isLink = ELOOP
    static let absent = ENOENT
    static let exists = EEXIST
    static let interrupted = EINTR
    static let notDirectory = ENOTDIR
    static let notEmpty = ENOTEMPTY

    /// Whether the file or its folder is not there. A file where a folder should be is none of that: it is in the way.
    package var isAbsence: Bool { code == ENOENT }

    /// The system's words for an error number.
    static func text(_ code: Int32) -> String {
        // strerror's buffer is shared between threads; strerror_r's is ours. Its two shapes differ by library.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress else { return "error \(code)" }
            buffer.initialize(repeating: 0)
            strerror_r(code, base, 256)
            return base[0] == 0 ? "error \(code)" : String(cString: base)
        }
    }
}
