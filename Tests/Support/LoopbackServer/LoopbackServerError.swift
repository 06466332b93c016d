/// A socket call of the loopback server failed.
public struct LoopbackServerError: Error, CustomStringConvertible {
    /// The call, such as `bind`.
    public var call: String
    /// The system's error number.
    public var code: Int32

    /// The failed call, its number, and what to try.
    public var description: String {
        "loopback server: \(call) failed with errno \(code); free the port, or ask for port 0"
    }
}
