/// Something that is wrong with a package's graph.
public struct Finding: Sendable, Equatable, Encodable, CustomStringConvertible {
    /// What kind of wrong.
    public enum Kind: String, Sendable, Encodable {
        case cycle, forbidden, undeclared, unused
    }

    /// What kind of wrong.
    public var kind: Kind
    /// The target that is to be changed.
    public var target: String
    /// What it has to do with.
    public var dependency: String
    /// The file below the package's folder.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// What is wrong and what to do.
    public var message: String

    /// The finding in the form of a compiler's error, so that editors can follow it.
    public var description: String {
        "\(file):\(line): \(kind.rawValue): \(message)"
    }
}
