public import LocalProvider
import TextEscaping

/// An error of a secret or of a key.
///
/// No case and no description contains a secret, a key, or a part of one. Sealed stores throw these errors as
/// `LocalError.storeFailure`; use `LocalError.secretError` to get them.
public enum SecretError: Error, Equatable, Sendable {
    /// The value was sealed with a key that the store does not have.
    case wrongKey(identifier: String, key: String)
    /// The sealed value has changed, or was sealed under another identifier, in another store or in another context.
    case tampered(identifier: String)
    /// Other users may read the key file, or it belongs to another user.
    case keyExposed(path: String, detail: String)
    /// The file is not a valid key file.
    case keyInvalid(path: String, detail: String)
    /// The key does not have ``SecretKey/byteCount`` bytes, or the passphrase or its parameters are invalid.
    case keyUnsuitable(detail: String)
    /// A key file cannot be read or written.
    case keyFile(LocalError)
    /// There is not enough memory for a key.
    case noMemory
}

extension SecretError: CustomStringConvertible {
    /// What failed, where, and what to do, in one line.
    public var description: String {
        switch self {
        case .wrongKey(let identifier, let key):
            "The secret \(identifier.quoted()) is sealed with the key \(key), which the store does not have. Open the store "
                + "with that key, as its key or as a former one."
        case .tampered(let identifier):
            "The secret \(identifier.quoted()) was changed, or moved here from another place. Do not use it. Restore it from "
                + "a copy, or delete it and set it again."
        case .keyExposed(let path, let detail):
            "The key file \(path.escapingControls()) is not safe: \(detail). Make it accessible to its owner alone "
                + "(chmod 600), and create a new key if others may have read this one."
        case .keyInvalid(let path, let detail):
            "\(path.escapingControls()) is not a valid key file: \(detail). Restore it from a copy; without it, the secrets "
                + "that it sealed cannot be read."
        case .keyUnsuitable(let detail): "This is not a valid key: \(detail)."
        case .keyFile(let error): error.description
        case .noMemory: "There is not enough memory for the key. Free some, or choose a lower strength."
        }
    }
}

extension SecretError {
    /// Runs a body that accesses a key file, and wraps its errors.
    static func wrapping<Result>(_ body: () throws(LocalError) -> Result) throws(SecretError) -> Result {
        do { return try body() } catch { throw .keyFile(error) }
    }
}

extension LocalError {
    /// Returns the error that a sealed store throws for an error of a secret.
    public static func secret(_ error: SecretError) -> LocalError { .storeFailure(LocalStoreFailure(error)) }

    /// The error of a secret, or `nil` for every other error.
    public var secretError: SecretError? {
        guard case .storeFailure(let failure) = self else { return nil }
        return failure.error as? SecretError
    }
}
