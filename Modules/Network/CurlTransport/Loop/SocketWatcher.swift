import CLibcurl
import HTTPTransport
import SystemCalls

/// Waits until libcurl's sockets are ready. What they are watched for can change while another thread waits.
final class SocketWatcher: @unchecked Sendable {
    private let watcher = UnsafeMutablePointer<paw_socket_watcher>.allocate(capacity: 1)
    /// The sockets that libcurl wants to be watched; used in a turn only.
    private var watched: Set<Int32> = []
    /// The sockets of which the system may report events.
    private var registered: Set<Int32> = []
    private let events: UnsafeMutableBufferPointer<paw_socket_event>
    /// Whether the next socket is held instead of watched; used in a turn only, as ``held``.
    var holdsNext = false
    /// The socket that the thread of a task waits for.
    private(set) var held: paw_socket_event?

    init() throws(HTTPTransportError) {
        let code = paw_watcher_open(watcher)
        guard code == 0 else {
            watcher.deallocate()
            throw HTTPTransportError(
                .library,
                detail: "sockets cannot be watched: \(SystemError(code: code, call: "epoll"))"
            )
        }
        events = .allocate(capacity: 64)
    }

    deinit {
        paw_watcher_close(watcher)
        watcher.deallocate()
        events.deallocate()
    }

    /// Has libcurl say which sockets it wants to be watched. This object must outlive the multi handle.
    func observe(_ multi: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = paw_curl_multi_set_socket_callback(
            multi,
            { _, socket, actions, context, _ in
                guard let context else { return 0 }
                Unmanaged<SocketWatcher>.fromOpaque(context).takeUnretainedValue().watch(socket, actions)
                return 0
            },
            context
        )
    }

    private func watch(_ socket: Int32, _ actions: Int32) {
        if held?.socket == socket { held = nil }
        // The system still watches it: the connection is usually used again, and otherwise closed.
        guard actions != PAW_CURL_POLL_REMOVE else { return _ = watched.remove(socket) }
        watched.insert(socket)
        if holdsNext, held == nil {
            held = paw_socket_event(socket: socket, actions: actions)
            if registered.contains(socket) { ignore(socket) }
        } else {
            registered.insert(socket)
            paw_watcher_watch(watcher, socket, actions)
        }
    }

    private func ignore(_ socket: Int32) {
        registered.remove(socket)
        paw_watcher_ignore(watcher, socket)
    }

    /// Watches the held socket. Other threads' turns begin with this, since the one that waits for it may not get the next turn.
    func releaseHeld() {
        holdsNext = false
        guard let socket = held else { return }
        held = nil
        watch(socket.socket, socket.actions)
    }

    /// Returns whether libcurl wants a socket to be watched, whose event is otherwise the end of an unused connection.
    func isWatched(_ socket: Int32) -> Bool {
        if watched.contains(socket) { return true }
        ignore(socket)
        return false
    }

    /// Waits for events; called by one thread.
    func wait(milliseconds: Int32) -> UnsafeMutableBufferPointer<paw_socket_event>.SubSequence {
        let count = paw_watcher_wait(watcher, events.baseAddress, Int32(events.count), milliseconds)
        return events[..<Int(count)]
    }

    /// Makes ``wait(milliseconds:)`` return at once.
    func wake() { paw_watcher_wake(watcher) }
}

/// A lock that can be tried without waiting.
final class TurnLock: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }

    /// Locks it if no thread holds it, not even the current one; returns whether it did.
    func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }

    func unlock() { pthread_mutex_unlock(mutex) }
}
