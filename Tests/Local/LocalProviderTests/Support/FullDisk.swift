import LocalProviderTestSupport
import SystemCalls
import Threading

@testable import LocalProvider

/// A simulated disk with a number of blocks of 4,096 bytes, of which every file uses whole ones.
final class FullDisk: ForwardedCalls {
    private static let blockSize = 4_096

    let system: SimulatedProcess
    private let disk: SimulatedDisk
    private let capacity: Locked<Int>
    private let isContended = Locked(false)

    init(_ disk: SimulatedDisk, blocks: Int) {
        self.disk = disk
        system = SimulatedProcess(disk)
        capacity = Locked(blocks)
    }

    /// Changes the number of blocks; never below the number of those in use.
    var blocks: Int {
        get { capacity.withLock { $0 } }
        set { capacity.withLock { $0 = max(newValue, used) } }
    }

    /// From now on other programs use every block at once that a file releases.
    func contend() {
        isContended.withLock { $0 = true }
        blocks = 0
    }

    /// Ends ``contend()``, with this number of blocks.
    func relent(blocks: Int) {
        isContended.withLock { $0 = false }
        self.blocks = blocks
    }

    private func loseReleased() {
        if isContended.withLock({ $0 }) { blocks = 0 }
    }

    /// The number of blocks in use.
    var used: Int {
        disk.state.withLock { state in
            var numbers = Set(state.opened.values)
            for folder in state.folders.values { numbers.formUnion(folder.entries.values) }
            return numbers.reduce(0) { $0 + Self.blocks(state.files[$1]?.bytes.count ?? 0) }
        }
    }

    private static func blocks(_ size: Int) -> Int { (size + blockSize - 1) / blockSize }

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        let size = try system.status(descriptor).size
        let free = blocks - used
        let limit = max((Self.blocks(size) + max(free, 0)) * Self.blockSize - offset, 0)
        guard limit > 0 || bytes.isEmpty else { throw SystemError(code: 28, call: "write") }
        return try system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(limit)), at: offset)
    }

    func truncate(_ descriptor: Int32, to size: Int) throws(SystemError) {
        try system.truncate(descriptor, to: size)
        loseReleased()
    }

    func rename(_ path: String, to target: String) throws(SystemError) {
        try system.rename(path, to: target)
        loseReleased()
    }

    func remove(_ path: String) throws(SystemError) {
        try system.remove(path)
        loseReleased()
    }

    func close(_ descriptor: Int32) {
        system.close(descriptor)
        loseReleased()
    }
}
