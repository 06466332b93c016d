import Foundation

/// A folder of a test's own in memory, where the system has a file system there, removed with the test: for tests that make
/// thousands of small files, which a disk shared with others takes its time for.
final class MemoryFolder: Sendable {
    let path: String

    init() throws {
        let memory = "/dev/shm"
        let base = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        path = base + "/pawkit-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
