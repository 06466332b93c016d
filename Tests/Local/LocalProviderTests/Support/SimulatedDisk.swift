import LocalProvider
import TestSupport
import Threading

/// A disk in memory that can lose its power: for each file it knows which bytes were synchronised, for each folder which
/// names.
///
/// The root is there from the beginning; what is in the disk outlives the ``SimulatedProcess``es that use it.
final class SimulatedDisk: Sendable {
    struct File: Sendable {
        var bytes: [UInt8] = []
        var durable: [UInt8] = []
        var modified: Int64 = 0
    }

    struct Folder: Sendable {
        /// The names as they were synchronised last, and after each change since.
        var history: [[String: Int]] = [[:]]
        var entries: [String: Int] { history[history.count - 1] }
        mutating func change(_ body: (inout [String: Int]) -> Void) {
            var entries = entries
            body(&entries)
            history.append(entries)
        }
    }

    struct State: Sendable {
        var files: [Int: File] = [:]
        var folders: [Int: Folder] = [0: Folder()]
        /// The number that the next file, folder or descriptor gets.
        var next = 1
        /// The file or folder that each descriptor is of.
        var opened: [Int32: Int] = [:]
        /// The descriptor that has the lock of a file.
        var locks: [Int: Int32] = [:]
        var time: Int64 = 0
        var synchronised = (files: 0, folders: 0)
    }

    let state: Locked<State>

    init(_ state: State = State()) { self.state = Locked(state) }

    /// How often files and folders have been synchronised.
    var synchronised: (files: Int, folders: Int) { state.withLock { $0.synchronised } }

    /// Another disk with the same contents, all of them synchronised.
    func copy() -> SimulatedDisk { afterPowerLoss(.nothing) }

    /// Changes the bytes of a file behind the back of who uses it, as a failing disk does.
    func damage(_ path: String, _ body: (inout [UInt8]) -> Void) {
        state.withLock { state in
            guard case .some(let number) = try? state.number(of: path), var file = state.files[number] else { return }
            body(&file.bytes)
            file.durable = file.bytes
            state.files[number] = file
        }
    }

    /// The bytes of a file.
    func bytes(of path: String) -> [UInt8]? {
        state.withLock { state in (try? state.number(of: path)).flatMap { state.files[$0]?.bytes } }
    }

    /// What is on the disk when the power comes back; what chance decides follows from `seed`.
    func afterPowerLoss(_ loss: PowerLoss, seed: UInt64 = 0) -> SimulatedDisk {
        var state = state.withLock { $0 }
        (state.opened, state.locks, state.synchronised) = ([:], [:], (0, 0))
        // A folder or file that no name leads to does no harm.
        for (number, folder) in state.folders {
            let names =
                switch loss {
                case .everything, .names: folder.history[0]
                case .bytes, .zeros, .nothing: folder.entries
                case .chance: folder.history[Int(Self.chance(seed, number) % UInt64(folder.history.count))]
                }
            state.folders[number] = Folder(history: [names])
        }
        for (number, file) in state.files {
            let bytes =
                switch loss {
                case .everything, .bytes: file.durable
                case .zeros: Self.part(file.durable, 0..<file.bytes.count)
                case .names, .nothing: file.bytes
                case .chance: Self.mixed(file, Self.chance(seed, number))
                }
            state.files[number] = File(bytes: bytes, durable: bytes, modified: file.modified)
        }
        return SimulatedDisk(state)
    }

    private static func chance(_ seed: UInt64, _ number: Int) -> UInt64 {
        var generator = SeededGenerator(seed: seed &+ UInt64(number))
        return generator.next()
    }

    /// One of the two lengths, and each sector as it was or as it is.
    private static func mixed(_ file: File, _ seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        let length = Bool.random(using: &generator) ? file.bytes.count : file.durable.count
        return sectors(length) { part(Bool.random(using: &generator) ? file.bytes : file.durable, $0) }
    }

    private static func sectors(_ length: Int, _ body: (Range<Int>) -> [UInt8]) -> [UInt8] {
        stride(from: 0, to: length, by: 512).flatMap { body($0..<min($0 + 512, length)) }
    }

    private static func part(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
        let present = bytes[min(range.lowerBound, bytes.count)..<min(range.upperBound, bytes.count)]
        return present + [UInt8](repeating: 0, count: range.count - present.count)
    }
}
