import Foundation
import SystemCalls
import TestSupport
import Testing

@Suite("System calls")
struct SystemCallsTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    @Test("A file that is written in several calls is read back whole, at positions and from the start")
    func readsAndWrites() throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let descriptor = try POSIX.open(path("file"), O_RDWR | O_CREAT | O_EXCL)
        defer { POSIX.close(descriptor) }
        try bytes.withUnsafeBytes { try POSIX.writeAll($0, to: descriptor) }
        try [UInt8(7)].withUnsafeBytes { try POSIX.writeAll($0, to: descriptor, at: 10) }
        try POSIX.synchronize(descriptor)
        var expected = bytes
        expected[10] = 7
        #expect(try POSIX.contents(of: path("file")) == expected)
        var part = [UInt8](repeating: 0, count: 10)
        let count = try part.withUnsafeMutableBytes { try POSIX.readAll(descriptor, into: $0, at: bytes.count - 4) }
        #expect(count == 4 && part[..<4] == expected.suffix(4))
        #expect(throws: SystemError(code: EFBIG, call: "read")) { try POSIX.contents(of: path("file"), limit: 199_999) }
        #expect(try POSIX.contents(of: path("file"), limit: 200_000).count == 200_000)
        try POSIX.truncate(descriptor, to: 3)
        let status = try POSIX.status(descriptor)
        #expect(status.size == 3 && status.kind == .regular && status.permissions == 0o600 && status.owner == geteuid())
    }

    @Test("A file that is written by its path replaces the former content")
    func replaces() throws {
        try POSIX.write(Array("a longer text".utf8), toFile: path("file"), permissions: 0o600)
        try POSIX.write(Array("short".utf8), toFile: path("file"))
        #expect(try POSIX.contents(of: path("file")) == Array("short".utf8))
        #expect(try POSIX.status(of: path("file")).permissions == 0o600)
        #expect(throws: SystemError(code: EISDIR, call: "open")) { try POSIX.write([], toFile: folder.url.path) }
    }

    @Test("A call that fails throws its name, the error number and the message of the system")
    func errors() {
        let error = SystemError(code: ENOENT, call: "open")
        #expect(throws: error) { try POSIX.open(path("absent"), O_RDONLY) }
        #expect(error.description == "open: No such file or directory (errno \(ENOENT))")
        #expect(SystemError.message(of: EACCES) == "Permission denied")
        #expect(throws: SystemError(code: ENOENT, call: "stat")) { try POSIX.status(of: path("absent")) }
        #expect(throws: SystemError(code: ENOENT, call: "opendir")) { try POSIX.list(path("absent")) }
        #expect(throws: SystemError(code: ENOENT, call: "unlink")) { try POSIX.remove(path("absent")) }
        #expect(throws: SystemError(code: EBADF, call: "write")) { try POSIX.writeAll("text", to: -1) }
        let nul = folder.url.path + "\u{0}"
        #expect(throws: SystemError(code: EINVAL, call: "open")) { try POSIX.open(nul, O_RDONLY) }
        #expect(throws: SystemError(code: EINVAL, call: "stat")) { try POSIX.status(of: nul) }
        #expect(throws: SystemError(code: EINVAL, call: "opendir")) { try POSIX.list(nul) }
        #expect(throws: SystemError(code: EINVAL, call: "unlink")) { try POSIX.remove(nul) }
        #expect(throws: SystemError(code: EINVAL, call: "rename")) { try POSIX.rename(path("a"), to: nul) }
    }

    @Test("A call that a signal interrupts is repeated")
    func interrupted() throws {
        var calls = 0
        try POSIX.uninterrupted { () throws(SystemError) in
            calls += 1
            if calls < 3 { throw SystemError(code: EINTR, call: "read") }
        }
        #expect(calls == 3)
    }

    @Test("Folders are made, listed, renamed and removed; a folder that is not empty is not removed")
    func folders() throws {
        try POSIX.makeFolder(path("a"))
        try POSIX.makeFolder(path("a/b"))
        #expect(try POSIX.list(path("a")) == ["b"])
        #expect(throws: SystemError(code: ENOTEMPTY, call: "rmdir")) { try POSIX.remove(path("a")) }
        try POSIX.rename(path("a/b"), to: path("c"))
        try POSIX.remove(path("a"))
        #expect(try POSIX.list(folder.url.path) == ["c"])
        let descriptor = try POSIX.open(path("c"), O_RDONLY | O_DIRECTORY)
        defer { POSIX.close(descriptor) }
        try POSIX.synchronizeFolder(descriptor)
    }

    @Test("The status of a link differs from that of its target")
    func links() throws {
        POSIX.close(try POSIX.open(path("target"), O_WRONLY | O_CREAT))
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: path("target"))
        #expect(try POSIX.status(of: path("link")).kind == .regular)
        #expect(try POSIX.status(of: path("link"), followsLinks: false).kind == .link)
        try POSIX.link(path("target"), to: path("second"))
        #expect(try POSIX.status(of: path("target")).links == 2)
    }

    @Test("A lock is held by one open file description at a time")
    func locks() throws {
        let first = try POSIX.open(path("lock"), O_RDWR | O_CREAT)
        let second = try POSIX.open(path("lock"), O_RDWR)
        defer { [first, second].forEach(POSIX.close) }
        #expect(try POSIX.tryLock(first))
        #expect(try !POSIX.tryLock(second))
        POSIX.unlock(first)
        #expect(try POSIX.tryLock(second))
    }

    @Test("A FIFO opened with O_NONBLOCK does not block the thread", .timeLimit(.minutes(1)))
    func fifo() throws {
        #expect(mkfifo(path("fifo"), 0o600) == 0)
        let descriptor = try POSIX.open(path("fifo"), O_RDONLY | O_NONBLOCK)
        defer { POSIX.close(descriptor) }
        #expect(try POSIX.status(descriptor).kind == .fifo)
        #expect(try POSIX.readAll(descriptor).isEmpty)
    }

    @Test("Descriptors are closed in programs that are started later")
    func closesOnExec() throws {
        let descriptor = try POSIX.open(path("file"), O_RDWR | O_CREAT)
        defer { POSIX.close(descriptor) }
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
}
