import Foundation
import HTTPTransport

/// Collects what happens on other threads.
final class EventLog: @unchecked Sendable {
    private let lock = NSLock()
    private var events: [HTTPTransferEvent] = []
    private var texts: [String] = []

    func add(_ event: HTTPTransferEvent) { lock.withLock { events.append(event) } }
    func add(_ text: String) { lock.withLock { texts.append(text) } }

    var all: [HTTPTransferEvent] { lock.withLock { events } }
    var lines: [String] { lock.withLock { texts } }
}
