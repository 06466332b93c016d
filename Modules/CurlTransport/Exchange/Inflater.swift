import CLibcurl
import HTTPTransport

/// Unpacks gzip, zlib and bare deflate as they arrive, and knows whether the stream came to its end.
final class Inflater {
    private let stream: UnsafeMutablePointer<paw_zlib_stream>
    private let isDeflate: Bool
    private var hasInput = false
    private var isEnded = false

    /// Takes the value of a Content-Encoding field; nil for an encoding that is none or not known.
    init?(encoding: String) {
        switch encoding.lowercased() {
        case "gzip", "x-gzip": isDeflate = false
        case "deflate": isDeflate = true
        default: return nil
        }
        stream = .allocate(capacity: 1)
        stream.initialize(to: paw_zlib_stream())
        guard paw_inflate_begin(stream, Inflater.wrapped) == 0 else { return nil }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Window bits for gzip and zlib, told apart by their first bytes.
    private static let wrapped: Int32 = 15 + 32
    /// Window bits for deflate without a wrapper, which some servers send as "deflate".
    private static let bare: Int32 = -15

    /// Whether everything that began has ended; true for a body without a byte.
    var isComplete: Bool { isEnded || !hasInput }

    /// Unpacks bytes, handing on at most 64 KiB at a time.
    func unpack(
        _ bytes: UnsafeRawBufferPointer,
        _ take: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
        let isFirst = !hasInput
        hasInput = true
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { room.deallocate() }
        stream.pointee.next_in = base.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(bytes.count)
        while true {
            if isEnded {
                // Another gzip member may follow; anything else behind the end is padding.
                guard stream.pointee.avail_in > 0, stream.pointee.next_in?.pointee == 0x1f else { return }
                inflateReset2(stream, Inflater.wrapped)
                isEnded = false
            }
            stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(room.count)
            let result = inflate(stream, 0)
            let count = room.count - Int(stream.pointee.avail_out)
            if count > 0 { try take(UnsafeRawBufferPointer(rebasing: room[..<count])) }
            switch result {
            case 0:
                if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return }
            case 1:
                isEnded = true
            case -5:
                return
            default:
                guard isFirst, isDeflate, stream.pointee.total_out == 0 else {
                    let reason = stream.pointee.msg.map { String(cString: $0) } ?? "code \(result)"
                    throw HTTPTransportError(.badContentEncoding, detail: reason)
                }
                inflateReset2(stream, Inflater.bare)
                stream.pointee.next_in = base.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_in = UInt32(bytes.count)
                try unpackBare(room, take)
                return
            }
        }
    }

    private func unpackBare(
        _ room: UnsafeMutableRawBufferPointer,
        _ take: (UnsafeRawBufferPointer) throws(HTTPTransportError) -> Void
    ) throws(HTTPTransportError) {
        repeat {
            stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(room.count)
            let result = inflate(stream, 0)
            let count = room.count - Int(stream.pointee.avail_out)
            if count > 0 { try take(UnsafeRawBufferPointer(rebasing: room[..<count])) }
            if result == 1 {
                isEnded = true
                return
            }
            guard result == 0 || result == -5 else {
                throw HTTPTransportError(.badContentEncoding, detail: "neither zlib nor deflate")
            }
        } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
    }
}
