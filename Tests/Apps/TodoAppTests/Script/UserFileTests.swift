import SystemCalls
import TestSupport
import Testing

@testable import TodoApp

@Suite("Files that the user chose")
struct UserFileTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory("files") }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    @Test("A file is replaced with its permissions, also behind a link, and a link to nothing makes its target")
    func replace() throws {
        let (file, link, lost) = (path("file"), path("link"), path("lost"))
        try POSIX.write(Array("old".utf8), toFile: file, permissions: 0o600)
        #expect(symlink("file", link) == 0 && symlink("made", lost) == 0)
        for (index, target) in [file, link, lost, path("new")].enumerated() {
            let before = try? POSIX.status(of: target)
            let bytes = Array("text \(index)".utf8)
            try UserFile.write(bytes, to: target)
            #expect(try POSIX.contents(of: target) == bytes)
            let after = try POSIX.status(of: target)
            #expect(before.map { $0.permissions == after.permissions && $0.inode != after.inode } ?? true)
        }
        #expect(try POSIX.contents(of: file) == Array("text 1".utf8))
        #expect(try POSIX.status(of: lost, followsLinks: false).kind == .link)
        #expect(try POSIX.list(folder.path).sorted() == ["file", "link", "lost", "made", "new"])
        for (wrong, code) in [("none/a", ENOENT), ("file/a", ENOTDIR), ("", EISDIR)] {
            #expect { try UserFile.write([1], to: path(wrong)) } throws: { ($0 as? SystemError)?.code == code }
        }
        #expect(try POSIX.list(folder.path).count == 5, "no copy is left")
    }

    @Test("A FIFO stays one, and its reader has the bytes")
    func fifo() throws {
        let fifo = path("fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        let reader = try POSIX.open(fifo, O_RDONLY | O_NONBLOCK)
        defer { POSIX.close(reader) }
        try UserFile.write([1, 2], to: fifo)
        #expect(try POSIX.readAll(reader) == [1, 2])
        #expect(try POSIX.status(of: fifo).kind == .fifo)
    }
}
