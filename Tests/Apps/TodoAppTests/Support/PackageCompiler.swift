import Foundation
import TestSupport
import Testing

/// Compiles sources in a temporary folder with the settings of this package, where a warning is an error.
///
/// The modules of the package are those of the build of the tests.
struct PackageCompiler {
    #if os(Linux)
        static let isAvailable = true
    #else
        static let isAvailable = false
    #endif

    /// The folder of the sources, which receives the modules.
    let modules: TemporaryDirectory

    private var settings: [String] {
        // The module maps of the C targets that the modules import.
        let built = ["CChecksums", "CFileCalls", "CLibcurl", "CPictureCodecs", "CTerminal"].map {
            ChildProcess.productsDirectory.appending(path: "\($0).build/module.modulemap")
        }
        let system = ["Local/CSodium", "Network/CExpat"].map {
            Project.root.appending(path: "Modules/\($0)/module.modulemap")
        }
        let headers = (built + system).flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
        // The identity of this package is the name of its folder; what is `package` is visible in it alone.
        let package = Project.root.lastPathComponent.lowercased()
        let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
        return headers + features.flatMap { ["-enable-upcoming-feature", $0] } + [
            "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-package-name", package,
            // Otherwise there is a process for each file.
            "-whole-module-optimization",
            "-I", modules.path, "-I", ChildProcess.productsDirectory.appending(path: "Modules").path,
        ]
    }

    /// Returns the paths of the Swift files in a folder.
    func swiftFiles(in folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: modules.file(folder).path)
        return names.filter { $0.hasSuffix(".swift") }.map { "\(modules.file(folder).path)/\($0)" }
    }

    /// Compiles a module; the next ones can import it, also by `@testable`.
    func emit(_ module: String, sources folder: String) async throws {
        let output = modules.file("\(module).swiftmodule").path
        try await compile(
            ["-enable-testing", "-module-name", module, "-emit-module", "-emit-module-path", output],
            folder
        )
    }

    /// Checks the sources in a folder.
    func check(sources folder: String) async throws { try await compile(["-typecheck"], folder) }

    private func compile(_ arguments: [String], _ folder: String) async throws {
        let files = try swiftFiles(in: folder)
        let result = try await ChildProcess.run(
            URL(filePath: "/usr/bin/env"),
            ["swiftc"] + settings + arguments + files
        )
        #expect(result.status == 0, "\(result.errors.prefix(4_000))")
    }
}
