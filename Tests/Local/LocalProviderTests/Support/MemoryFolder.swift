import Foundation

/// A folder of a test's own in memory, where the system has a file system there, removed with the test: for tests that make
/// thousands of small files, which a disk shared with others takes its time for.
final class MemoryFolder: Sendable {
    let path: String

    /// Creates an empty folder, or a copy of one.
    init(copying source: String? = nil) throws {
        let memory = "/dev/shm"
        let base = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        path = base + "/pawkit-" + UUID().uuidString
        if let source {
            try FileManager.default.copyItem(atPath: source, toPath: path)
        } else {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
