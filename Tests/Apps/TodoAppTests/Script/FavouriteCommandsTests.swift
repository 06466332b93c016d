import AppTestSupport
import CommandKit
import Foundation
import PictureCore
import TestSupport
import Testing

@testable import TodoApp

@Suite("The favourite commands")
@MainActor
struct FavouriteCommandsTests {
    private let favourites = FakeFavourites()
    private let pictures = FakePictureService()

    private func run(_ arguments: String...) async throws -> ScriptResult {
        let table = AppCommands.table(program: "Dog", animal: "dog", version: "1.2")
        guard case .run(let command) = try table.parse(["favourite"] + arguments) else {
            throw UsageError.unexpectedOperand("text", command: "Dog")
        }
        return try await FavouriteCommands(favourites: favourites, service: pictures).run(command)
    }

    private func problems(_ text: String) throws -> [String] {
        let validator = try SchemaValidator(file: "favourites.schema.json")
        return try validator.problems(JSONSerialization.jsonObject(with: Data(text.utf8)), validator.root)
    }

    @Test("The list has the address and the breed of each favourite, the newest first, and --quiet the addresses alone")
    func list() async throws {
        #expect(try await run("list").output.isEmpty)
        favourites.add(2)
        #expect(
            try await run("list").output
                == "https://pictures.test/0.jpg  Pug\nhttps://pictures.test/1.jpg  Beagle\n"
        )
        #expect(try await run("list", "--quiet").output == "https://pictures.test/0.jpg\nhttps://pictures.test/1.jpg\n")
    }

    @Test("The documents of --json are those of the schema, with null for an unknown breed")
    func json() async throws {
        #expect(try problems(try await run("list", "--json").output).isEmpty)
        _ = try await favourites.add(PictureReference(url: "https://pictures.test/9.jpg", breed: nil))
        let listed = try await run("list", "--json").output
        #expect(listed.contains("\"breed\" : null"))
        #expect(try problems(listed).isEmpty)
        #expect(try problems(try await run("rm", "https://pictures.test/9.jpg", "--json").output).isEmpty)
        #expect(try !problems(#"{"favourites":[{"url":"ftp://x","breed":1}]}"#).isEmpty)
    }

    @Test(
        "An address is added after its picture was fetched and decoded; a second time says that it is a favourite already"
    )
    func add() async throws {
        let url = "https://pictures.test/pug.jpg"
        pictures.stored[url] = .sample("Pug")
        let added = try await run("add", url, "--breed", "Pug")
        #expect(added.output == "\(url)  Pug\n" && added.notices.isEmpty)
        let again = try await run("add", url)
        #expect(again.notices == ["this picture is a favourite already"])
        #expect(favourites.list.map(\.picture.url) == [url])
        // An address without a picture.
        await #expect { try await run("add", "https://pictures.test/none.jpg") } throws: {
            ($0 as? ScriptFailure)?.exitCode == .network
        }
        #expect(favourites.list.count == 1)
    }

    @Test("Without an address, the picture that was fetched last is added; there is none before the first one")
    func addLast() async throws {
        pictures.lastPicture = .sample("Pug")
        #expect(try await run("add").output == "http://pictures.test/1.png  Pug\n")
        favourites.list = []
        pictures.lastPicture = FetchedPicture(reference: nil, file: FetchedPicture.sample(nil).file)
        await #expect { try await run("add") } throws: { ($0 as? ScriptFailure)?.exitCode == .nothingMatched }
        #expect(favourites.list.isEmpty)
    }

    @Test(
        "An address that is not of http, or has a user, is refused before anything is requested",
        arguments: [
            "pug.jpg", "ftp://pictures.test/1.jpg", "file:///etc/passwd", "https://", "https://a:b@pictures.test/1.jpg",
        ]
    )
    func invalid(address: String) async throws {
        await #expect { try await run("add", address) } throws: { ($0 as? ScriptFailure)?.exitCode == .usage }
        #expect(favourites.list.isEmpty)
    }

    @Test("If one of the addresses is not a favourite, none is removed, and the message says how to list them")
    func remove() async throws {
        favourites.add(2)
        await #expect {
            try await run("rm", "https://pictures.test/0.jpg", "https://pictures.test/7.jpg")
        } throws: {
            let failure = $0 as? ScriptFailure
            return failure?.exitCode == .nothingMatched && failure?.message?.contains("favourite list") == true
        }
        #expect(favourites.list.count == 2)
        #expect(try await run("rm", "https://pictures.test/1.jpg").output == "https://pictures.test/1.jpg  Beagle\n")
        #expect(favourites.list.count == 1)
    }

    @Test("A full list is reported")
    func full() async throws {
        favourites.failure = .full(limit: 1000)
        pictures.stored["https://pictures.test/1.jpg"] = .sample("Pug")
        await #expect { try await run("add", "https://pictures.test/1.jpg") } throws: {
            ($0 as? ScriptFailure)?.message?.contains("remove one first") == true
        }
    }
}
