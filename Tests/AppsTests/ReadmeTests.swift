import CurlTransport
import Foundation
import LocalProvider
import LoopbackServer
import NeedleKit
import NetworkProvider
import Pictures
import RIBs
import TerminalUI
import TestSupport
import Testing

@Suite("README.md")
struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("Its examples are those that are compiled here, one for each module")
    func examplesAreCompiled() throws {
        let readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
        let source = try String(
            contentsOf: Self.root.appendingPathComponent("Tests/AppsTests/ReadmeExamples.swift"),
            encoding: .utf8
        )
        var count = 0
        for part in source.components(separatedBy: "// README: ").dropFirst() {
            let lines = part.components(separatedBy: "\n")
            let body = lines.dropFirst().prefix { !$0.hasSuffix("// end") }
            let indent = body.first?.prefix { $0 == " " }.count ?? 0
            let example = body.map { String($0.dropFirst(min(indent, $0.prefix { $0 == " " }.count))) }
                .joined(separator: "\n")
            #expect(readme.contains("```swift\n\(example)\n```"), "README.md lacks the example of \(lines[0])")
            count += 1
        }
        #expect(count == readme.components(separatedBy: "```swift\n").count - 1)
        let modules = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appendingPathComponent("Modules").path
        )
        for module in modules
        // Named as C targets are, by a C and another capital, it is nobody's to import.
        where !["Checksums", "Locking"].contains(module) && module.prefixMatch(of: /C[A-Z]/) == nil {
            #expect(source.contains("// README: \(module)\n"), "no example of \(module)")
        }
    }

    @Test("What it links to is there")
    func links() throws {
        let readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
        for match in readme.matches(of: /\]\((?<path>[^)#]+)\)/) where !match.path.contains("://") {
            let path = Self.root.appendingPathComponent(String(match.path)).path
            #expect(FileManager.default.fileExists(atPath: path), "\(match.path)")
        }
    }

    @Test("Its examples do what they say")
    @MainActor
    func examplesWork() async throws {
        #expect(andExample().numberOfLines == 2)
        #expect(try constraintSolverExample() >= 10)
        let server = try LoopbackServer { request in
            request.path == "/api/breeds" ? .json(#"{"hound":["afghan"],"corgi":[]}"#) : .text("abc")
        }
        defer { server.stop() }
        #expect(try await breeds(at: server.baseURL) == ["corgi", "hound"])
        #expect(try await httpTransportExample(CurlTransport(), server.baseURL) == 3)
        #expect(try await curlTransportExample().request(Breeds(base: server.baseURL)).count == 2)
        #expect(try await urlSessionTransportExample().request(Breeds(base: server.baseURL)).count == 2)
        let folder = try TemporaryDirectory()
        #expect(try localProviderExample(folder.path) == "light")
        let local = LocalProvider(location: FileStoreLocation(directory: folder.path))
        #expect(try await localObservationExample(local) == "light")
        #expect(try localSecretsExample(local, folder.path + "/secret.key") == "3f9a-c2d1")
        let jpeg = try PictureEncoder().jpeg(Picture(width: 80, height: 48, filledWith: .white))
        #expect(try picturesExample(jpeg).split(separator: "\n").count == 12)
        let app = TestApplication(root: HelloViewController(), size: Size(width: 20, height: 3))
        await app.settle()
        #expect(app.screen.find("안녕하세요") == Point(x: 5, y: 1))
        let parent = Router(interactor: Interactor())
        attachCounter(to: parent)
        #expect(parent.children.count == 1)
    }
}
