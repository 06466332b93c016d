public import LocalProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values that are encrypted where a `LocalProvider` keeps them.
///
/// ```swift
/// let token = LocalKey("token", of: String.self, in: .defaults)
/// let secrets = SecretStore(in: provider, key: try SecretKey.file(keyPath))
/// try secrets.set(token, to: "3f9a…")
/// let present = try secrets.read(token)
/// ```
///
/// A value is bound to its identifier, its store and the context: put in another's place it is told as
/// ``SecretError/tampered(identifier:)``. Identifiers and lengths can be seen by who can read the files, and an older
/// sealed value put back in its own place is not told from the present one.
///
/// All calls are safe from any thread and block until they are done, like the provider's own.
public struct SecretStore: Sendable {
    /// How the identifiers of sealed values begin in the store beneath, so that they never meet plain ones.
    public static let prefix = "sealed."

    /// The stores beneath.
    public let provider: LocalProvider
    /// The key that seals.
    public let key: SecretKey

    private let keys: [SecretKey]
    private let context: String

    /// Creates a store of sealed values; nothing is read or written.
    ///
    /// - Parameters:
    ///   - provider: what keeps the sealed values.
    ///   - key: seals, and opens what it has sealed.
    ///   - formerKeys: open what they have sealed, until ``reseal()`` has replaced them.
    ///   - context: what the values are bound to besides their place: where programs share a key, the program's name.
    public init(in provider: LocalProvider, key: SecretKey, formerKeys: [SecretKey] = [], context: String = "") {
        self.provider = provider
        self.key = key
        self.context = context
        keys = [key] + formerKeys
    }

    // MARK: Sealing

    /// The identifier beneath.
    func identifier(_ identifier: String) throws(SecretError) -> LocalIdentifier {
        try SecretError.wrapping { () throws(LocalError) in
            _ = try LocalIdentifier(identifier)
            return try LocalIdentifier(Self.prefix + identifier)
        }
    }

    /// Seals the JSON of a value.
    func seal<Value: Encodable>(
        _ value: Value,
        _ identifier: String,
        _ kind: LocalStoreKind
    ) throws(SecretError) -> SealedValue {
        let encoder = JSONEncoder()
        // Equal values give equal bytes.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Not the encoder's own words: they may quote the value.
        guard var plain = try? encoder.encode(value) else {
            throw .unencodable(identifier: identifier, type: "\(Value.self)")
        }
        defer { plain.withUnsafeMutableBytes { Sealing.wipe($0) } }
        return plain.withUnsafeBytes { sealed($0, identifier, kind) }
    }

    /// Seals bytes for their place.
    func sealed(_ plain: UnsafeRawBufferPointer, _ identifier: String, _ kind: LocalStoreKind) -> SealedValue {
        SealedValue(sealed: Sealing.seal(plain, key, place(identifier, kind)))
    }

    /// Opens a value with the key that it names, and lets `body` read its JSON.
    func open<Result>(
        _ value: SealedValue,
        _ identifier: String,
        _ kind: LocalStoreKind,
        _ body: (Data) throws(SecretError) -> Result
    ) throws(SecretError) -> Result {
        guard let version = value.version, let tag = value.keyTag else { throw .tampered(identifier: identifier) }
        guard version <= SealedValue.version else {
            let path = path(of: kind)
            throw .store(.newerVersion(path: path, found: Int(version), supported: Int(SealedValue.version)))
        }
        guard let key = keys.first(where: { $0.tag == tag }) else {
            let name = tag.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
            throw .wrongKey(identifier: identifier, key: name)
        }
        guard var bytes = Sealing.open(Array(value.sealed), key, place(identifier, kind)) else {
            throw .tampered(identifier: identifier)
        }
        var plain = Data(bytes)
        bytes.withUnsafeMutableBytes { Sealing.wipe($0) }
        defer { plain.withUnsafeMutableBytes { Sealing.wipe($0) } }
        return try body(plain)
    }

    /// Opens a value as a type.
    func open<Value: Decodable>(
        _ type: Value.Type,
        _ value: SealedValue,
        _ identifier: String,
        _ kind: LocalStoreKind
    ) throws(SecretError) -> Value {
        try open(value, identifier, kind) { plain throws(SecretError) in
            guard let value = try? JSONDecoder().decode(type, from: plain) else {
                throw .undecodable(identifier: identifier, type: "\(type)")
            }
            return value
        }
    }

    /// What a value is bound to: each part with its length, so that no two places have the same bytes.
    private func place(_ identifier: String, _ kind: LocalStoreKind) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in ["PawKit sealed value", kind.rawValue, context, identifier] {
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { bytes += $0 }
            bytes += part.utf8
        }
        return bytes
    }

    func path(of kind: LocalStoreKind) -> String {
        switch kind {
        case .propertyList: provider.propertyLists.path
        case .defaults: provider.defaults.path
        case .memory: "memory"
        }
    }
}
