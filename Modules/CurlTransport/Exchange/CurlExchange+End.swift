import CLibcurl
import HTTPTransport
import Locking

// Called by the loop's thread: times and the end.
extension CurlExchange {
    /// Whether the end is known already, by a cancellation as a rule.
    var isEnded: Bool { shared.withLock { $0.end != nil } }

    /// The earliest time at which a timeout may pass.
    var nextDeadline: Nanoseconds {
        let idle = isHeldByClient ? Nanoseconds.max : lastActivity + idleLimit
        return min(idle, deadline ?? .max)
    }

    /// Which timeout has passed, if any.
    func expired(at now: Nanoseconds) -> HTTPTransportError.Phase? {
        if let deadline, deadline <= now { return .total }
        if !isHeldByClient, lastActivity + idleLimit <= now { return .idle }
        return nil
    }

    /// What the transfer came to.
    func outcome(result: Int32, failure known: HTTPTransportError?) -> Result<Void, HTTPTransportError> {
        if let error = known ?? failure { return .failure(error) }
        guard result == 0 else { return .failure(failure(for: result)) }
        guard head.isDone else { return .failure(HTTPTransportError(.malformedResponse, detail: "no head came")) }
        guard inflater?.isComplete ?? true else {
            return .failure(HTTPTransportError(.badContentEncoding, detail: "the packed body ends too early"))
        }
        return .success(())
    }

    /// Tells what of the progress is not told yet, and what the exchange cost.
    func tellEnd() {
        guard let events, let handle else { return }
        if uploadGate.isBehind(upload.sent) { events(.uploaded(upload.sent, of: upload.length)) }
        if downloadGate.isBehind(received) { events(.downloaded(received, of: expectedLength)) }
        events(.finished(metrics(of: handle)))
    }

    /// Lets go of what libcurl needed, once it holds nothing of it any more.
    func detach() {
        handle = nil
        curl_slist_free_all(fields)
        fields = nil
        inflater = nil
        upload.stop()
        shared.withLock { $0.isDetached = true }
    }

    /// Sets the end, unless there is one, and wakes whoever waits.
    func end(_ outcome: Result<Void, HTTPTransportError>) {
        let placed = outcome.mapError { $0.at(request.url) }
        let waiter = shared.withLock { shared in
            if shared.end == nil { shared.end = placed }
            return shared.readyWaiter()
        }
        waiter?.resume()
    }

    /// Wakes the waiter if there is something for it.
    func wake() {
        let waiter = shared.withLock { $0.readyWaiter() }
        waiter?.resume()
    }

    /// What the exchange cost.
    private func metrics(of handle: CurlHandle) -> HTTPMetrics {
        func time(_ info: paw_curl_info) -> Duration { .microseconds(handle.offset(info)) }
        let isReused = handle.number(PAW_CURLINFO_NUM_CONNECTS) == 0
        let secured = time(PAW_CURLINFO_APPCONNECT_TIME_T)
        return HTTPMetrics(
            nameLookup: isReused ? nil : time(PAW_CURLINFO_NAMELOOKUP_TIME_T),
            connect: isReused ? nil : time(PAW_CURLINFO_CONNECT_TIME_T),
            secured: isReused || secured == .zero ? nil : secured,
            firstByte: time(PAW_CURLINFO_STARTTRANSFER_TIME_T),
            total: time(PAW_CURLINFO_TOTAL_TIME_T),
            bytesSent: handle.offset(PAW_CURLINFO_SIZE_UPLOAD_T),
            bytesReceived: handle.offset(PAW_CURLINFO_SIZE_DOWNLOAD_T),
            isConnectionReused: isReused,
            protocolVersion: CurlExchange.protocolName(handle.number(PAW_CURLINFO_HTTP_VERSION))
        )
    }

    private static func protocolName(_ number: Int) -> String? {
        switch number {
        case 1: "HTTP/1.0"
        case 2: "HTTP/1.1"
        case 3: "HTTP/2"
        case 30: "HTTP/3"
        default: nil
        }
    }
}
