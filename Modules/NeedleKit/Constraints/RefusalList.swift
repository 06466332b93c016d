/// Errors that do not come right by themselves: each only once, and no more than the latest hundred of them.
struct RefusalList {
    static let limit = 100

    private(set) var errors: [LayoutError] = []
    /// How many of them were there when the last layout ended.
    private var former = 0

    mutating func tell(_ error: LayoutError) {
        if let place = errors.firstIndex(of: error) {
            guard place < former else { return }
            remove(at: place)
        }
        if errors.count == RefusalList.limit { remove(at: 0) }
        errors.append(error)
    }

    /// A layout begins: what the one before ended with was told.
    mutating func layoutBegins() {
        guard former > 0 else { return }
        errors.removeFirst(former)
        former = 0
    }

    /// A layout ends.
    mutating func layoutEnds() {
        former = errors.count
    }

    /// The errors since the last call.
    mutating func take() -> [LayoutError] {
        defer { self = RefusalList() }
        return errors
    }

    private mutating func remove(at place: Int) {
        errors.remove(at: place)
        if place < former { former -= 1 }
    }
}
