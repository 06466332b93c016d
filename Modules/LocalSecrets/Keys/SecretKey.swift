import CSodium

/// A key of 256 bits that seals values.
///
/// It lies in memory of its own that libsodium keeps from being swapped out where the system allows it, between pages that
/// nobody may touch, read-only, and overwritten when the last user lets go. No description shows anything of it.
public final class SecretKey: @unchecked Sendable {
    /// The length of a key.
    public static let byteCount = 32

    /// Which key it is: 16 hexadecimal digits made of the key by a one-way function, so that sealed values can name it.
    public let identifier: String
    /// The length of ``tag``.
    static let tagCount = 8
    /// ``identifier`` as bytes.
    let tag: [UInt8]
    private let memory: UnsafeMutablePointer<UInt8>

    /// Creates a key in memory of its own.
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
        identifier = tag.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
    }

    deinit {
        // Overwrites it, too.
        sodium_free(memory)
    }

    /// A new key, from the system's source of random numbers.
    ///
    /// - Throws: ``SecretError/noMemory``.
    public static func random() throws(SecretError) -> SecretKey {
        try SecretKey { memory throws(SecretError) in randombytes_buf(memory, byteCount) }
    }

    /// A key that the caller holds, from a keychain or a hardware module; its bytes are overwritten here.
    ///
    /// - Parameter bytes: the key's 32 bytes, all zero afterwards. Other copies of the array are not reached.
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

    /// Lets `body` read the key's ``byteCount`` bytes.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(memory)
    }

    /// A keyed hash of a fixed text: it tells nothing of the key.
    private static func tag(of key: UnsafePointer<UInt8>) -> [UInt8] {
        let text = Array("PawKit key identifier".utf8)
        var hash = [UInt8](repeating: 0, count: 16)
        crypto_generichash(&hash, hash.count, text, UInt64(text.count), key, byteCount)
        return Array(hash.prefix(tagCount))
    }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key's ``identifier``, nothing of the key.
    public var description: String { "SecretKey(\(identifier))" }
    /// As ``description``.
    public var debugDescription: String { description }
    /// Nothing but the identifier.
    public var customMirror: Mirror { Mirror(self, children: ["identifier": identifier]) }
}
