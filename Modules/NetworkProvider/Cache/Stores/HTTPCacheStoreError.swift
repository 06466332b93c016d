/// Why a store could not keep or give a value. A cache counts these and goes on without it.
public enum HTTPCacheStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The value is longer than the store takes, in bytes.
    case tooLarge(limit: Int)
    /// A call on a file or folder failed, with the system's error number.
    case file(path: String, code: Int32)
    /// The bytes are not those that were written; what gave them is gone.
    case damaged

    /// What failed, and what to do.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "the value is longer than \(limit) bytes; raise the store's limit"
        case .file(let path, let code):
            "\(path) cannot be used: \(SystemText.of(code)); look at its permissions and the room on the disk"
        case .damaged: "the stored bytes are damaged; they are fetched anew next time"
        }
    }
}
