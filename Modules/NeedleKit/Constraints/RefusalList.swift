/// Errors that are told once: each only one time, and no more than the latest hundred of them.
struct RefusalList {
    static let limit = 100

    private(set) var errors: [LayoutError] = []

    mutating func tell(_ error: LayoutError) {
        guard !errors.contains(error) else { return }
        if errors.count == RefusalList.limit { errors.removeFirst() }
        errors.append(error)
    }

    /// The errors since the last call.
    mutating func take() -> [LayoutError] {
        defer { errors.removeAll() }
        return errors
    }
}
