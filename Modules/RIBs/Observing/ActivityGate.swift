/// Lets values pass while a scope is active, and keeps the latest one for the next activation.
@MainActor
final class ActivityGate<Element: Sendable> {
    private let deliver: @MainActor (Element) -> Void
    private let finish: @MainActor ((any Error)?) -> Void
    private var latest: Element?
    private var isOpen = false
    private var isDelivered = true
    private var sourceHasEnded = false

    init(
        deliver: @escaping @MainActor (Element) -> Void,
        finish: @escaping @MainActor ((any Error)?) -> Void
    ) {
        self.deliver = deliver
        self.finish = finish
    }

    /// Feeds the gate from `source` and opens it with `scope`, until the returned function is called.
    func connect<Source: AsyncSequence & Sendable>(
        _ source: Source,
        to scope: any InteractorScope
    ) -> @MainActor () -> Void where Source.Element == Element {
        let token = scope.observeActivity({ self.set(open: $0) }, end: { self.finish(nil) })
        let task = Task {
            do {
                for try await element in source { self.offer(element) }
                self.endSource()
            } catch {
                self.finish(error)
            }
        }
        return {
            token.cancel()
            task.cancel()
        }
    }

    private func offer(_ element: Element) {
        latest = element
        isDelivered = false
        deliverIfOpen()
    }

    private func set(open: Bool) {
        isOpen = open
        deliverIfOpen()
    }

    private func endSource() {
        sourceHasEnded = true
        if isDelivered { finish(nil) }
    }

    private func deliverIfOpen() {
        guard isOpen, let latest else { return }
        isDelivered = true
        deliver(latest)
        if sourceHasEnded { finish(nil) }
    }
}
