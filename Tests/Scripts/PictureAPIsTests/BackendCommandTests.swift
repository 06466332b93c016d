import Foundation
import PictureAPIs
import Pictures
import TestSupport
import Testing

@Suite("The backend's command line")
struct BackendCommandTests {
    var executable: URL { ChildProcess.productsDirectory.appendingPathComponent("backend") }

    @Test(
        "The backend prints its URL, serves, exits with 0 on a signal and removes its temporary folder; nohup ignores SIGHUP",
        arguments: [SIGTERM, SIGINT, SIGHUP]
    )
    func serves(signal: Int32) async throws {
        let folder = try TemporaryDirectory("backend")
        let output = folder.file("address")
        try Data().write(to: output)
        let isHangUp = signal == SIGHUP
        let process = try ChildProcess.spawn(
            "/bin/sh",
            ["-c", (isHangUp ? "" : "trap '' HUP; ") + "exec \"$0\"", executable.path],
            environment: ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 },
            files: [STDOUT_FILENO: output.path]
        )
        var isRunning = true
        defer { if isRunning { kill(process, SIGKILL) } }
        var address = ""
        try await eventually {
            address = try String(contentsOf: output, encoding: .utf8)
            return address.hasSuffix("\n")
        }
        address.removeLast()
        #expect(address.hasPrefix("http://127.0.0.1:"))
        func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
        #if os(Linux)
            // Apple's Foundation does not read TMPDIR.
            #expect(try files().count == 2)
        #endif
        if !isHangUp { kill(process, SIGHUP) }
        let dog = try await Client(base: address).json(DogEnvelope<String>.self, "/api/breeds/image/random")
        #expect(dog.message.hasPrefix(address))
        kill(process, signal)
        var status: Int32 = -1
        try await eventually { waitpid(process, &status, WNOHANG) == process }
        isRunning = false
        #expect(status == 0)
        #expect(try files() == ["address"])
    }

    @Test("Help is printed; invalid arguments are named, with exit status 2")
    func usage() async throws {
        let help = try await ChildProcess.run(executable, ["--help"])
        #expect(help.status == 0 && help.output.contains("--fault"))
        for (arguments, word) in [
            (["--prot"], "--prot"), (["--port"], "--port"), (["--port", "99999"], "99999"),
            (["--fault", "no"], "html"),
            (["--size", "1x1"], "--draw"), (["--draw", "cow", "x"], "dog or cat"),
            (["--draw", "dog", "f.gif"], ".png or .jpg"), (["--draw", "dog", "f.png", "--log"], "--log"),
            (["--draw", "dog", "f.png", "--port", "99"], "--port"),
        ] {
            let wrong = try await ChildProcess.run(executable, arguments)
            #expect(wrong.status == 2 && wrong.errors.contains(word) && wrong.output.isEmpty, "\(arguments)")
        }
    }

    @Test("A port in use is an error, not a crash")
    func takenPort() async throws {
        let server = try PictureAPIServer()
        let taken = try await ChildProcess.run(executable, ["--port", "\(server.port)"])
        #expect(taken.status == 1 && !taken.wasSignalled && !taken.errors.isEmpty)
    }

    @Test("A folder or a file that cannot be used is named before the server starts")
    func unusableFiles() async throws {
        let folder = try TemporaryDirectory("backend")
        let file = try folder.write("", to: "file").path
        for (option, path) in [("--data", file), ("--messages", "\(folder.path)/missing/messages.txt")] {
            let result = try await ChildProcess.run(executable, [option, path])
            #expect(result.status == 1 && result.output.isEmpty && result.errors.contains(path), "\(result.errors)")
        }
    }

    @Test("A portrait is drawn into a file")
    func draws() async throws {
        let folder = try TemporaryDirectory("draw")
        for name in ["a.png", "b.jpg"] {
            let file = folder.file(name)
            let result = try await ChildProcess.run(executable, ["--draw", "cat", file.path, "--size", "64x48"])
            #expect(result.status == 0)
            let decoded = try PictureDecoder().decode(try Data(contentsOf: file))
            #expect(decoded.picture.size == PixelSize(width: 64, height: 48))
            #expect(decoded.format == (name.hasSuffix("png") ? .png : .jpeg))
        }
    }

    @Test("The bundled pictures of the apps are those that the backend draws", arguments: ["Dog", "Cat"])
    func bundledPictures(flavour: String) async throws {
        let animal = try #require(Portrait.Animal(rawValue: flavour.lowercased()))
        let jpeg = try Data(contentsOf: Project.root.appending(path: "Apps/\(flavour)/Picture.jpg"))
        let folder = try TemporaryDirectory("bundled")
        let file = folder.file("picture.jpg")
        let arguments = ["--draw", animal.rawValue, file.path, "--size", "240x180", "--seed", "4", "--quality", "80"]
        #expect(try await ChildProcess.run(executable, arguments).status == 0)
        #expect(try Data(contentsOf: file) == jpeg)
        #expect(jpeg.count < 8192)
        let decoded = try PictureDecoder().decode(jpeg)
        #expect(decoded.warnings.isEmpty && decoded.picture.size == PixelSize(width: 240, height: 180))
    }
}
