import EssentialFoundation
import SystemCalls
import Threading

/// An accepted connection: reads requests and writes the handler's responses until one side closes it.
final class Connection: Sendable {
    private struct Closing {
        var isClosed = false
        var box: ResponseBox?
        var isHungUp = false
    }

    let descriptor: Int32
    let number: Int
    private let handling: LoopbackServer.Handling
    private let limits: RequestLimits
    private let state: Locked<LoopbackServer.State>
    private let closing = Locked(Closing())

    init(
        descriptor: Int32,
        number: Int,
        handling: LoopbackServer.Handling,
        limits: RequestLimits,
        state: Locked<LoopbackServer.State>
    ) {
        self.descriptor = descriptor
        self.number = number
        self.handling = handling
        self.limits = limits
        self.state = state
    }

    /// Serves requests until the end; runs on the connection's thread.
    func run() {
        var reader = RequestReader(connection: self, limits: limits)
        var spent = Connection.processorTime
        while let request = next(&reader) {
            state.withLock { state in
                if state.recordsRequests { state.requests.append(request) }
                state.connections[number].requests += 1
            }
            guard let response = response(to: request) else { break }
            var writer = ResponseWriter(connection: self, isHead: request.method == "HEAD")
            let keepsAlive = writer.write(response) && !request.isLast
            let now = Connection.processorTime
            let share = now - spent
            spent = now
            state.withLock { $0.processorTime += share }
            guard keepsAlive else { break }
        }
        finish()
    }

    /// Returns the next request; nil if the connection has ended, or the request was refused.
    private func next(_ reader: inout RequestReader) -> ServedRequest? {
        do throws(RequestReader.Refusal) {
            return try reader.next()
        } catch {
            var writer = ResponseWriter(connection: self, isHead: false)
            _ = writer.write(ServedResponse(status: error.status, closes: true))
            discard()
            return nil
        }
    }

    /// Reads what the client still sends, for a moment: closing the socket before would discard the response as well.
    private func discard() {
        shutdown(descriptor, Int32(SHUT_WR))
        let end = ContinuousClock.now + .seconds(1)
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { block in
            while read(into: block, until: end) != nil {}
        }
    }

    /// The processor time that the calling thread has used, in nanoseconds.
    private static var processorTime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private func response(to request: ServedRequest) -> ServedResponse? {
        switch handling {
        case .immediate(let handler): return handler(request)
        case .asynchronous(let handler):
            let box = ResponseBox()
            let isHungUp = closing.withLock { closing in
                closing.box = box
                return closing.isHungUp
            }
            guard !isHungUp else { return nil }
            let task = Task(executorPreference: box) { box.put(await handler(request)) }
            let response = box.take()
            if response == nil { task.cancel() }
            closing.withLock { $0.box = nil }
            return response
        }
    }

    /// Ends everything that the connection's thread waits for; may be called on any thread.
    func hangUp() {
        let box = closing.withLock { closing in
            closing.isHungUp = true
            // Under the lock: once it is closed, another file may have the descriptor.
            if !closing.isClosed { Socket.hangUp(descriptor) }
            return closing.box
        }
        box?.abandon()
    }

    /// Closes the socket and marks the thread as ended.
    func finish() {
        closing.withLock { closing in
            guard !closing.isClosed else { return }
            closing.isClosed = true
            close(descriptor)
        }
        state.withLock { state in
            state.connections[number].isClosed = true
            state.live[number] = nil
            state.finished.append(number)
        }
    }

    var isHungUp: Bool { closing.withLock { $0.isHungUp } }

    /// Records that the client has disconnected.
    func notePeerClosed() {
        guard !isHungUp else { return }
        state.withLock { state in
            if state.connections[number].peerClosed == nil { state.connections[number].peerClosed = .now }
        }
    }

    // MARK: - Bytes

    /// Reads the available bytes, waiting for some; nil if the connection has ended, or none have come until `end`.
    func read(into buffer: UnsafeMutableRawBufferPointer, until end: ContinuousClock.Instant? = nil) -> Int? {
        while true {
            if let end, end <= .now { return nil }
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return count }
            if count < 0, errno == EAGAIN || errno == EINTR {
                _ = Socket.wait(descriptor, for: Int16(POLLIN), milliseconds: Connection.milliseconds(until: end))
                continue
            }
            notePeerClosed()
            return nil
        }
    }

    /// Sends all bytes, waiting for the client to read; false if the connection has ended.
    func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Socket.send(descriptor, UnsafeRawBufferPointer(rebasing: rest))
            if count > 0 {
                rest = rest.dropFirst(count)
                state.withLock { $0.connections[number].bytesSent += count }
                continue
            }
            guard count < 0, errno == EAGAIN || errno == EINTR else {
                notePeerClosed()
                return false
            }
            // A client that has only finished sending still reads the response.
            let time = Connection.milliseconds(until: Connection.instant(after: limits.time))
            let events = Socket.wait(descriptor, for: Int16(POLLOUT), milliseconds: time)
            if events == 0 || events & Int16(POLLHUP | POLLERR) != 0 {
                notePeerClosed()
                return false
            }
        }
        return true
    }

    /// Sends a text as UTF-8; false if the connection has ended.
    func send(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { send(UnsafeRawBufferPointer($0)) }
    }

    /// The instant after a duration from now, of at most a century: later ones cannot be calculated with.
    static func instant(after duration: Duration?) -> ContinuousClock.Instant? {
        duration.map { .now + min(max($0, .zero), .seconds(100 * 365 * 86_400)) }
    }

    /// The time until an instant for a call of `poll`, at least a millisecond; without an instant, there is no limit.
    private static func milliseconds(until end: ContinuousClock.Instant?) -> Int32 {
        guard let end else { return -1 }
        return Int32(clamping: max(1, Int64((end - .now) / .milliseconds(1))))
    }

    /// Waits for `duration` (nil: without a limit) or until the client disconnects; false if it has.
    ///
    /// A client that closes its socket looks like one that has only finished sending, until it is sent something: with
    /// `outlastsSending`, such a client is recorded as disconnected, and the wait continues.
    func pause(_ duration: Duration?, outlastsSending: Bool = false) -> Bool {
        let end = Connection.instant(after: duration)
        #if os(Linux)
            var awaited = Socket.peerHangUp
        #endif
        while true {
            if let end, end <= .now { return true }
            let milliseconds = Connection.milliseconds(until: end)
            #if os(Linux)
                let events = Socket.wait(descriptor, for: awaited, milliseconds: milliseconds)
                guard events != 0 else { continue }
                notePeerClosed()
                guard outlastsSending, events & Int16(POLLHUP | POLLERR) == 0 else { return false }
                // Now only a reset, or the end of the server, ends the wait.
                awaited = 0
            #else
                let events = Socket.wait(descriptor, for: Int16(POLLIN), milliseconds: milliseconds)
                guard events != 0 else { continue }
                var byte: UInt8 = 0
                let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
                if count <= 0 { notePeerClosed() }
                guard count > 0 || (count == 0 && outlastsSending && !isHungUp) else { return false }
                // The end of what the client sends, or a pipelined request, hides that of the connection: check again later.
                usleep(1_000)
            #endif
        }
    }
}
