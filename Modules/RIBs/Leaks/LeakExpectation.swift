/// An object's expected end, which can be taken back.
@MainActor
public final class LeakExpectation {
    private var onCancel: (@MainActor () -> Void)?

    init(onCancel: @escaping @MainActor () -> Void) {
        self.onCancel = onCancel
    }

    /// Takes the expectation back; does nothing when it is met, over or cancelled already.
    public func cancel() {
        let cancel = onCancel
        onCancel = nil
        cancel?()
    }
}
