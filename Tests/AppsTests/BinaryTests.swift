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
        @Test("FoundationNetworking is not linked, and libsodium seals the account", arguments: ["Dog", "Cat"])
        func libraries(program: String) async throws {
            let result = try await ChildProcess.run(
                URL(fileURLWithPath: "/usr/bin/ldd"),
                [ChildProcess.productsDirectory.appendingPathComponent(program).path]
            )
            #expect(result.output.contains("libcurl"))
            #expect(!result.output.contains("libFoundationNetworking"))
            #expect(result.output.contains("sodium"))
        }
    #endif
}
