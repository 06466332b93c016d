import LocalProvider
import LocalProviderTestSupport

/// The system's calls, for files that cannot grow beyond a limit.
struct CappedWrites: ForwardedCalls {
    let limit: Int

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int {
        // As the system does it: what still fits is written, and only then it fails.
        guard offset < limit else { throw SystemFailure(code: 28, operation: "write") }
        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(limit - offset))
        return try system.write(descriptor, part, at: offset)
    }
}
