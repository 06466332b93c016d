import CSodium
import TextEscaping

/// A key of 256 bits that seals values.
///
/// The key is in memory that libsodium allocates: locked against swapping if the system allows it, between inaccessible
/// guard pages, read-only, and overwritten when the key is deallocated. No description shows any part of it.
public final class SecretKey: @unchecked Sendable {
    /// The length of a key.
    public static let byteCount = 32

    /// 16 hexadecimal digits that identify the key, computed from it by a one-way function. Sealed values contain it.
    public let identifier: String
    /// The length of ``tag`` in bytes.
    static let tagCount = 8
    /// ``identifier`` as bytes.
    let tag: [UInt8]
    private let memory: UnsafeMutablePointer<UInt8>

    /// Creates a key in protected memory.
    ///
    /// - Parameter fill: writes the key's 32 bytes.
    /// - Throws: what `fill` throws, and ``SecretError/noMemory``.
    init(_ fill: (UnsafeMutablePointer<UInt8>) throws(SecretError) -> Void) throws(SecretError) {
        guard sodium_init() >= 0, let raw = sodium_malloc(Self.byteCount) else { throw .noMemory }
        let memory = raw.bindMemory(to: UInt8.self, capacity: Self.byteCount)
        do throws(SecretError) {
            try fill(memory)
        } catch {
            sodium_free(memory)
            throw error
        }
        sodium_mprotect_readonly(memory)
        self.memory = memory
        tag = Self.tag(of: memory)
        identifier = Hexadecimal.string(of: tag)
    }

    deinit {
        // This also overwrites it.
        sodium_free(memory)
    }

    /// Returns a new key from the random number generator of the system.
    ///
    /// - Throws: ``SecretError/noMemory``.
    public static func random() throws(SecretError) -> SecretKey {
        try SecretKey { memory throws(SecretError) in randombytes_buf(memory, byteCount) }
    }

    /// Creates a key from bytes, for example from a keychain or a hardware module, and overwrites the bytes.
    ///
    /// - Parameter bytes: the key's 32 bytes, all zero afterwards. Other copies of the array are not overwritten.
    /// - Throws: ``SecretError/keyUnsuitable(detail:)`` for another length, and ``SecretError/noMemory``.
    public convenience init(wiping bytes: inout [UInt8]) throws(SecretError) {
        defer {
            bytes.withUnsafeMutableBytes { buffer in
                if let base = buffer.baseAddress { sodium_memzero(base, buffer.count) }
            }
        }
        guard bytes.count == Self.byteCount else {
            throw .keyUnsuitable(detail: "it has \(bytes.count) bytes instead of \(Self.byteCount)")
        }
        try self.init { memory throws(SecretError) in
            for (index, byte) in bytes.enumerated() { memory[index] = byte }
        }
    }

    /// Calls `body` with the ``byteCount`` bytes of the key.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result { try body(memory) }

    /// Returns a keyed hash of a fixed text, which reveals nothing of the key.
    private static func tag(of key: UnsafePointer<UInt8>) -> [UInt8] {
        let text = Array("PawKit key identifier".utf8)
        var hash = [UInt8](repeating: 0, count: 16)
        crypto_generichash(&hash, hash.count, text, UInt64(text.count), key, byteCount)
        return Array(hash.prefix(tagCount))
    }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The ``identifier`` of the key.
    public var description: String { "SecretKey(\(identifier))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The identifier alone.
    public var customMirror: Mirror { Mirror(self, children: ["identifier": identifier]) }
}
