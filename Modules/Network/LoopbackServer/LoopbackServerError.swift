import SystemCalls
import Threading

/// A socket or thread call of the loopback server that failed.
public struct LoopbackServerError: Error, CustomStringConvertible {
    /// The name of the call, such as `bind`.
    public var call: String
    /// The system's error number.
    public var code: Int32

    /// The failed call, its error number and advice.
    public var description: String {
        "loopback server: \(call) failed with errno \(code); free the port, or use port 0; a Unix socket needs a free path in an "
            + "existing folder"
    }

    /// Starts a thread that must be joined.
    static func startThread(_ body: @escaping @Sendable () -> Void) throws(LoopbackServerError) -> SystemThread {
        do throws(SystemError) {
            return try SystemThread(body)
        } catch {
            throw LoopbackServerError(call: error.call, code: error.code)
        }
    }
}
