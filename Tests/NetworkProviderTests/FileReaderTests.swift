import Foundation
import Locking
import TestSupport
import Testing

@testable import NetworkProvider

@Suite("Reading a form's file")
struct FileReaderTests {
    /// Reads a path to its end on a thread of its own, which signals can be sent to.
    private final class Reading: @unchecked Sendable {
        let thread = Locked<pthread_t?>(nil)
        let result = Locked<Result<Data, any Error>?>(nil)

        init(_ path: String) {
            Thread.detachNewThread { [self] in
                // A thread that one of a queue's begins has its signals blocked.
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGURG)
                pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                thread.withLock { $0 = pthread_self() }
                let read = Result {
                    let reader = try FileReader(path)
                    var whole = Data()
                    while let piece = try reader.next() { whole += piece }
                    return whole
                }
                result.withLock { $0 = read }
            }
        }
    }

    @Test("A signal while the file is slow to come fails nothing")
    func signals() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("pipe").path
        #expect(mkfifo(path, 0o600) == 0)
        // A handler that does nothing, and has no call started again.
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in }
        var old = sigaction()
        #expect(sigaction(SIGURG, &action, &old) == 0)
        defer { sigaction(SIGURG, &old, nil) }
        let reading = Reading(path)
        // Opening waits for the reader, and the reader then waits for bytes.
        let writer = FileHandle(fileDescriptor: open(path, O_WRONLY | O_CLOEXEC), closeOnDealloc: true)
        let thread = try #require(reading.thread.withLock { $0 })
        for _ in 0..<50 {
            pthread_kill(thread, SIGURG)
            try await Task.sleep(for: .milliseconds(1))
        }
        try #require(reading.result.withLock { $0 } == nil)
        try writer.write(contentsOf: Data("멍멍".utf8))
        try writer.close()
        try await eventually { reading.result.withLock { $0 } != nil }
        #expect(try reading.result.withLock { $0 }?.get() == Data("멍멍".utf8))
    }
}
