/// Why a value could not be read or kept.
///
/// Each case names the place; ``description`` tells in one line what failed, where, and what to do next.
public enum LocalError: Error, Equatable, Sendable {
    /// There is no value under the identifier.
    case absent(identifier: String, path: String)
    /// `create` found a value there already.
    case exists(identifier: String, path: String)
    /// The file is damaged and no whole backup of it is there.
    case corrupt(path: String, detail: String)
    /// The bytes are whole, yet not a value of the type asked for.
    case undecodable(identifier: String, path: String, detail: String)
    /// The value cannot be written in the store's format.
    case unencodable(identifier: String, path: String, detail: String)
    /// Another process held the store's lock for too long, or the calling thread is within an update of the store.
    case locked(path: String)
    /// No room: the disk, the quota or the largest file size (`ENOSPC`, `EDQUOT`, `EFBIG`).
    case full(path: String, errno: Int32)
    /// The system does not allow it: permissions, a read-only place, a symbolic link where a file should be, or a file where
    /// a folder should be.
    case notPermitted(path: String, errno: Int32)
    /// A newer version of the program wrote the file; it is left as it is.
    case newerVersion(path: String, found: Int, supported: Int)
    /// A step of a migration threw; the values are as they were, of the version named.
    case migrationFailed(path: String, version: Int, step: String, detail: String)
    /// The identifier is empty or longer than ``LocalIdentifier/lengthLimit`` bytes, or names another kind of store.
    case invalidIdentifier(identifier: String, detail: String)
    /// Another failure of the system, with the call that failed.
    case io(path: String, operation: String, errno: Int32)
}

extension LocalError {
    /// The file or folder concerned; empty where none is.
    public var path: String {
        switch self {
        case .absent(_, let path), .exists(_, let path), .corrupt(let path, _), .undecodable(_, let path, _),
            .unencodable(_, let path, _), .locked(let path), .full(let path, _), .notPermitted(let path, _),
            .newerVersion(let path, _, _), .migrationFailed(let path, _, _, _), .io(let path, _, _):
            path
        case .invalidIdentifier: ""
        }
    }

    /// Creates the error that a failed system call means.
    package init(_ failure: SystemFailure, path: String) {
        switch failure.code {
        case SystemFailure.noSpace, SystemFailure.overQuota, SystemFailure.fileTooLarge:
            self = .full(path: path, errno: failure.code)
        case SystemFailure.accessDenied, SystemFailure.notPermitted, SystemFailure.readOnly, SystemFailure.isLink,
            SystemFailure.notDirectory:
            self = .notPermitted(path: path, errno: failure.code)
        default:
            self = .io(path: path, operation: failure.operation, errno: failure.code)
        }
    }
}
