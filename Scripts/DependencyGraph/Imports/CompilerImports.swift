import Checksums
import SystemCalls

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The imports in the active branches of source files, according to the compiler.
///
/// The compiler parses the files and resolves nothing, but takes about 50 ms to start. It is therefore asked about the files
/// of findings alone, and its results are stored under the hash of the files' contents.
struct CompilerImports: Sendable {
    /// Files of one target.
    struct Request: Sendable {
        var module: String
        var files: [String]
        var defines: [String]
    }

    /// The folder of the package.
    let root: String
    /// The folder of the stored results; `nil` stores nothing.
    let cache: String?

    /// Returns the imported modules of each request, on all processors; `nil` where the compiler cannot parse a file.
    func modules(of requests: [Request]) -> [Set<String>?] {
        let compiler = Self.identity
        return Parallel.map(requests) { modules(of: $0, compiler: compiler) }
    }

    private func modules(of request: Request, compiler: String) -> Set<String>? {
        let flags = (["DEBUG", "SWIFT_PACKAGE"] + request.defines).flatMap { ["-D", $0] }
        let paths = request.files.map { $0.hasPrefix("/") ? $0 : "\(root)/\($0)" }
        let entry = cache.flatMap { folder in
            key(of: paths, flags: flags, compiler: compiler).map { "\(folder)/\($0)" }
        }
        if let entry, let stored = try? POSIX.contents(of: entry) {
            return Set(String(decoding: stored, as: UTF8.self).split(separator: "\n").map(String.init))
        }
        // Regular expressions in slashes are usual since language mode 6; the sources of an older mode hardly begin an operator
        // with a slash, and if they do, the lexical scan reads them.
        let command = [
            "swiftc", "-frontend", "-enable-bare-slash-regex", "-emit-imported-modules",
            "-module-name", request.module, "-o", "-",
        ]
        guard let outcome = try? Subprocess.run(command + flags + paths, install: "install the Swift toolchain"),
            outcome.status == 0
        else { return nil }
        // A submodule is written with a point.
        let modules = Set(outcome.text.split(separator: "\n").map { String($0.prefix { $0 != "." }) })
        if let cache, let entry { store(modules.sorted(), at: entry, in: cache) }
        return modules
    }

    /// The hash of everything that the result depends on, or `nil` if a file cannot be read.
    private func key(of paths: [String], flags: [String], compiler: String) -> String? {
        var parts = Array((compiler + "\n" + flags.joined(separator: " ") + "\n").utf8)
        for path in paths {
            guard let bytes = try? POSIX.contents(of: path) else { return nil }
            parts += SHA256.digest(of: bytes)
        }
        return SHA256.hexadecimal(of: parts)
    }

    /// Stores a result. Without success the compiler is asked again the next time.
    private func store(_ modules: [String], at entry: String, in folder: String) {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // The rename is atomic: a parallel run reads all of the file or none of it.
        let temporary = "\(entry).\(UUID().uuidString)"
        guard (try? POSIX.write(Array(modules.joined(separator: "\n").utf8), toFile: temporary)) != nil else { return }
        if (try? POSIX.rename(temporary, to: entry)) == nil { try? POSIX.remove(temporary) }
    }

    /// The path, size and date of the compiler, which change with its version.
    private static var identity: String {
        for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
            let path = URL(filePath: "\(folder)/swiftc").resolvingSymlinksInPath().path
            guard let status = try? POSIX.status(of: path), status.kind == .regular else { continue }
            return "\(path) \(status.size) \(status.modified)"
        }
        return ""
    }

    /// The default folder of the stored results: that of the user's caches.
    static var defaultCache: String? {
        let environment = ProcessInfo.processInfo.environment
        let folder =
            environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment["HOME"].map { home in
                #if canImport(Darwin)
                    "\(home)/Library/Caches"
                #else
                    "\(home)/.cache"
                #endif
            }
        return folder.map { "\($0)/dependency-graph/imports" }
    }
}
