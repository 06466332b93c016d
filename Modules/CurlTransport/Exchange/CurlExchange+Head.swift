import CLibcurl
import HTTPTransport
import Locking

// The head of the answer, as libcurl hands it on line by line.
extension CurlExchange {
    /// Takes a line; less than its count fails the transfer.
    func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
        lastActivity = loop.now
        do throws(HTTPTransportError) {
            if try head.add(line, request.limits) == .done { try finishHead() }
        } catch {
            failure = error.at(request.url)
            return 0
        }
        return line.count
    }

    private func finishHead() throws(HTTPTransportError) {
        let headers = head.take()
        if request.decompresses, let encoding = headers["content-encoding"] {
            inflater = Inflater(encoding: encoding)
        }
        if let handle, inflater == nil || request.limits.bodyBytes != nil, request.method != .head {
            let length = handle.offset(PAW_CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
            if let limit = request.limits.bodyBytes, length > limit { throw .bodyTooLarge(.bodyBytes, limit: limit) }
            if inflater == nil, length >= 0 { expectedLength = length }
        }
        let whole = HTTPResponseHead(status: head.status, headers: headers, url: request.url)
        shared.withLock { $0.head = whole }
        loop.markDirty(self)
    }

    /// Looks for the presented key in one of libcurl's notes.
    func takeNote(_ note: UnsafeRawBufferPointer) {
        let text = String(decoding: note, as: UTF8.self)
        guard text.contains("public key hash"), let mark = text.firstRange(of: "sha256//") else { return }
        presentedKey = try? PublicKeyPin(String(text[mark.upperBound...].prefix { !$0.isWhitespace }))
    }
}
