import EssentialFoundation
import JSONValues
import SystemCalls

/// The measured compile times of the modules of a build.
///
/// A log is a folder with the statistics of the Swift compiler, which
/// `swift build -Xswiftc -stats-output-dir -Xswiftc FOLDER` writes, or a text file. Each line of a text file has a module
/// and its seconds.
struct BuildLog {
    /// The seconds of each module.
    private(set) var seconds: [String: Double] = [:]

    /// Reads a log.
    ///
    /// - Throws: ``GraphError/file(path:message:)`` if it cannot be read or has no times.
    init(path: String) throws {
        guard let kind = try? POSIX.status(of: path).kind else {
            throw GraphError.file(path: path, message: "there is no such build log")
        }
        try kind == .folder ? readStatistics(path) : readLines(path)
        guard !seconds.isEmpty else {
            throw GraphError.file(
                path: path,
                message: "it has no compile times; write some with "
                    + "swift build -Xswiftc -stats-output-dir -Xswiftc FOLDER, in a build folder without old products"
            )
        }
    }

    /// Returns the seconds of each target of a graph whose module is in the log.
    func seconds(of graph: PackageGraph) -> [String: Double] {
        var found: [String: Double] = [:]
        for target in graph.targets { found[target.name] = seconds[target.moduleName] }
        return found
    }

    /// The phases of the compiler that do not contain each other.
    private static let phases = [
        "parse-and-resolve-imports", "Type checking and Semantic analysis", "SILGen", "SIL optimization", "IRGen",
        "LLVM pipeline", "Serialization, swiftmodule", "Serialization, swiftdoc", "Serialization, swiftsourceinfo",
    ]

    private mutating func readStatistics(_ folder: String) throws {
        guard let names = try? POSIX.list(folder) else {
            throw GraphError.file(path: folder, message: "it cannot be read")
        }
        for name in names.sorted() where name.hasSuffix(".json") {
            // stats-TIME-swift-frontend-MODULE-FILE-TRIPLE-...json
            guard let start = name.firstRange(of: "-swift-frontend-")?.upperBound,
                let module = name[start...].split(separator: "-").first
            else { continue }
            let bytes = try Files.read(folder + "/" + name)
            guard case .object(let document)? = try? JSONValue(parsing: bytes) else {
                throw GraphError.file(path: folder + "/" + name, message: "it is not a JSON object")
            }
            for phase in Self.phases {
                if case .number(let time)? = document["time.swift.\(phase).wall"] {
                    seconds[String(module), default: 0] += time
                }
            }
        }
    }

    private mutating func readLines(_ file: String) throws {
        let bytes = try Files.read(file)
        for (index, line) in String(decoding: bytes, as: UTF8.self).split(separator: "\n").enumerated() {
            let words = line.split { $0 == " " || $0 == "\t" || $0 == "," }
            guard !words.isEmpty, !line.hasPrefix("#") else { continue }
            guard words.count == 2, let time = Double(words[1]), time >= 0, time.isFinite else {
                throw GraphError.file(
                    path: "\(file):\(index + 1)",
                    message: "a line of a build log has a module and its seconds, such as \"Core 1.5\""
                )
            }
            seconds[String(words[0]), default: 0] += time
        }
    }
}
