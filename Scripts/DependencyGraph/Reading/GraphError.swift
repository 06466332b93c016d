/// Why the tool could not do what it was asked.
public enum GraphError: Error, Equatable, CustomStringConvertible {
    /// The folder holds no Package.swift.
    case notAPackage(path: String)
    /// SwiftPM could not read the manifest; `message` is what it said.
    case manifest(path: String, message: String)
    /// A program that is needed is not installed.
    case missingProgram(name: String, install: String)
    /// A program failed.
    case failed(program: String, message: String)
    /// A file cannot be read or written.
    case file(path: String, message: String)
    /// The rules file is wrong.
    case rules(path: String, message: String)
    /// The command line is wrong.
    case usage(String)

    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .notAPackage(let path): "\(path) is no Swift package: it has no Package.swift; name the package's folder"
        case .manifest(let path, let message):
            "the manifest \(path)/Package.swift cannot be read; mend it first. SwiftPM says:\n\(message)"
        case .missingProgram(let name, let install): "\(name) is not installed; \(install)"
        case .failed(let program, let message): "\(program) failed:\n\(message)"
        case .file(let path, let message): "\(path): \(message)"
        case .rules(let path, let message): "the rules file \(path) is wrong: \(message)"
        case .usage(let message): message
        }
    }

    /// The exit status: 2 for wrong usage, 1 for the rest.
    public var exitStatus: Int32 {
        if case .usage = self { 2 } else { 1 }
    }
}
