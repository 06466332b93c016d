import Foundation
import Testing

@Suite("README.md")
struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private let readme: String

    init() throws {
        readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    }

    /// The modules with a landing page, by name.
    private static func documentedModules() throws -> [String] {
        let folder = root.appendingPathComponent("Modules")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter {
            FileManager.default.fileExists(atPath: folder.appendingPathComponent("\($0)/\($0).docc/\($0).md").path)
        }
    }

    @Test("The module table links to the landing page of every module")
    func modules() throws {
        let modules = try Self.documentedModules()
        #expect(modules.count >= 13)
        for module in modules {
            #expect(readme.contains("[\(module)](Modules/\(module)/\(module).docc/\(module).md)"), "\(module)")
        }
    }

    @Test("The examples of every landing page are compiled by the module's own tests")
    func examples() throws {
        for module in try Self.documentedModules() {
            let tests = Self.root.appendingPathComponent("Tests/\(module)Tests")
            let sources = try FileManager.default.subpathsOfDirectory(atPath: tests.path)
                .filter { $0.hasSuffix(".swift") }
                .map { try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8) }
            #expect(
                sources.contains { $0.contains("DocumentedExamples(of: \"\(module)\")") },
                "Tests/\(module)Tests does not check the examples of \(module).docc"
            )
        }
    }

    @Test("Every link leads to a file of the project")
    func links() throws {
        let matches = readme.matches(of: /\]\((?<path>[^)#]+)\)/)
        #expect(matches.count > 20)
        for match in matches where !match.path.contains("://") {
            let path = Self.root.appendingPathComponent(String(match.path)).path
            #expect(FileManager.default.fileExists(atPath: path), "\(match.path)")
        }
    }
}
