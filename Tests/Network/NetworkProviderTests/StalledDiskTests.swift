import Foundation
import SystemCalls
import TestSupport
import Testing
import Threading

@testable import NetworkProvider

@Suite("Downloads to a disk that does not respond")
struct StalledDiskTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var path: String { folder.file("dog.png").path }

    @Test("A disk that does not respond stops no other task", .timeLimit(.minutes(1)))
    func stalledDisk() async throws {
        let (gate, entered) = (DispatchSemaphore(value: 0), Locked(0))
        let calls = PartialFile.Calls(write: { _, _, _ throws(SystemError) in
            entered.withLock { $0 += 1 }
            // With the limit, a write on a thread for tasks fails the test instead of stopping it.
            _ = gate.wait(timeout: .now() + 60)
        })
        let (count, path) = (4 * ProcessInfo.processInfo.activeProcessorCount, path)
        let tasks = (0..<count).map { number in
            Task { try await PartialFile("\(path)\(number)", calls: calls).write(Data(count: 1)) }
        }
        try await eventually(within: .seconds(30)) { entered.withLock { $0 } == count }
        for _ in tasks { gate.signal() }
        for task in tasks { try await task.value }
    }

    @Test("A file that takes no bytes stops no other task while a download writes to it", .timeLimit(.minutes(1)))
    func fullPipes() async throws {
        let (count, path) = (4 * ProcessInfo.processInfo.activeProcessorCount, path)
        var readers: [Int32] = []
        for number in 0..<count {
            #expect(mkfifo("\(path)\(number)", 0o600) == 0)
            readers.append(try POSIX.open("\(path)\(number)", O_RDONLY | O_NONBLOCK))
            #expect(fcntl(readers[number], F_SETFL, O_RDONLY) == 0)
        }
        let (begun, ended, gate) = (Locked(0), Locked(0), DispatchSemaphore(value: 0))
        let (threads, ends) = (ThreadCache(), readers)
        // A pipe takes 64 KiB until somebody reads it: each of the tasks waits.
        let bytes = Data(count: 1 << 20)
        let tasks = (0..<count).map { number in
            Task {
                let file = try await AtomicFile.create("\(path).done", by: "\(path)\(number)", on: threads)
                begun.withLock { $0 += 1 }
                try await file.write(bytes, on: threads)
                ended.withLock { $0 += 1 }
                await file.close(on: threads)
            }
        }
        try SystemThread.detach {
            // With the limit, writes on the threads for tasks fail the test instead of stopping it.
            _ = gate.wait(timeout: .now() + 60)
            for end in ends {
                _ = try? POSIX.readAll(end)
                POSIX.close(end)
            }
        }
        try await eventually(within: .seconds(30)) { begun.withLock { $0 } == count }
        #expect(ended.withLock { $0 } == 0)
        gate.signal()
        for task in tasks { try await task.value }
        #expect((0..<count).allSatisfy { !FileManager.default.fileExists(atPath: "\(path)\($0)") })
    }
}
