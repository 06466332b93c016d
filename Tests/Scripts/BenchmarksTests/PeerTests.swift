import Foundation
import LoopbackServer
import TestSupport
import Testing

/// A peer is built and run here, so that a benchmark never lacks it without notice.
///
/// A test is skipped where a library of its peer is missing, but never in CI.
@Suite("The peers of the benchmarks", .serialized, .timeLimit(.minutes(5)))
struct PeerTests {
    /// Builds a peer and returns its program.
    private func build(_ script: String) throws -> URL {
        let output = try Programs.run(Project.root.appending(path: "Scripts/Benchmarks/Peers/\(script)"), [])
        return URL(
            filePath: try #require(String(decoding: output, as: UTF8.self).split(separator: "\n").last.map(String.init))
        )
    }

    /// Runs a program and returns the words of its output.
    private func words(_ program: URL, _ arguments: [String]) async throws -> [String] {
        let result = try await ChildProcess.run(program, arguments)
        try #require(result.status == 0, "\(result.errors)")
        return result.output.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private static let isCI = ProcessInfo.processInfo.environment["CI"] != nil

    private static func hasFile(_ names: String...) -> Bool {
        isCI || names.allSatisfy { FileManager.default.fileExists(atPath: $0) }
    }

    private static let hasCurl =
        isCI
        || ["/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"].contains {
            FileManager.default.fileExists(atPath: "\($0)/libcurl.so.4")
        }

    @Test("C over libcurl sends requests, receives a body in each way and cancels", .enabled(if: hasCurl))
    func curl() async throws {
        let program = try build("Network/build-curl-peer")
        let server = try LoopbackServer { _ in .text("some text") }
        defer { server.stop() }
        for tasks in ["1", "4"] {
            let seconds = try await words(program, [server.baseURL, "8", tasks]).compactMap { Double($0) }
            #expect(seconds.count == 2 && seconds.allSatisfy { $0 > 0 })
        }
        // Each side connects and warms up with as many requests as it has tasks.
        let expected: Int = 8 + 1 + 8 + 4
        #expect(server.requests.count == expected)
        for way in ["gather", "stream", "download"] {
            let received = try await words(program, [way, server.baseURL])
            #expect(received.first == "9", "\(way)")
        }
        let silent = try LoopbackServer { _ in .failing(.noAnswer) }
        defer { silent.stop() }
        let times = try await words(program, ["cancel", silent.baseURL, "2"])
        #expect(times.count == 2 && times.allSatisfy { Int64($0) != nil })
    }

    @Test("kiwi solves a program", .enabled(if: isCI || Programs.find("pip3") != nil || Programs.find("pip") != nil))
    func kiwi() async throws {
        let program = try build("Layout/build-kiwi")
        let folder = try TemporaryDirectory("kiwi")
        // 2 x = 6
        let file = try folder.write("vars 1\nconstraint 0 0 6 1 0 2\nphase solve\nadd 0\nread\n", to: "program")
        let output = try await words(program, [file.path])
        #expect(output.first == "solve" && output.last == "3.000000")
    }

    @Test(
        "libjpeg and libpng decode a picture",
        .enabled(if: hasFile("/usr/include/jpeglib.h", "/usr/include/png.h"))
    )
    func pictures() async throws {
        let program = try build("Picture/build-picture-peer")
        // One red pixel.
        let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
        let folder = try TemporaryDirectory("picture")
        try #require(Data(base64Encoded: png)).write(to: folder.file("red.png"))
        let output = try await words(program, [folder.file("red.png").path, "1", "2"])
        #expect(output.count == 2 && Double(output[0]) != nil)
    }

    @Test("ncurses draws screens", .enabled(if: hasFile("/usr/include/ncursesw/curses.h")))
    func ncurses() async throws {
        let program = try build("Terminal/build-ncurses-peer")
        let folder = try TemporaryDirectory("ncurses")
        let screens = try folder.write("20 4\nr 0 0 0 one\nf\nr 1 2 1 two\nf\nr 2 2 2 three\nf\n", to: "screens")
        let figures = try await words(program, [screens.path, folder.file("output").path, "2"]).compactMap {
            Double($0)
        }
        #expect(figures.count == 2 && figures[0] > 0)
        #expect(try String(contentsOf: folder.file("output"), encoding: .utf8).contains("two"))
    }
}
