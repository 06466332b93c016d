import SystemCalls
import Threading

/// Accepts connections until a byte arrives in the pipe. It retains the server's state, not the server.
struct Acceptor: Sendable {
    let listener: Int32
    let wakeReader: Int32
    let handling: LoopbackServer.Handling
    let limits: RequestLimits
    var state = Locked(LoopbackServer.State())

    /// Accepts connections; runs on its own thread.
    func run() {
        while waitForClient() { accept() }
    }

    private func waitForClient() -> Bool {
        var entries = [
            pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&entries, 2, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return entries[1].revents == 0
    }

    private func accept() {
        let descriptor = SystemCalls.accept(listener, nil, nil)
        guard descriptor >= 0 else {
            // The client still waits: without a pause, a process without a free descriptor would ask for it without end.
            _ = Socket.wait(wakeReader, for: Int16(POLLIN), milliseconds: 50)
            return
        }
        Socket.prepare(descriptor)
        Socket.makeNonBlocking(descriptor)
        let ended = state.withLock { state in
            defer { state.finished = [] }
            return state.finished.compactMap { state.threads.removeValue(forKey: $0) }
        }
        for thread in ended { thread.join() }
        let number = state.withLock { state in
            state.connections.append(ConnectionRecord(number: state.connections.count, opened: .now))
            return state.connections.count - 1
        }
        let connection = Connection(
            descriptor: descriptor,
            number: number,
            handling: handling,
            limits: limits,
            state: state
        )
        do {
            // Under the lock that the thread takes when it has finished.
            try state.withLock { state throws(LoopbackServerError) in
                state.live[number] = connection
                state.threads[number] = try LoopbackServerError.startThread { connection.run() }
            }
        } catch {
            connection.finish()
        }
    }
}
