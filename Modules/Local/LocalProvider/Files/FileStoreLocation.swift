public import EssentialFoundation

/// The folder of the stores on disk.
public struct FileStoreLocation: Hashable, Sendable {
    /// The purpose of the files, which decides about their place.
    ///
    /// On Apple platforms, data, configuration and state of one namespace are in one folder, so that their stores are the
    /// same: use a separate namespace for each.
    public enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// Data of the user: `XDG_DATA_HOME`, otherwise `~/.local/share`.
        case data
        /// Files that can be created again: `XDG_CACHE_HOME`, otherwise `~/.cache`.
        case cache
        /// Settings: `XDG_CONFIG_HOME`, otherwise `~/.config`.
        case configuration
        /// History and similar state: `XDG_STATE_HOME`, otherwise `~/.local/state`.
        case state
    }

    /// The absolute path of the folder. It is created, for its owner alone, when something is first written.
    public let path: String

    /// Creates the location of a folder.
    ///
    /// - Parameter directory: its path. A relative path is resolved against the current working folder.
    public init(directory: String) {
        // As bytes: a slash and a mark after it are one character.
        let slash = UInt8(ascii: "/")
        var absolute = directory
        if directory.utf8.first != slash {
            let working = FileManager.default.currentDirectoryPath
            absolute = directory.isEmpty ? working : "\(working == "/" ? "" : working)/\(directory)"
        }
        var trimmed = absolute.utf8[...]
        while trimmed.count > 1, trimmed.last == slash { trimmed.removeLast() }
        path = String(Substring(trimmed))
    }

    /// Creates the location of a folder by its file URL.
    public init(directory: URL) { self.init(directory: directory.path) }

    /// Creates the location of a namespace, in the folder that the platform has for the purpose.
    ///
    /// On Linux it follows the XDG Base Directory Specification; on Apple platforms it uses Application Support
    /// (Caches for ``Purpose/cache``). As that specification requires, a variable without an absolute path is
    /// ignored.
    ///
    /// - Parameters:
    ///   - namespace: the name of the program, so that two programs have no files in common; any text.
    ///   - purpose: the purpose of the files.
    ///   - environment: the environment variables.
    /// - Throws: ``LocalError/invalidIdentifier(identifier:detail:)`` for an empty namespace, or if neither a
    ///   variable nor `HOME` has an absolute path.
    public init(
        namespace: String,
        purpose: Purpose = .data,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(LocalError) {
        guard !namespace.isEmpty else {
            throw .invalidIdentifier(identifier: namespace, detail: "a namespace needs at least one character")
        }
        if let base = Self.absolute(environment[Self.variable(for: purpose)]) {
            path = Self.folder(base, namespace)
            return
        }
        guard let home = Self.absolute(environment["HOME"]) else {
            throw .invalidIdentifier(
                identifier: namespace,
                detail: "neither \(Self.variable(for: purpose)) nor HOME holds an absolute path to put it under"
            )
        }
        path = Self.folder(home + "/" + Self.folder(for: purpose), namespace)
    }

    private static func folder(_ base: String, _ namespace: String) -> String {
        func exists(_ path: String) -> Bool { (try? PosixFileCalls().outline(of: path)) != nil }
        let path = base + "/" + SafeFileName.folderName(for: namespace)
        // Earlier versions escaped capital letters.
        let earlier = base + "/" + SafeFileName.name(for: namespace)
        return earlier != path && !exists(path) && exists(earlier) ? earlier : path
    }

    private static func absolute(_ path: String?) -> String? {
        guard let path, path.utf8.first == UInt8(ascii: "/") else { return nil }
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
