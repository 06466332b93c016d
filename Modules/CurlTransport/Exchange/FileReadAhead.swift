import HTTPTransport
import SystemCalls
import Threading

/// A file that can be read from any offset. The calls may block, for as long as the file system does not respond.
protocol UploadFile: Sendable {
    /// The number of bytes when the file was opened.
    var size: Int64 { get }

    /// Fills a buffer from an offset.
    /// - Returns: the number of bytes read; 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(RegularFile.Failure) -> Int
}

extension RegularFile: UploadFile {}

/// A block of a file in memory.
///
/// Not synchronised: it is filled by one thread, then passed on and read by another.
final class FileBlock: @unchecked Sendable {
    /// The number of bytes in the block.
    private(set) var count = 0
    private let bytes: UnsafeMutableRawBufferPointer

    /// The maximum number of bytes in the block.
    var capacity: Int { bytes.count }

    init(capacity: Int) { bytes = .allocate(byteCount: capacity, alignment: 16) }

    deinit { bytes.deallocate() }

    /// Reads bytes from an offset, as many as fit; fewer only at the end of the file. It may block.
    func fill(from file: any UploadFile, at offset: Int64) throws(RegularFile.Failure) {
        count = 0
        // Bytes that are appended to the file after the start are not sent.
        let wanted = Int(max(0, min(Int64(bytes.count), file.size - offset)))
        while count < wanted {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count..<wanted])
            let read = try file.read(into: rest, at: offset + Int64(count))
            if read == 0 { return }
            count += read
        }
    }

    /// Copies bytes from an offset in the block; returns their number, 0 at its end.
    func copy(from offset: Int, to buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = bytes[offset..<min(count, offset + buffer.count)]
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece))
        return piece.count
    }
}

/// Reads a file for libcurl, one block ahead.
///
/// Blocks are read on other threads, so that a slow file system delays its upload and no other exchange. Two blocks are in
/// memory, the one that is sent and the next one, besides the first one, which is read when the file is opened.
final class FileReadAhead: Sendable {
    /// The size of the blocks, except for the first one.
    static let blockSize = 256 << 10
    /// The size of the first block, which is in memory while the exchange waits in the queue.
    static let firstBlockSize = 64 << 10

    private struct State {
        var block: FileBlock
        var sentOfBlock = 0
        /// The block that was read ahead.
        var next: Result<FileBlock, RegularFile.Failure>?
        /// A block whose memory is used again.
        var spare: FileBlock?
        /// The offset of the next block to read.
        var offset: Int64
        var isReading = false
        /// Whether libcurl found no bytes and must be resumed.
        var isStarved = false
    }

    private let file: any UploadFile
    private let threads: ThreadCache
    private let state: Locked<State>

    /// Creates a reader.
    /// - Parameters:
    ///   - file: the file.
    ///   - first: its first block, which is not changed.
    ///   - threads: the threads on which the other blocks are read.
    init(_ file: any UploadFile, first: FileBlock, threads: ThreadCache) {
        self.file = file
        self.threads = threads
        state = Locked(State(block: first, offset: Int64(first.count)))
    }

    /// Fills a buffer with the next bytes that have been read, and has the next block read.
    func read(into buffer: UnsafeMutableRawBufferPointer, for exchange: CurlExchange) -> CurlUpload.Reading {
        // A pointer cannot be captured by the lock's closure, an address can.
        let (address, size, fileSize) = (UInt(bitPattern: buffer.baseAddress), buffer.count, file.size)
        let (reading, request) = state.withLock { state -> (CurlUpload.Reading, (block: FileBlock, offset: Int64)?) in
            if state.sentOfBlock == state.block.count, let next = state.next {
                switch next {
                case .failure(let failure): return (.failed("the file cannot be read: \(failure)"), nil)
                case .success(let block):
                    // The first block is needed again if the body is sent again.
                    if state.block.capacity == FileReadAhead.blockSize { state.spare = state.block }
                    (state.block, state.sentOfBlock, state.next) = (block, 0, nil)
                }
            }
            let start = UnsafeMutableRawPointer(bitPattern: address)
            let count = state.block.copy(
                from: state.sentOfBlock,
                to: UnsafeMutableRawBufferPointer(start: start, count: size)
            )
            state.sentOfBlock += count
            let readsAhead = state.next == nil && !state.isReading && state.offset < fileSize
            if readsAhead { state.isReading = true }
            state.isStarved = count == 0 && state.isReading
            let reading: CurlUpload.Reading = state.isStarved ? .later : .bytes(count)
            guard readsAhead else { return (reading, nil) }
            let block = state.spare ?? FileBlock(capacity: FileReadAhead.blockSize)
            state.spare = nil
            return (reading, (block, state.offset))
        }
        guard let (block, offset) = request else { return reading }
        do throws(SystemError) {
            try threads.run { [self, weak exchange] in fill(block, at: offset, for: exchange) }
        } catch {
            return .failed("the file cannot be read: \(error)")
        }
        return reading
    }

    private func fill(_ block: FileBlock, at offset: Int64, for exchange: CurlExchange?) {
        let result: Result<FileBlock, RegularFile.Failure>
        do throws(RegularFile.Failure) {
            try block.fill(from: file, at: offset)
            result = .success(block)
        } catch {
            result = .failure(error)
        }
        let (count, size) = (block.count, file.size)
        let wasStarved = state.withLock { state in
            // A block that is not full is the last one: the file was truncated.
            state.offset = count < FileReadAhead.blockSize ? size : offset + Int64(count)
            state.next = result
            state.isReading = false
            defer { state.isStarved = false }
            return state.isStarved
        }
        if wasStarved, let exchange { exchange.loop.post(.resume(exchange)) }
    }
}
