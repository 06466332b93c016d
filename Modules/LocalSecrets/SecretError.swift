public import LocalProvider

/// Why a secret could not be kept or read.
///
/// No case and no description holds a secret, a key, or a part of one.
public enum SecretError: Error, Equatable, Sendable {
    /// The store beneath failed, or knows no such value.
    case store(LocalError)
    /// The value was sealed with a key that is not among those given.
    case wrongKey(identifier: String, key: String)
    /// The value is not as it was sealed, or was sealed under another identifier, in another store or context.
    case tampered(identifier: String)
    /// The value was opened, and is not of the type asked for.
    case undecodable(identifier: String, type: String)
    /// The value has no form as JSON.
    case unencodable(identifier: String, type: String)
    /// A key file that others than its owner may read, or that belongs to another user.
    case keyExposed(path: String, detail: String)
    /// What is there is no key file.
    case keyInvalid(path: String, detail: String)
    /// A key of another length than ``SecretKey/byteCount``; an empty passphrase.
    case keyUnsuitable(detail: String)
    /// There is not enough memory for a key.
    case noMemory
}

extension SecretError: CustomStringConvertible {
    /// What failed, where, and what to do, in one line.
    public var description: String {
        switch self {
        case .store(let error): error.description
        case .wrongKey(let identifier, let key):
            "The secret \(Self.quoted(identifier)) is sealed with the key \(key), which was not given. Open the store "
                + "with that key, as the present or a former one."
        case .tampered(let identifier):
            "The secret \(Self.quoted(identifier)) is not as it was sealed: it was changed, or moved here from another "
                + "place. Do not use it; restore it from a copy, or delete it and set it anew."
        case .undecodable(let identifier, let type):
            "The secret \(Self.quoted(identifier)) is no \(type). Read it as the type that wrote it, or delete it."
        case .unencodable(let identifier, let type):
            "The secret \(Self.quoted(identifier)) cannot be sealed: a value of \(type) has no form as JSON."
        case .keyExposed(let path, let detail):
            "The key file \(path) is not safe: \(detail). Make it yours alone (chmod 600), and take a new key if others "
                + "may have read this one."
        case .keyInvalid(let path, let detail):
            "\(path) is no key file: \(detail). Restore it from a copy; without it what it sealed cannot be read."
        case .keyUnsuitable(let detail): "This cannot be a key: \(detail)."
        case .noMemory: "There is not enough memory for the key. Free some, or choose a lower strength."
        }
    }

    /// Free of control characters, and short: it may go to a terminal.
    private static func quoted(_ identifier: String) -> String {
        let plain = identifier.unicodeScalars.prefix(80).map { scalar in
            switch scalar.value {
            case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: Unicode.Scalar(0xFFFD) ?? " "
            default: scalar
            }
        }
        return "\"" + String(String.UnicodeScalarView(plain)) + "\""
    }
}

extension SecretError {
    /// Runs a body that uses the store beneath, and tells its errors as ours.
    static func wrapping<Result>(_ body: () throws(LocalError) -> Result) throws(SecretError) -> Result {
        do { return try body() } catch { throw .store(error) }
    }
}
