/// A form cannot be sent.
public enum MultipartError: Error, Sendable, CustomStringConvertible {
    /// A file is not there or is none, with the system's error number.
    case unreadableFile(path: String, code: Int32)

    /// Which part, and why.
    public var description: String {
        switch self {
        case .unreadableFile(let path, let code):
            "the file \(path) of the form cannot be read: \(SystemText.of(code)); check that it is there and may be read"
        }
    }
}
