import CLibcurl
import HTTPTransport
import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The bodies, as libcurl takes and gives them.
extension CurlExchange {
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard !isGivenUp else { return 0 }
        lastActivity = loop.now
        let isHeldBack = shared.withLock { shared in
            guard shared.collectLimit == nil, shared.end == nil,
                shared.buffer.count >= loop.configuration.bufferedBytes
            else { return false }
            shared.isPaused = true
            return true
        }
        guard !isHeldBack else {
            isHeldByClient = true
            return CurlSignal.writePause
        }
        do throws(HTTPTransportError) {
            packed += Int64(bytes.count)
            if let limit = request.limits.bodyBytes, packed > limit { throw .bodyTooLarge(.bodyBytes, limit: limit) }
            if inflater == nil {
                try keep(bytes)
            } else {
                try inflater?.unpack(bytes) { piece throws(HTTPTransportError) in
                    try checkUnfolding(piece.count)
                    try keep(piece)
                }
            }
        } catch {
            failure = error.at(request.url)
            return 0
        }
        loop.markDirty(self)
        if let events, downloadGate.reports(received, of: expectedLength, at: loop.now) {
            events(.downloaded(received, of: expectedLength))
        }
        return bytes.count
    }

    /// Refuses a bomb: too many bytes in all, or too many for what was sent.
    private func checkUnfolding(_ more: Int) throws(HTTPTransportError) {
        let unfolded = received + Int64(more)
        guard unfolded <= request.limits.decompressedBytes else {
            throw .bodyTooLarge(.decompressedBytes, limit: Int64(request.limits.decompressedBytes))
        }
        guard unfolded <= 4 << 20 || unfolded / Int64(request.limits.decompressionRatio) <= packed else {
            throw .bodyTooLarge(.decompressionRatio, limit: Int64(request.limits.decompressionRatio))
        }
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) throws(HTTPTransportError) {
        received += Int64(bytes.count)
        let expected = Int(clamping: expectedLength ?? 0)
        let bufferedBytes = loop.configuration.bufferedBytes
        // Pointers do not cross into the lock's region: an address does. The bytes outlive this call.
        let (address, count) = (UInt(bitPattern: bytes.baseAddress), bytes.count)
        try shared.withLock { shared throws(HTTPTransportError) in
            guard shared.end == nil else { throw HTTPTransportError.cancelled }
            if let limit = shared.collectLimit, shared.buffer.count + count > limit || expected > limit {
                throw HTTPTransportError.bodyTooLarge(limit: limit)
            }
            let room = shared.collectLimit == nil ? min(expected, bufferedBytes) : expected
            let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
            guard shared.buffer.append(bytes, expected: room) else {
                throw HTTPTransportError(.bodyTooLarge, detail: "no memory for the body; stream it")
            }
        }
    }

    func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
        lastActivity = loop.now
        switch upload.read(into: room, for: self) {
        case .bytes(let count):
            isHeldByClient = false
            if let events, count > 0, uploadGate.reports(upload.sent, of: upload.length, at: loop.now) {
                events(.uploaded(upload.sent, of: upload.length))
            }
            return count
        case .later:
            isHeldByClient = true
            return CurlSignal.readPause
        case .failed(let detail):
            failure = HTTPTransportError(.uploadFailed, url: request.url, detail: detail)
            return CurlSignal.readAbort
        }
    }
}
