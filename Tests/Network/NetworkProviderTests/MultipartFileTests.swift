import Foundation
import LoopbackServer
import NetworkTestSupport
import TestSupport
import Testing

@testable import NetworkProvider

@Suite("Files of a multipart form")
struct MultipartFileTests {
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
            let error = await NetworkProvider().failure(
                of: Call<Data>(base: "http://127.0.0.1:1", httpMethod: .post, task: .multipart(form))
            )
            guard case .encoding = error?.reason else { throw UnexpectedResult() }
            #expect(try #require(error).description.contains(reason))
        }
    }
}
