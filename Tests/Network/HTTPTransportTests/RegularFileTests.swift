import Foundation
import HTTPTransport
import TestSupport
import Testing

@Suite("Regular files", .timeLimit(.minutes(1)))
struct RegularFileTests {
    @Test("A file is read from any offset, and whole up to a limit")
    func reads() async throws {
        let folder = try TemporaryDirectory("regular-file")
        let place = folder.file("dogs")
        let bytes = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0) })
        try bytes.write(to: place)
        let file = try RegularFile(path: place.path)
        #expect(file.size == 10_000)
        #expect(try file.read(20, at: 9_990) == bytes.suffix(10))
        #expect(try file.read(20, at: 10_000).isEmpty)
        #expect(try file.readAll(upTo: 10_000) == bytes)
        #expect(throws: RegularFile.Failure.self) { try file.readAll(upTo: 9_999) }
        // What another program appends since is not part of the blocks.
        let growing = try FileHandle(forWritingTo: place)
        try growing.seekToEnd()
        try growing.write(contentsOf: bytes)
        try growing.close()
        var blocks = Data()
        for try await block in FileBlocks(of: file) { blocks += block }
        #expect(blocks == bytes)
    }

    @Test("A FIFO without a writer, a directory, a device and a missing file are refused at once, with the reason")
    func refuses() throws {
        let folder = try TemporaryDirectory("regular-file")
        let fifo = folder.file("fifo").path
        try #require(mkfifo(fifo, 0o600) == 0)
        for (path, reason) in [
            (fifo, "FIFO"), (folder.url.path, "directory"), ("/dev/null", "not a regular file"),
            (folder.file("none").path, "No such file"),
        ] {
            let failure = #expect(throws: RegularFile.Failure.self) { try RegularFile(path: path) }
            #expect(failure?.description.contains(reason) == true, "\(path): \(String(describing: failure))")
        }
    }

    @Test("PEM files that cannot be read are named, and a FIFO among them does not block")
    func validatesPEM() async throws {
        let folder = try TemporaryDirectory("pem")
        let fifo = folder.file("fifo.pem").path
        try #require(mkfifo(fifo, 0o600) == 0)
        for path in [fifo, folder.file("none.pem").path] {
            let settings = HTTPConnectionSettings(tls: HTTPTLSSettings(trust: .authorities(.file(path: path))))
            let error = await #expect(throws: HTTPTransportError.self) { try await settings.validate() }
            #expect(
                error?.code == .invalidSettings && error?.detail.contains(path) == true,
                "\(String(describing: error))"
            )
        }
    }
}
