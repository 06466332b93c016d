/// The error of a system call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value of `errno`.
    package let code: Int32
    /// The name of the call.
    package let call: String

    package init(code: Int32, call: String) {
        self.code = code
        self.call = call
    }

    /// The error of a call that has just failed; reads `errno`.
    package init(call: String) { self.init(code: errno, call: call) }

    /// The call and the message of the error: `open: Permission denied (errno 13)`.
    package var description: String { "\(call): \(Self.message(of: code)) (errno \(code))" }

    /// Returns the message of the system for an error number, such as `Permission denied`.
    package static func message(of code: Int32) -> String {
        // The buffer of strerror is shared by all threads, that of strerror_r is ours. Its result type differs by
        // library: an Int32 here, a pointer that need not be the buffer there.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress else { return "error \(code)" }
            buffer.initialize(repeating: 0)
            strerror_r(code, base, 256)
            return base[0] == 0 ? "error \(code)" : String(cString: base)
        }
    }
}
