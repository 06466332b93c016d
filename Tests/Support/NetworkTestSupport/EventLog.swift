import Foundation
public import HTTPTransport

/// Collects what happens on other threads.
public final class EventLog: @unchecked Sendable {
    private let lock = NSLock()
    private var events: [HTTPTransferEvent] = []
    private var texts: [String] = []

    public init() {}

    public func add(_ event: HTTPTransferEvent) { lock.withLock { events.append(event) } }
    public func add(_ text: String) { lock.withLock { texts.append(text) } }

    public var all: [HTTPTransferEvent] { lock.withLock { events } }
    public var lines: [String] { lock.withLock { texts } }
}
