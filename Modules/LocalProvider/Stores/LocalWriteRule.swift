/// Whether a value may be, must be or must not be there already when one is written.
public enum LocalWriteRule: Hashable, Sendable {
    /// There must be none: ``LocalError/exists(identifier:path:)`` otherwise.
    case create
    /// There must be one: ``LocalError/absent(identifier:path:)`` otherwise.
    case replace
    /// Either way.
    case set

    /// Throws where the rule forbids the write.
    func check(isPresent: Bool, identifier: String, path: String) throws(LocalError) {
        switch self {
        case .create where isPresent: throw .exists(identifier: identifier, path: path)
        case .replace where !isPresent: throw .absent(identifier: identifier, path: path)
        default: return
        }
    }
}
