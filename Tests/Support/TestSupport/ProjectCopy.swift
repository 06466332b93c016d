public import Foundation

/// The folder of the project that the tests were built in.
public enum Project {
    /// The folder of Package.swift.
    public static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    /// The folder of a module, such as `And` or `HTTPCaching`: in Modules, or in a room below it.
    ///
    /// - Throws: an error if the folders cannot be read, or if no module has the name.
    public static func folder(of module: String) throws -> URL {
        guard let folder = try moduleFolders().first(where: { $0.lastPathComponent == module }) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "Modules/…/\(module)"])
        }
        return folder
    }

    /// The folders in Modules and in its rooms, by path.
    ///
    /// - Throws: an error if a folder cannot be read.
    public static func moduleFolders() throws -> [URL] {
        let modules = root.appending(path: "Modules")
        let rooms = try FileManager.default.contentsOfDirectory(at: modules, includingPropertiesForKeys: nil)
        let inner = try rooms.flatMap {
            try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
        }
        return (rooms + inner).filter(\.hasDirectoryPath).sorted { $0.path < $1.path }
    }
}

extension TemporaryDirectory {
    /// Copies files or folders of the project to the same places in this folder.
    public func copy(_ paths: [String]) throws {
        for path in paths {
            let parent = file(path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: Project.root.appending(path: path), to: file(path))
        }
    }
}

/// A folder with a copy of the project's scripts and manifest, in which programs appear to be built: a script that builds
/// before it does its work begins with that work.
public struct ProjectCopy: Sendable {
    /// The folder of the copy.
    public let folder: TemporaryDirectory

    /// Creates a copy with some of the programs that the tests were built with, such as "Dog".
    public init(programs: [String] = []) throws {
        folder = try TemporaryDirectory("project")
        let manager = FileManager.default
        for name in ["Modules", "Apps", "Scripts/DependencyGraph"] {
            try manager.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
        }
        try folder.copy([
            "Package.swift", "Scripts/install", "Scripts/run", "Scripts/test", "Scripts/lib/common.sh",
            "Scripts/lib/programs.sh", "Scripts/lib/leaks.supp",
        ])
        let build = folder.file(".build/standalone/release")
        try manager.createDirectory(at: build, withIntermediateDirectories: true)
        for name in programs {
            try manager.createSymbolicLink(
                at: build.appending(path: name),
                withDestinationURL: ChildProcess.productsDirectory.appending(path: name)
            )
            // The time of the last build.
            try Data().write(to: build.appending(path: ".\(name).built"))
        }
    }

    /// Runs a script of the copy.
    public func run(_ script: String, _ arguments: [String], environment: [String: String?] = [:]) async throws
        -> ChildResult
    {
        // A script that was just written cannot be executed while a child of another test, which is being started, has it open.
        try await ChildProcess.run(
            URL(filePath: "/bin/bash"),
            [folder.file("Scripts/\(script)").path] + arguments,
            environment: environment
        )
    }
}
