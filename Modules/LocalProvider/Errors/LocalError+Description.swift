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
