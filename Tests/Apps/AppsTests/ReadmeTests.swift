import Foundation
import LocalProvider
import NeedleKit
import NetworkProvider
import NetworkTesting
import TerminalUI
import TestSupport
import Testing

@Suite("README.md")
struct ReadmeTests {
    private static let root = Project.root

    private let readme: String

    init() throws {
        readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    }

    /// The folders of the modules with a landing page, by path.
    private static func documentedModules() throws -> [URL] {
        try Project.moduleFolders().filter { folder in
            let name = folder.lastPathComponent
            return FileManager.default.fileExists(atPath: folder.appending(path: "\(name).docc/\(name).md").path)
        }
    }

    @Test("The module table links to the landing page of every module")
    func modules() throws {
        let modules = try Self.documentedModules()
        #expect(modules.count >= 18)
        for folder in modules {
            let (name, path) = (folder.lastPathComponent, folder.path.dropFirst(Self.root.path.count + 1))
            #expect(readme.contains("[\(name)](\(path)/\(name).docc/\(name).md)"), "\(name)")
        }
    }

    @Test("The examples of every landing page are compiled by the module's own tests")
    func examples() throws {
        for folder in try Self.documentedModules() {
            let module = folder.lastPathComponent
            let room = folder.deletingLastPathComponent().path.dropFirst(
                Self.root.appending(path: "Modules").path.count
            )
            let tests = Self.root.appending(path: "Tests\(room)/\(module)Tests")
            let sources = try FileManager.default.subpathsOfDirectory(atPath: tests.path)
                .filter { $0.hasSuffix(".swift") }
                .map { try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8) }
            #expect(
                sources.contains { $0.contains("DocumentedExamples(of: \"\(module)\"") },
                "\(tests.path) does not check the examples of \(module).docc"
            )
        }
    }

    @Test("Every link of the two manuals leads to a file of the project", arguments: ["README.md", "Apps/README.md"])
    func links(page: String) throws {
        let page = Self.root.appending(path: page)
        let matches = try String(contentsOf: page, encoding: .utf8).matches(of: /\]\((?<path>[^)#]+)\)/)
        #expect(!matches.isEmpty)
        for match in matches where !match.path.contains("://") {
            let path = page.deletingLastPathComponent().appending(path: String(match.path)).standardizedFileURL.path
            #expect(FileManager.default.fileExists(atPath: path), "\(match.path)")
        }
    }

    @Test("The first example requests a value, stores it and lays out two views, as it is printed")
    @MainActor
    func firstExample() async throws {
        let sample = StubbedResponse.json(#"{"message": "https://images.dog.ceo/1.jpg"}"#)
        let network = NetworkProvider(transport: StubTransport().on(.get, "/api/breeds/image/random", sample))
        let folder = try TemporaryDirectory("readme")
        let local = LocalProvider(location: FileStoreLocation(directory: folder.path))
        let (root, picture, caption) = (View(), View(), View())
        for view in [picture, caption] { root.addSubview(view) }

        struct RandomDog: RemoteTargetType {  // NetworkProvider
            struct Response: Decodable { let message: String }
            let base = "https://dog.ceo", path = "/api/breeds/image/random"
        }
        let dog = try await network.request(RandomDog())

        let address = LocalKey("address", in: .defaults, default: "")  // LocalProvider
        try local.set(address, to: dog.message)

        picture.ndl.makeConstraints { make in  // NeedleKit
            make.top.horizontal.equalToSuperview().inset(1)
            make.bottom.equalTo(caption.ndl.top).offset(-1)
        }
        #expect(try local.read(address) == "https://images.dog.ceo/1.jpg")

        let example = try #require(readme.firstMatch(of: /```swift\n((?s:.*?))```/)).1.split(separator: "\n")
        let source = try String(contentsOfFile: #filePath, encoding: .utf8).split(separator: "\n")
            .map { $0.drop { $0 == " " } }
        #expect(example.count == 11)
        for line in example { #expect(source.contains(line.drop { $0 == " " }), "\(line)") }
    }
}
