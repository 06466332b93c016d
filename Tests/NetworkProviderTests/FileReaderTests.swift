import Foundation
import LoopbackServer
import NetworkTestSupport
import TestSupport
import Testing

@testable import NetworkProvider

@Suite("Files of a multipart form")
struct FileReaderTests {
    @Test("A regular file is read to its end")
    func regularFile() throws {
        let folder = try TemporaryDirectory()
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        let path = folder.file("photo").path
        try bytes.write(to: URL(filePath: path))
        var reader = try FileReader(path)
        var whole = Data()
        while let piece = try reader.next() { whole += piece }
        #expect(whole == bytes && reader.size == 200_000)
    }

    @Test("A FIFO, a folder and a missing file are refused at once, each with its own reason", .timeLimit(.minutes(1)))
    func otherFiles() async throws {
        let folder = try TemporaryDirectory()
        let pipe = folder.file("pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        for (path, reason) in [
            (pipe, "it is a FIFO, not a regular file"), (folder.path, "it is a directory"),
            (folder.file("none").path, "No such file or directory"),
        ] {
            var form = MultipartForm()
            form.append("photo", file: path)
            let error = await #expect(throws: NetworkError.self) {
                try await NetworkProvider().request(
                    Call<Data>(base: "http://127.0.0.1:1", httpMethod: .post, task: .multipart(form))
                )
            }
            guard case .encoding = error?.reason else { throw UnexpectedResult() }
            #expect(try #require(error).description.contains(reason))
        }
    }
}
