import Foundation
import LoopbackServer
import PictureAPIs
import Pictures
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@Suite("Script mode: pictures")
struct PictureScriptTests {
    @Test("The served picture is fetched and drawn in its own colours", arguments: AppFixture.FlavourName.allCases)
    func colours(flavour: AppFixture.FlavourName) async throws {
        let app = try AppFixture(flavour)
        let result = try await app.run("picture", "--size", "48x24", "--color", "always", "--draw", "half")
        #expect(result.status == 0, "\(result.errors)")
        let path = try #require(app.server.requests.last?.path)
        let file = try #require(PictureAPIServer.file(at: path))

        // What is drawn, without the caption, against the picture as it was made, before any coding.
        let lines = result.output.split(separator: "\n").filter { $0.contains("▀") }
        let drawn = try ANSIPicture(lines.joined(separator: "\n")).pixels()
        let wanted = file.picture.scaled(to: PixelSize(width: drawn[0].count, height: drawn.count))
        var total = 0
        for (y, row) in drawn.enumerated() {
            for (x, pixel) in row.enumerated() {
                let pixel = try #require(pixel)
                let color = wanted[x, y]
                let difference = pixel.difference(
                    from: ANSIPicture.Color(Int(color.red), Int(color.green), Int(color.blue))
                )
                total += difference
            }
        }
        let mean = Double(total) / Double(drawn.count * drawn[0].count)
        #expect(mean < 8, "mean difference \(mean) of 255")
    }

    @Test("In kitty's protocol a picture has as many cells as its aspect ratio needs")
    func kitty() async throws {
        let app = try AppFixture()
        for (size, isWide) in [("60x5", true), ("10x40", false)] {
            let result = try await app.run("picture", "--size", size, "--draw", "kitty")
            let path = try #require(app.server.requests.last?.path)
            let picture = try #require(PictureAPIServer.file(at: path)).picture
            let parts = size.split(separator: "x").compactMap { Int($0) }
            let cells = PictureRenderer().cells(for: picture.size, columns: parts[0], rows: parts[1])
            #expect(result.output.contains("c=\(cells.columns),r=\(cells.rows),"), "\(result.output.prefix(80))")
            #expect(isWide ? cells.columns < 60 : cells.rows < 40)
        }
    }

    @Test("On a terminal a picture has the aspect ratio of its cells and fits the screen")
    func cellSize() async throws {
        let app = try AppFixture()
        // Cells of 6 x 8 pixels. The last three rows are for the caption and the prompt.
        let area = (columns: 80, rows: 21)
        var renderer = PictureRenderer()
        renderer.cellAspect = 8.0 / 6
        for draw in ["kitty", "sixel", "half"] {
            let terminal = try PseudoTerminal(
                app.executable,
                ["picture", "--draw", draw],
                pixels: (width: 480, height: 192),
                environment: app.environment
            )
            defer { terminal.end() }
            #expect(try await terminal.waitForExit() == 0)
            let path = try #require(app.server.requests.last?.path)
            let picture = try #require(PictureAPIServer.file(at: path)).picture
            let box =
                draw == "half"
                ? renderer.pixelSize(columns: area.columns, rows: area.rows) : PixelSize(width: 480, height: 168)
            let decoded = picture.size.fitted(into: box, enlarges: false)
            let cells = renderer.cells(for: decoded, columns: area.columns, rows: area.rows)
            switch draw {
            case "kitty": #expect(terminal.text.contains("c=\(cells.columns),r=\(cells.rows),"), "\(cells)")
            case "sixel": #expect(terminal.text.contains("\"1;1;\(decoded.width);\(decoded.height)#"), "\(decoded)")
            default:
                let lines = terminal.text.split(whereSeparator: \.isNewline).map { $0.count { $0 == "▀" } }
                #expect(lines.filter { $0 > 0 } == Array(repeating: cells.columns, count: cells.rows))
            }
        }
    }

    @Test(
        "Favourites are added, listed and removed by commands, and shared with the screen",
        arguments: AppFixture.FlavourName.allCases
    )
    func favourites(flavour: AppFixture.FlavourName) async throws {
        let app = try AppFixture(flavour)
        let none = try await app.run("favourite", "add")
        #expect(none.status == 1 && none.errors.contains("run `picture` first"))
        let fetched = try await app.run("picture", "--draw", "none", "--json")
        let picture = try JSONSerialization.jsonObject(with: fetched.standardOutput) as? [String: Any]
        let url = try #require(picture?["url"] as? String)
        #expect(try await app.run("favourite", "add").output.hasPrefix("\(url)  "))
        #expect(try await app.run("favourite", "add").errors.contains("is a favourite already"))
        #expect(try await app.run("favourite", "list", "--quiet").output == "\(url)\n")
        let document = try await app.json("favourite", "list")
        let listed = try #require((document["favourites"] as? [[String: Any]])?.first)
        #expect(listed["url"] as? String == url && listed["added"] is String)

        let screen = try await AppScreen(app, showing: "Nothing to do", rows: 30)
        try await screen.type("F", waitingFor: "Favourites")
        try await screen.wait(for: "127.0.0.1")
        // Escape and a key at once would be that key with Alt.
        screen.terminal.type("\u{1B}")
        try await eventually { !screen.now.screen.text.contains("Favourites") }
        #expect(try await screen.terminal.waitForExit(typing: "q") == 0)

        // The same picture is not fetched twice.
        let count = app.server.requests.count { url.hasSuffix($0.path) }
        #expect(count == 1)
        #expect(try await app.run("favourite", "rm", "https://example.com/none.jpg").status == 1)
        #expect(try await app.run("favourite", "rm", url).status == 0)
        #expect(try await app.run("favourite", "list").output.isEmpty)
    }

    @Test(
        "Each flavour sends requests to its own API's paths",
        arguments: [
            (AppFixture.FlavourName.dog, "/api/breeds/image/random", "/breeds/"),
            (AppFixture.FlavourName.cat, "/v1/images/search", "/images/"),
        ]
    )
    func paths(flavour: AppFixture.FlavourName, api: String, pictures: String) async throws {
        let app = try AppFixture(flavour)
        #expect(try await app.run("picture", "--draw", "none").status == 0)
        let requested = app.server.requests.map(\.path)
        #expect(requested.count == 2)
        #expect(requested.first == api)
        #expect(requested.last?.hasPrefix(pictures) == true)
        #expect(app.server.requests.allSatisfy { $0.header("User-Agent")?.isEmpty == false })
    }

    @Test(
        "A faulty response is reported, another picture is shown, and the exit status is 4",
        arguments: [
            "html", "404", "500", "half", "nothing", "empty", "json", "huge", "picture-html", "picture-404",
            "picture-500",
            "picture-half", "picture-nothing", "picture-empty", "picture-huge",
        ]
    )
    func faults(name: String) async throws {
        let rule = FaultRule(name)
        #expect(rule != nil)
        let app = try AppFixture(fault: rule)
        let result = try await app.run("picture", "--size", "20x10", "--draw", "half")
        #expect(!result.wasSignalled)
        // The received half of a JPEG may be shown, with a warning.
        #expect(result.status == 4, "\(result.errors)")
        #expect(result.errors.hasPrefix("Dog: "))
        #expect(!result.errors.contains("\u{1B}"))
        #expect(result.output.contains("▀"))
    }

    @Test("Without a network the last picture is shown, and before there is one the bundled one")
    func offline() async throws {
        let app = try AppFixture()
        let nowhere = "http://127.0.0.1:1"
        let first = try await app.run("picture", "--json", "--image-api", nowhere)
        #expect(first.status == 4)
        #expect(first.output.contains("\"source\" : \"bundled\""))
        let fetched = try await app.json("picture")
        #expect(fetched["source"] as? String == "network")
        let second = try await app.run("picture", "--json", "--image-api", nowhere)
        #expect(second.status == 4)
        #expect(second.output.contains("\"source\" : \"last\""))
        #expect(second.output.contains(try #require(fetched["url"] as? String)))
    }

    @Test("A picture is saved as the server sent it, and nothing is saved if the request fails")
    func save() async throws {
        let app = try AppFixture()
        let target = app.folder.file("friend.jpg")
        // The target of a link is made, and the link stays.
        let link = app.folder.file("link.jpg")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        #expect(try await app.run("picture", "--save", link.path, "--draw", "none").status == 0)
        let path = try #require(app.server.requests.last?.path)
        let file = try #require(PictureAPIServer.file(at: path))
        #expect(try Array(Data(contentsOf: target)) == file.encoded())
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target.path)
        let other = app.folder.file("none.jpg")
        #expect(try await app.run("picture", "--save", other.path, "--image-api", "http://127.0.0.1:1").status == 4)
        #expect(!FileManager.default.fileExists(atPath: other.path))
    }

    @Test(
        "No colours are written if colours are disabled",
        arguments: [
            ["--color", "never"], ["--plain"], [],
        ]
    )
    func noColour(options: [String]) async throws {
        let app = try AppFixture()
        let result = try await app.run(["picture", "--size", "30x12"] + options)
        #expect(result.status == 0)
        #expect(!result.output.contains("\u{1B}"))
        #expect(result.output.split(separator: "\n").count > 5)
        let refused = try await app.run(["picture", "--draw", "half"], environment: ["NO_COLOR": "1"])
        #expect(!refused.output.contains("\u{1B}"))
    }

    @Test(
        "Breeds are listed, a picture of one is fetched, and an unknown one exits with 1",
        arguments: AppFixture.FlavourName.allCases
    )
    func breeds(flavour: AppFixture.FlavourName) async throws {
        let app = try AppFixture(flavour)
        let breeds = try #require(try await app.json("breeds")["breeds"] as? [[String: String]])
        let breed = try #require(breeds.first)
        let shown = try await app.run("picture", "--breed", try #require(breed["id"]), "--draw", "none")
        #expect(shown.status == 0, "\(shown.errors)")
        let named = try await app.run("picture", "--breed", try #require(breed["name"]), "--draw", "none")
        #expect(named.status == 0, "\(named.errors)")
        let unknown = try await app.run("picture", "--breed", "unicorn")
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("breeds"))
    }

    @Test("The doctor reports what works and what does not")
    func doctor() async throws {
        let app = try AppFixture()
        let well = try await app.run("doctor", "--json")
        #expect(well.status == 0, "\(well.output)")
        let ill = try await app.run("doctor", "--image-api", "http://127.0.0.1:1")
        #expect(ill.status == 4)
        #expect(ill.output.contains("failed"))
        #expect(ill.output.contains(app.folder.path))
        for (version, status) in [("0.1.0", 0), ("9.0", 4)] {
            let backend = try LoopbackServer(immediateHandler: { _ in .json(#"{"required":"\#(version)"}"#) })
            defer { backend.stop() }
            let named = try await app.run(["doctor"], environment: ["PAWKIT_BACKEND": backend.baseURL])
            #expect(named.status == Int32(status))
            #expect(named.output.contains("backend"))
        }
        let other = try await app.run(["doctor"], environment: ["PAWKIT_BACKEND": app.server.baseURL])
        #expect(other.status == 4, "a server of pictures is no account server")
        let unreached = try await app.run("doctor", "--backend", "http://127.0.0.1:1")
        #expect(unreached.status == 4)
    }
}
