import LocalProvider
import SystemCalls
import Threading

/// The calls of a process that uses a ``SimulatedDisk``, and that may die at one of them: from that call on nothing it
/// does has an effect. A write that it dies at is half done.
final class SimulatedProcess: FileCalls {
    private let disk: SimulatedDisk
    private let end: Int
    private let calls = Locked(0)

    init(_ disk: SimulatedDisk, dyingAt end: Int = .max) {
        self.disk = disk
        self.end = end
    }

    /// How many calls there have been, those without an effect included.
    var count: Int { calls.withLock { $0 } }
    var isDead: Bool { count >= end }

    private func act<Result: Sendable>(
        _ body: (inout SimulatedDisk.State) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let number = calls.withLock { calls in
            calls += 1
            return calls
        }
        guard number < end else { throw SystemError(code: EIO, call: "death") }
        return try disk.state.withLock { state throws(SystemError) in try body(&state) }
    }

    func open(_ path: String, _ mode: FileOpening) throws(SystemError) -> Int32 {
        try act { state throws(SystemError) in try state.open(path, mode) }
    }

    func close(_ descriptor: Int32) {
        unlock(descriptor)
        disk.state.withLock { $0.opened[descriptor] = nil }
    }

    func read(_ file: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        let bytes = try act { state throws(SystemError) in state.files[try state.number(of: file)]?.bytes ?? [] }
        guard offset < bytes.count else { return 0 }
        let part = bytes[offset..<min(bytes.count, offset + buffer.count)]
        part.withUnsafeBytes { buffer.copyMemory(from: $0) }
        return part.count
    }

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        let bytes = Array(bytes)
        if count + 1 == end {
            disk.state.withLock { state in
                guard let number = state.opened[descriptor] else { return }
                state.write(bytes.prefix(bytes.count / 2), to: number, at: offset)
            }
        }
        return try act { state throws(SystemError) in
            state.write(bytes[...], to: try state.number(of: descriptor), at: offset)
            return bytes.count
        }
    }

    func synchronise(_ descriptor: Int32) throws(SystemError) {
        try act { state throws(SystemError) in
            let number = try state.number(of: descriptor)
            if let bytes = state.files[number]?.bytes { state.files[number]?.durable = bytes }
            state.synchronised.files += 1
        }
    }

    func synchroniseFolder(_ descriptor: Int32) throws(SystemError) {
        try act { state throws(SystemError) in
            let number = try state.number(of: descriptor)
            if let names = state.folders[number]?.entries { state.folders[number]?.history = [names] }
            state.synchronised.folders += 1
        }
    }

    func truncate(_ descriptor: Int32, to size: Int) throws(SystemError) {
        try act { state throws(SystemError) in
            let number = try state.number(of: descriptor)
            guard let bytes = state.files[number]?.bytes else { return }
            let zeros = [UInt8](repeating: 0, count: max(0, size - bytes.count))
            state.files[number]?.bytes = bytes.prefix(size) + zeros
        }
    }

    func status(_ descriptor: Int32) throws(SystemError) -> POSIX.Status {
        try act { state throws(SystemError) in state.status(of: try state.number(of: descriptor)) }
    }

    func outline(of path: String) throws(SystemError) -> POSIX.Status {
        try act { state throws(SystemError) in state.status(of: try state.number(of: path)) }
    }

    func status(of path: String) throws(SystemError) -> POSIX.Status {
        try act { state throws(SystemError) in state.status(of: try state.number(of: path)) }
    }

    func rename(_ path: String, to target: String) throws(SystemError) {
        try act { state throws(SystemError) in try state.rename(path, to: target) }
    }

    func link(_ path: String, to target: String) throws(SystemError) {
        try act { state throws(SystemError) in try state.name(try state.number(of: path), target) }
    }

    func remove(_ path: String) throws(SystemError) {
        try act { state throws(SystemError) in
            let number = try state.number(of: path)
            guard state.folders[number]?.entries.isEmpty ?? true else {
                throw SystemError(code: ENOTEMPTY, call: "rmdir")
            }
            let (folder, name) = try state.parent(of: path)
            state.folders[folder]?.change { $0[name] = nil }
        }
    }

    func makeFolder(_ path: String) throws(SystemError) {
        try act { state throws(SystemError) in
            if path == "/" { throw SystemError(code: EEXIST, call: "mkdir") }
            let number = state.take()
            try state.name(number, path)
            state.folders[number] = SimulatedDisk.Folder()
        }
    }

    func list(_ path: String) throws(SystemError) -> [String] {
        try act { state throws(SystemError) in
            guard let folder = state.folders[try state.number(of: path)] else {
                throw SystemError(code: ENOTDIR, call: "opendir")
            }
            return folder.entries.keys.sorted()
        }
    }

    func tryLock(_ descriptor: Int32) throws(SystemError) -> Bool {
        try act { state throws(SystemError) in
            let number = try state.number(of: descriptor)
            if let holder = state.locks[number], holder != descriptor { return false }
            state.locks[number] = descriptor
            return true
        }
    }

    func lock(_ descriptor: Int32) throws(SystemError) {
        // At most ten seconds: a process of a disk that has lost its power would wait forever.
        for _ in 0..<100_000 {
            if try tryLock(descriptor) { return }
            usleep(100)
        }
        throw SystemError(code: ETIMEDOUT, call: "flock")
    }

    func unlock(_ descriptor: Int32) {
        disk.state.withLock { state in
            guard let number = state.opened[descriptor], state.locks[number] == descriptor else { return }
            state.locks[number] = nil
        }
    }
}
