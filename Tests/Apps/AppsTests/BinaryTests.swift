import Foundation
import TestSupport
import Testing

@Suite("The programs themselves")
struct BinaryTests {
    @Test(
        "No flavour contains another's API",
        arguments: [("Dog", "dog.ceo", "thecatapi"), ("Cat", "thecatapi.com", "dog.ceo")]
    )
    func hosts(program: String, own: String, other: String) throws {
        let binary = try Data(
            contentsOf: ChildProcess.productsDirectory.appendingPathComponent(program),
            options: .mappedIfSafe
        )
        #expect(binary.range(of: Data(own.utf8)) != nil)
        #expect(binary.range(of: Data(other.utf8)) == nil)
    }

    #if os(Linux)
        @Test(
            "With too few files that can be open, the app says how to raise the limit, and reads and writes nothing",
            arguments: [6, 8, 9, 16, 31],
            [["todo", "list"], ["account", "status"], ["picture", "--draw", "none"]]
        )
        func fewFiles(limit: Int, arguments: [String]) async throws {
            let app = try AppFixture()
            let result = try await ChildProcess.run(
                URL(fileURLWithPath: "/bin/sh"),
                ["-c", "ulimit -n \(limit); exec \"$0\" \"$@\"", app.executable.path] + arguments,
                environment: app.environment
            )
            #expect(result.status == 3)
            #expect(
                result.errors
                    == "Dog: the limit of open files is \(limit), and the app needs 32: raise it with `ulimit -n 256`\n"
            )
            #expect(!FileManager.default.fileExists(atPath: app.folder.path + "/dog"))
        }

        @Test("A low limit that the user may raise is raised, and the app works")
        func raisedLimit() async throws {
            let app = try AppFixture()
            _ = try await app.add("walk the dog")
            let result = try await ChildProcess.run(
                URL(fileURLWithPath: "/bin/sh"),
                ["-c", "ulimit -S -n 10; exec \"$0\" \"$@\"", app.executable.path, "todo", "list"],
                environment: app.environment
            )
            #expect(result.status == 0 && result.output.contains("walk the dog"), "\(result.errors)")
        }

        @Test(
            "A program starts without libcurl, which its first request loads, and without FoundationNetworking",
            arguments: ["Dog", "Cat"]
        )
        func libraries(program: String) async throws {
            let result = try await ChildProcess.run(
                URL(fileURLWithPath: "/usr/bin/ldd"),
                [ChildProcess.productsDirectory.appendingPathComponent(program).path]
            )
            #expect(!result.output.contains("libcurl"))
            #expect(!result.output.contains("libFoundationNetworking"))
            #expect(result.output.contains("sodium"))
        }
    #endif
}
