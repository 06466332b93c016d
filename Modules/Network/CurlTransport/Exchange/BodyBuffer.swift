import EssentialFoundation
import SystemCalls

/// Received bytes that wait for their reader, returned without a copy.
///
/// The owner must call ``drop()`` at the end, unless ``take()`` was the last call.
struct BodyBuffer {
    private var bytes: UnsafeMutableRawPointer?
    private(set) var count = 0
    private var capacity = 0

    /// Adds bytes at the end.
    /// - Parameters:
    ///   - source: the bytes.
    ///   - expected: the total number of bytes that will be buffered, if known; reserved at once.
    /// - Returns: false if there is not enough memory.
    mutating func append(_ source: UnsafeRawBufferPointer, expected: Int) -> Bool {
        guard reserve(source.count, expected: expected), let bytes, let base = source.baseAddress else {
            return source.isEmpty
        }
        memcpy(bytes + count, base, source.count)
        count += source.count
        return true
    }

    private mutating func reserve(_ more: Int, expected: Int) -> Bool {
        guard count + more > capacity else { return true }
        let wanted = max(count + more, expected, capacity * 2)
        guard let grown = realloc(bytes, wanted) else { return false }
        bytes = grown
        capacity = wanted
        return true
    }

    /// Returns the bytes and empties the buffer.
    mutating func take() -> Data {
        guard let bytes, count > 0 else { return Data() }
        defer { self = BodyBuffer() }
        // A short piece in a long block is trimmed, so that a reader that stores pieces does not retain unused memory.
        let block = capacity > count + 4_096 ? realloc(bytes, count) ?? bytes : bytes
        return Data(bytesNoCopy: block, count: count, deallocator: .free)
    }

    /// Discards the bytes.
    mutating func drop() {
        free(bytes)
        self = BodyBuffer()
    }
}
