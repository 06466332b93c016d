#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The folder that the stores on disk live in.
public struct FileStoreLocation: Hashable, Sendable {
    /// What is kept there, which decides where the system wants it.
    public enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// What the user made: `XDG_DATA_HOME`, else `~/.local/share`.
        case data
        /// What can be made again: `XDG_CACHE_HOME`, else `~/.cache`.
        case cache
        /// Settings: `XDG_CONFIG_HOME`, else `~/.config`.
        case configuration
        /// History and such: `XDG_STATE_HOME`, else `~/.local/state`.
        case state
    }

    /// The folder's absolute path. It is made, for its owner alone, when something is first written.
    public let path: String

    /// A folder of your own choice.
    ///
    /// - Parameter directory: its path; a relative one counts from the working folder of now, wherever that is later.
    public init(directory: String) {
        var trimmed = directory[...]
        if !directory.hasPrefix("/") {
            let working = FileManager.default.currentDirectoryPath
            trimmed = directory.isEmpty ? working[...] : "\(working == "/" ? "" : working)/\(directory)"
        }
        while trimmed.count > 1, trimmed.last == "/" { trimmed.removeLast() }
        path = String(trimmed)
    }

    /// A folder of your own choice, by its file URL.
    public init(directory: URL) {
        self.init(directory: directory.path)
    }

    /// The folder of a namespace where the platform keeps such files.
    ///
    /// Linux follows the XDG Base Directory Specification, Apple platforms use Application Support (Caches for
    /// ``Purpose/cache``). As that specification says, a variable that holds no absolute path counts as not set.
    ///
    /// - Parameters:
    ///   - namespace: the program's name, so that two programs never meet; any text, made a safe folder name.
    ///   - purpose: what is kept.
    ///   - environment: where the variables are read from.
    /// - Throws: ``LocalError/invalidIdentifier(identifier:detail:)`` for an empty namespace, or where neither a
    ///   variable nor `HOME` tells of a place.
    public init(
        namespace: String,
        purpose: Purpose = .data,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(LocalError) {
        guard !namespace.isEmpty else {
            throw .invalidIdentifier(identifier: namespace, detail: "a namespace needs at least one character")
        }
        let name = SafeFileName.name(for: namespace)
        if let base = Self.absolute(environment[Self.variable(for: purpose)]) {
            path = base + "/" + name
            return
        }
        guard let home = Self.absolute(environment["HOME"]) else {
            throw .invalidIdentifier(
                identifier: namespace,
                detail: "neither \(Self.variable(for: purpose)) nor HOME holds an absolute path to put it under"
            )
        }
        path = home + "/" + Self.folder(for: purpose) + "/" + name
    }

    private static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/") else { return nil }
        return FileStoreLocation(directory: path).path
    }

    private static func variable(for purpose: Purpose) -> String {
        switch purpose {
        case .data: "XDG_DATA_HOME"
        case .cache: "XDG_CACHE_HOME"
        case .configuration: "XDG_CONFIG_HOME"
        case .state: "XDG_STATE_HOME"
        }
    }

    private static func folder(for purpose: Purpose) -> String {
        #if canImport(Darwin)
            purpose == .cache ? "Library/Caches" : "Library/Application Support"
        #else
            switch purpose {
            case .data: ".local/share"
            case .cache: ".cache"
            case .configuration: ".config"
            case .state: ".local/state"
            }
        #endif
    }
}
