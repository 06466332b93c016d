/// A scope that does not hold what it stands for, so that a worker may keep it.
@MainActor
final class WeakInteractorScope: InteractorScope {
    private weak var scope: (any InteractorScope)?

    init(_ scope: any InteractorScope) {
        self.scope = scope
    }

    var isActive: Bool { scope?.isActive ?? false }

    func observeActivity(
        _ receive: @escaping @MainActor (Bool) -> Void,
        end: (@MainActor () -> Void)?
    ) -> ObservationToken {
        if let scope { return scope.observeActivity(receive, end: end) }
        receive(false)
        end?()
        return ObservationToken {}
    }
}
