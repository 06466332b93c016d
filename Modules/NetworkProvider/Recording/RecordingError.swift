/// A recording cannot be read or written.
public enum RecordingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file cannot be read; the text says why.
    case unreadable(path: String, String)
    /// The file is no recording, or a damaged one; the text says where and what.
    case invalid(path: String, String)
    /// The file was written in a form that this module does not know.
    case unknownVersion(path: String, version: Int)
    /// The file cannot be written, with the system's error number.
    case unwritable(path: String, code: Int32)

    /// Which file, what is wrong, and what to do.
    public var description: String {
        switch self {
        case .unreadable(let path, let why): "the recording \(path) cannot be read: \(why)".withVisibleControls
        case .invalid(let path, let why):
            "the recording \(path) is damaged: \(why); mend it by hand or record it again".withVisibleControls
        case .unknownVersion(let path, let version):
            "the recording \(path) is of version \(version), and only version \(Recording.version) is known; record it again"
        case .unwritable(let path, let code):
            "the recording \(path) cannot be written: \(SystemText.of(code)); check that its folder is there"
        }
    }
}
