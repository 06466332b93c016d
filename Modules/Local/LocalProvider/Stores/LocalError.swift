package import SystemCalls
import TextEscaping

/// An error of a store.
///
/// Each case names the place; ``description`` says in one line what failed, where, and what to do.
public enum LocalError: Error, Equatable, Sendable {
    /// No value is stored under the identifier.
    case absent(identifier: String, path: String)
    /// `create` found a stored value.
    case exists(identifier: String, path: String)
    /// The file is damaged and has no intact backup.
    case corrupt(path: String, detail: String)
    /// The stored bytes are intact, but not a value of the requested type.
    case undecodable(identifier: String, path: String, detail: String)
    /// The value cannot be written in the format of the store.
    case unencodable(identifier: String, path: String, detail: String)
    /// Another process held the lock of the store for too long, or the calling thread is inside an update of the store.
    case locked(path: String)
    /// The disk, the quota or the maximum file size is exhausted (`ENOSPC`, `EDQUOT`, `EFBIG`).
    case full(path: String, errno: Int32)
    /// The system refuses the access: permissions, a read-only file system, a symbolic link in place of a file, or a file in
    /// place of a folder.
    case notPermitted(path: String, errno: Int32)
    /// A newer version of the program wrote the file; it is unchanged.
    case newerVersion(path: String, found: Int, supported: Int)
    /// A step of a migration threw an error; the values are unchanged and have the version named here.
    case migrationFailed(path: String, version: Int, step: String, detail: String)
    /// The identifier is empty or longer than ``LocalIdentifier/lengthLimit`` bytes.
    case invalidIdentifier(identifier: String, detail: String)
    /// The text to import is not valid: the line and the column, both counted from 1, and the problem.
    case invalidImport(line: Int, column: Int, detail: String)
    /// The provider has no store of this kind; see ``LocalProvider/adding(_:)``.
    case noStore(LocalStoreKind)
    /// An error that only one type of store has.
    case storeFailure(LocalStoreFailure)
    /// Another failure of a system call.
    case io(path: String, operation: String, errno: Int32)
}

/// An error of a custom store, wrapped so that it can be thrown as a ``LocalError``.
public struct LocalStoreFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The error of the store.
    public let error: any Error
    private let isEqual: @Sendable (any Error) -> Bool

    /// Wraps an error. Its description should say what failed, where, and what to do.
    public init<Failure: Error & Equatable>(_ error: Failure) {
        self.error = error
        isEqual = { $0 as? Failure == error }
    }

    /// Returns whether both wrap equal errors.
    public static func == (left: LocalStoreFailure, right: LocalStoreFailure) -> Bool {
        left.isEqual(right.error)
    }

    /// The description of the error.
    public var description: String { "\(error)" }
}

extension LocalError {
    /// The file or folder concerned; empty if the error concerns none.
    public var path: String {
        switch self {
        case .absent(_, let path), .exists(_, let path), .corrupt(let path, _), .undecodable(_, let path, _),
            .unencodable(_, let path, _), .locked(let path), .full(let path, _), .notPermitted(let path, _),
            .newerVersion(let path, _, _), .migrationFailed(let path, _, _, _), .io(let path, _, _):
            path
        case .invalidIdentifier, .invalidImport, .noStore, .storeFailure: ""
        }
    }

    /// Creates the error for a failed system call.
    package init(_ failure: SystemError, path: String) {
        switch failure.code {
        case SystemError.noSpace, SystemError.overQuota, SystemError.fileTooLarge:
            self = .full(path: path, errno: failure.code)
        case SystemError.accessDenied, SystemError.notPermitted, SystemError.readOnly, SystemError.isLink,
            SystemError.notDirectory:
            self = .notPermitted(path: path, errno: failure.code)
        default:
            self = .io(path: path, operation: failure.call, errno: failure.code)
        }
    }
}

extension LocalError: CustomStringConvertible {
    /// What failed, where, and what to do, in one line.
    public var description: String {
        let path = path.escapingControls()
        return switch self {
        case .absent(let identifier, _):
            "No value is stored under \(identifier.quoted()) in \(path). Create it first, or declare a default value."
        case .exists(let identifier, _):
            "A value is already stored under \(identifier.quoted()) in \(path). Use update or set to replace it."
        case .corrupt(_, let detail):
            "\(path) is damaged (\(detail.escapingControls())) and has no intact backup. Restore it from a copy, or "
                + "delete it."
        case .undecodable(let identifier, _, let detail):
            "\(identifier.quoted()) in \(path) does not have the expected type (\(detail.escapingControls())). Read it "
                + "as the type that wrote it, or delete it."
        case .unencodable(let identifier, _, let detail):
            "The value for \(identifier.quoted()) cannot be written to \(path) (\(detail.escapingControls())). Change it "
                + "to one that the format of the store can represent."
        case .locked:
            "\(path) is in use by another process, or by the update that makes this call. Try again when that has "
                + "finished."
        case .full(_, let code):
            "No space is left to write \(path) (\(SystemError.message(of: code))). Free some space, or remove values; then "
                + "try again."
        case .notPermitted(_, let code):
            "\(path) cannot be accessed (\(SystemError.message(of: code))). Check its owner and permissions, that it is on a "
                + "writable file system, and that it is a file in a folder and not a symbolic link."
        case .newerVersion(_, let found, let supported):
            "\(path) has version \(found), and this program supports versions up to \(supported). Use the newer program; "
                + "nothing was changed."
        case .migrationFailed(_, let version, let step, let detail):
            "\(path) is still at version \(version): the migration \(step.quoted()) failed "
                + "(\(detail.escapingControls())). Nothing was changed. Correct the step, or the values that it reads, and "
                + "open the store again."
        case .invalidIdentifier(let identifier, let detail):
            "\(identifier.quoted()) is not a valid identifier: \(detail)."
        case .invalidImport(let line, let column, let detail):
            "The JSON to import is invalid at line \(line), column \(column): \(detail.escapingControls()). Correct it "
                + "and import it again; nothing was changed."
        case .noStore(let kind):
            "The provider has no store of the kind \(kind.rawValue.quoted()). Add one with adding(_:)."
        case .storeFailure(let failure): failure.description
        case .io(_, let operation, let code):
            "\(operation) failed on \(path) (\(SystemError.message(of: code))). Check the disk."
        }
    }
}

/// Descriptions of coding errors.
enum CodingProblem {
    /// Returns the problem of an encoder or decoder in one line, with its place in the value.
    static func text(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            return "\"\(key.stringValue)\" is missing" + place(context.codingPath)
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            return "it is not of type \(type)" + place(context.codingPath)
        case DecodingError.dataCorrupted(let context):
            return context.debugDescription + place(context.codingPath)
        case EncodingError.invalidValue(_, let context):
            return context.debugDescription + place(context.codingPath)
        default:
            return "\(error)"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "" }
        return " at " + path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }
}
