import LocalProvider
import LocalProviderTestSupport
import SystemCalls

/// The system's calls, for files that cannot grow beyond a limit.
struct CappedWrites: ForwardedCalls {
    let limit: Int

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        // As the system does it: what still fits is written, and only then it fails.
        guard offset < limit else { throw SystemError(code: 28, call: "write") }
        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(limit - offset))
        return try system.write(descriptor, part, at: offset)
    }
}
