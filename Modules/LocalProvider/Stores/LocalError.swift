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

extension LocalError: CustomStringConvertible {
    /// What failed, where, and what to do, in one line.
    public var description: String {
        switch self {
        case .absent(let identifier, let path):
            "Nothing is kept under \(Self.quoted(identifier)) in \(path). Create it first, or give it a default value."
        case .exists(let identifier, let path):
            "\(Self.quoted(identifier)) is kept in \(path) already. Use update or set to replace it."
        case .corrupt(let path, let detail):
            "\(path) is damaged (\(detail)) and has no whole backup. Restore it from a copy, or delete it to start anew."
        case .undecodable(let identifier, let path, let detail):
            "\(Self.quoted(identifier)) in \(path) is not of the expected type (\(detail)). "
                + "Read it as the type that wrote it, or delete it."
        case .unencodable(let identifier, let path, let detail):
            "The value for \(Self.quoted(identifier)) cannot be written to \(path) (\(detail)). "
                + "Give it a form that the store's format can hold."
        case .locked(let path):
            "\(path) is in use by another process, or by the very update that asks. Try again when that has finished."
        case .full(let path, let code):
            "There is no room to write \(path) (\(SystemFailure.text(code))). Free some space, then try again."
        case .notPermitted(let path, let code):
            "\(path) may not be used (\(SystemFailure.text(code))). Check its owner, its permissions, and that it is "
                + "a file, neither read-only nor a symbolic link, nor under a file."
        case .newerVersion(let path, let found, let supported):
            "\(path) has version \(found), and this program knows up to \(supported). Use the newer program; "
                + "nothing was changed."
        case .migrationFailed(let path, let version, let step, let detail):
            "\(path) stays at version \(version): the migration \(Self.quoted(step)) failed (\(detail)). Nothing was "
                + "changed; correct the step, or what it reads, and open it again."
        case .invalidIdentifier(let identifier, let detail):
            "\(Self.quoted(identifier)) cannot be an identifier here: \(detail)."
        case .io(let path, let operation, let code):
            "\(operation) failed on \(path) (\(SystemFailure.text(code))). Check that the disk is there and healthy."
        }
    }

    /// The identifier in quotes, short, and without control characters: it may come from outside and go to a terminal.
    private static func quoted(_ identifier: String) -> String {
        var text = "\""
        for scalar in identifier.unicodeScalars.prefix(80) {
            switch scalar.value {
            case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        if identifier.unicodeScalars.count > 80 { text += "…" }
        return text + "\""
    }
}

/// What an encoder or decoder has to complain about, in one line that names the place in the value.
enum CodingProblem {
    static func text(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            return "there is no \"\(key.stringValue)\"" + place(context.codingPath)
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            return "it is no \(type)" + place(context.codingPath)
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
