/// The errors of the tool.
enum GraphError: Error, Equatable, CustomStringConvertible {
    /// The folder has no Package.swift.
    case notAPackage(path: String)
    /// SwiftPM could not read the manifest; `message` is its output.
    case manifest(path: String, message: String)
    /// A required program is not installed.
    case missingProgram(name: String, install: String)
    /// A program failed.
    case failed(program: String, message: String)
    /// A file cannot be read or written.
    case file(path: String, message: String)
    /// The rules file is invalid.
    case rules(path: String, message: String)
    /// The arguments are invalid.
    case usage(String)

    /// What happened, where, and what to do.
    var description: String {
        switch self {
        case .notAPackage(let path):
            "\(path) is not a Swift package: it has no Package.swift; pass the folder of a package"
        case .manifest(let path, let message):
            "the manifest \(path)/Package.swift cannot be read; repair it first. The output of SwiftPM:\n\(message)"
        case .missingProgram(let name, let install): "\(name) is not installed; \(install)"
        case .failed(let program, let message): "\(program) failed:\n\(message)"
        case .file(let path, let message): "\(path): \(message)"
        case .rules(let path, let message): "the rules file \(path) is invalid: \(message)"
        case .usage(let message): message
        }
    }

    /// The exit status: 2 for invalid arguments or rules, 3 for all others.
    var exitStatus: Int32 {
        switch self {
        case .usage, .rules: 2
        case .notAPackage, .manifest, .missingProgram, .failed, .file: 3
        }
    }
}
