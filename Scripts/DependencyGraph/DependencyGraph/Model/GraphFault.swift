/// A fault of a package that does not prevent drawing or checking the rest of it.
struct GraphFault: Sendable, Equatable, CustomStringConvertible {
    /// The kind of a fault.
    enum Kind: String, Sendable {
        /// The package has no targets.
        case emptyPackage
        /// The folder of a target does not exist.
        case missingFolder
        /// The folder of a target has no source file.
        case noSources
        /// A file or folder cannot be read.
        case unreadable
        /// A symbolic link leads to a folder above it.
        case linkLoop
        /// The target depends on itself.
        case cycle
    }

    /// The kind.
    var kind: Kind
    /// The path of the file or folder below the package's folder.
    var path: String
    /// What is wrong, in a few words without a full stop.
    var message: String

    init(_ kind: Kind, path: String, message: String) {
        (self.kind, self.path, self.message) = (kind, path, message)
    }

    /// The path and what is wrong there.
    var description: String { "\(path): \(message)" }
}
