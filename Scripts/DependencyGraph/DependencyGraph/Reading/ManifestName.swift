import SystemCalls

/// The name of the manifest that SwiftPM reads: Package.swift, or one for a version of the toolchain.
enum ManifestName {
    static let usual = "Package.swift"

    /// Returns the name for a folder and the toolchain in PATH.
    static func chosen(in folder: String) -> String {
        let names = ((try? POSIX.list(folder)) ?? []).filter { $0 != usual && ManifestChanges.isManifest($0) }
        return names.isEmpty
            ? usual : choose(of: names, toolchain: toolchain) { tools(in: (try? Files.read("\(folder)/\($0)")) ?? []) }
    }

    /// Returns the name of the manifest for exactly this toolchain, or else of the newest that is not for a newer one if its
    /// tools version is higher than that of Package.swift.
    static func choose(of names: [String], toolchain: [Int], tools: (String) -> [Int]) -> String {
        for count in [3, 2, 1] {
            let name = "Package@swift-\(toolchain.prefix(count).map(String.init).joined(separator: ".")).swift"
            if names.contains(name) { return name }
        }
        let versions = names.map { (name: $0, version: version($0.dropFirst("Package@swift-".count))) }
        let older = versions.filter { $0.version[0] > 0 && !toolchain.lexicographicallyPrecedes($0.version) }
        let newest = older.max { $0.version.lexicographicallyPrecedes($1.version) }
        guard let newest, tools(usual).lexicographicallyPrecedes(tools(newest.name)) else { return usual }
        return newest.name
    }

    /// The version of the toolchain; all zeros if it is unknown.
    private static let toolchain: [Int] = {
        // Swift Package Manager - Swift 6.3.1
        let outcome = try? Subprocess.run(["swift", "package", "--version"], install: "install the Swift toolchain")
        return version((outcome?.text ?? "").drop { !$0.isNumber })
    }()

    /// Returns the version in the comment `swift-tools-version`.
    private static func tools(in bytes: [UInt8]) -> [Int] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let range = text.firstRange(of: "swift-tools-version") else { return [3, 1, 0] }
        return version(text[range.upperBound...].drop { !$0.isNumber })
    }

    /// Returns the three numbers at the beginning of a text.
    private static func version(_ text: Substring) -> [Int] {
        let numbers = text.prefix { $0.isNumber || $0 == "." }.split(separator: ".").map { Int($0) ?? 0 }
        return Array((numbers + [0, 0, 0]).prefix(3))
    }
}
