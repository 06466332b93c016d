import Checksums
import EssentialFoundation
import SystemCalls

/// The imports in the active branches of source files, according to the compiler.
///
/// The compiler parses the files and resolves nothing, but takes about 50 ms to start and prints the modules of all its files
/// together. It therefore reads copies of many files at once, in which the modules that the lexical scan found have the number
/// of the file behind their names.
struct CompilerImports: Sendable {
    /// A source file with the compilation conditions of its target.
    struct File: Hashable, Sendable {
        /// The path, absolute or below the folder of the package.
        var path: String
        var defines: [String]
    }

    /// The folder of the package.
    let root: String
    /// The folder of the stored results; `nil` stores nothing.
    let cache: String?

    /// Returns the modules that each file imports, by the names in the file; a file that the compiler cannot parse has none.
    func modules(in files: some Sequence<File>) -> [File: Set<String>] {
        let files = Array(Set(files))
        guard !files.isEmpty else { return [:] }
        let compiler = Self.identity, tree = SourceTree(root: root)
        let sources = Parallel.map(files) { file in Source(file, in: tree, compiler: compiler) }.compactMap { $0 }
        let stored = cache.map { StoredImports(folder: $0, root: root) }
        var found: [File: Set<String>] = [:]
        var missing: [[String]: [Source]] = [:]
        for source in sources {
            if let modules = stored?[source.key] {
                found[source.file] = modules
            } else {
                missing[source.file.defines, default: []].append(source)
            }
        }
        let batches = missing.values.flatMap { sources -> [[Source]] in
            let size = max(1, (sources.count + Subprocess.processors - 1) / Subprocess.processors)
            return stride(from: 0, to: sources.count, by: size).map {
                Array(sources[$0..<min($0 + size, sources.count)])
            }
        }
        let read = Parallel.map(batches, Self.modules(in:)).flatMap { $0 }
        for (source, modules) in read { found[source.file] = modules }
        if let stored, !read.isEmpty { stored.store(read.map { ($0.source.key, $0.modules) }) }
        return found
    }

    private struct Source: Sendable {
        var file: File
        var bytes: [UInt8]
        /// The hash of everything that the result depends on.
        var key: String

        /// Reads a file; returns `nil` if it cannot be read, or if the compiler would need minutes and gigabytes for it.
        init?(_ file: File, in tree: SourceTree, compiler: String) {
            guard let bytes = try? tree.bytes(of: file.path), SwiftLexer.interpolationDepth(of: bytes) < 200 else {
                return nil
            }
            (self.file, self.bytes) = (file, bytes)
            let settings = "\(compiler)\n\(file.defines.joined(separator: " "))\n"
            key = SHA256.hexadecimal(of: Array(settings.utf8) + SHA256.digest(of: bytes))
        }

        /// The bytes with a suffix behind the name of each imported module.
        func renamed(_ suffix: String) -> [UInt8] {
            var result: [UInt8] = []
            var place = 0
            for statement in ImportScanner.imports(in: bytes) {
                result += bytes[place..<statement.name.lowerBound]
                result += (statement.written + suffix).utf8
                place = statement.name.upperBound
            }
            return result + bytes[place...]
        }
    }

    /// Has the compiler parse files with the same conditions.
    ///
    /// If it crashes, or sees an import that the lexical scan does not, the halves are parsed, down to one file.
    private static func modules(in batch: [Source]) -> [(source: Source, modules: Set<String>)] {
        guard let first = batch.first else { return [] }
        let flags = (["DEBUG", "SWIFT_PACKAGE"] + first.file.defines).flatMap { ["-D", $0] }
        let outcome = try? Files.withTemporaryFolder { folder in
            let copies = batch.indices.map { "\(folder)/\($0).swift" }
            for (index, source) in batch.enumerated() {
                try Files.write(source.renamed("__\(index)"), to: copies[index])
            }
            try Files.write(Array(copies.joined(separator: "\n").utf8), to: folder + "/list")
            // Regular expressions in slashes are usual since language mode 6; the sources of an older mode hardly begin an
            // operator with a slash, and if they do, the lexical scan reads them.
            let command = [
                "env", "SWIFT_BACKTRACE=enable=no", "LLVM_DISABLE_SYMBOLIZATION=1", "swiftc", "-frontend",
                "-enable-bare-slash-regex", "-emit-imported-modules", "-module-name", "Imports", "-o", "-",
                "-filelist", folder + "/list",
            ]
            return try Subprocess.run(command + flags, install: "install the Swift toolchain")
        }
        var modules = Array(repeating: Set<String>(), count: batch.count)
        var isAttributed = true
        for line in outcome?.text.split(separator: "\n") ?? [] {
            // A submodule is written with a point.
            let name = line.prefix { $0 != "." }
            if let suffix = name.lastRange(of: "__"), let index = Int(name[suffix.upperBound...]),
                batch.indices ~= index
            {
                modules[index].insert(String(name[..<suffix.lowerBound]))
            } else if batch.count == 1 {
                modules[0].insert(String(name))
            } else {
                isAttributed = false
            }
        }
        guard let outcome, outcome.status < 2, isAttributed else {
            let half = batch.count / 2
            return half == 0 ? [] : Self.modules(in: Array(batch[..<half])) + Self.modules(in: Array(batch[half...]))
        }
        let broken = Self.brokenFiles(in: outcome.errorText)
        return batch.indices.filter { !broken.contains($0) }.map { (batch[$0], modules[$0]) }
    }

    /// Returns the numbers of the files with errors. Statements at the top level are valid in the file main.swift.
    private static func brokenFiles(in errors: String) -> Set<Int> {
        let error = /(?:^|\/)(\d+)\.swift:\d+:\d+: error: (.*)/
        return Set(
            errors.split(separator: "\n").compactMap { line in
                guard let match = line.firstMatch(of: error), !match.2.hasSuffix("not allowed at the top level") else {
                    return nil
                }
                return Int(match.1)
            }
        )
    }

    /// The path, size and date of the compiler, which change with its version.
    private static var identity: String {
        for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
            let path = "\(folder)/swiftc".resolvingLinks
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

/// The stored results of a package, a line for each file: its key and the modules.
private struct StoredImports {
    /// The number of results after which a file begins anew: those of old contents are never removed.
    private static let limit = 50_000

    private let folder: String
    private let path: String
    private let results: [String: Set<String>]

    init(folder: String, root: String) {
        self.folder = folder
        path = "\(folder)/\(SHA256.hexadecimal(of: Array(root.utf8)))"
        let text = (try? Files.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        var results: [String: Set<String>] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            results[words[0]] = Set(words.dropFirst())
        }
        self.results = results
    }

    subscript(key: String) -> Set<String>? { results[key] }

    /// Adds results. Without success the compiler is asked again the next time.
    func store(_ new: [(key: String, modules: Set<String>)]) {
        var all = results.count < Self.limit ? results : [:]
        for (key, modules) in new { all[key] = modules }
        let lines = all.map { ([$0.key] + $0.value.sorted()).joined(separator: " ") }.sorted()
        // The rename is atomic: a parallel run reads all of the file or none of it.
        let temporary = "\(path).\(UUID().uuidString)"
        try? Files.makeFolders(folder)
        guard (try? Files.write(Array(lines.joined(separator: "\n").utf8), to: temporary)) != nil else { return }
        if (try? POSIX.rename(temporary, to: path)) == nil { try? POSIX.remove(temporary) }
    }
}

extension Substring {
    /// Returns the last occurrence of a text.
    fileprivate func lastRange(of text: String) -> Range<Index>? {
        var found: Range<Index>?
        var rest = self[...]
        while let next = rest.firstRange(of: text) {
            found = next
            rest = rest[next.upperBound...]
        }
        return found
    }
}
