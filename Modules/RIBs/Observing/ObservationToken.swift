/// Keeps an observation alive: it ends when the token is cancelled or let go.
@MainActor
public final class ObservationToken {
    private var onCancel: (@MainActor () -> Void)?

    init(onCancel: @escaping @MainActor () -> Void) {
        self.onCancel = onCancel
    }

    isolated deinit {
        cancel()
    }

    /// Ends the observation. Nothing is delivered afterwards; a second call does nothing.
    public func cancel() {
        let cancel = onCancel
        onCancel = nil
        cancel?()
    }

    /// Ends the observation when the interactor resigns; at once when it is inactive.
    public func cancelOnDeactivate(of interactor: Interactor) {
        interactor.onDeactivate { self.cancel() }
    }
}
