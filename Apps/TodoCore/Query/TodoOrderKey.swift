#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What decides a todo's place in ``Todo/comesBefore(_:_:)``, with where the todo stood before.
struct TodoOrderKey: Comparable {
    let index: Int
    /// Seconds before the reference date at which it was completed, so that the latest comes first; lowest while open.
    private let completed: Double
    private let rank: UInt8
    private let day: Int
    /// Seconds after the reference date at which it was added.
    private let created: Double
    private let id: TodoID

    init(_ todo: Todo, index: Int) {
        self.index = index
        completed = todo.completed.map { -$0.timeIntervalSinceReferenceDate } ?? -.infinity
        rank = todo.priority?.rank ?? .max
        day = todo.due?.number ?? .max
        created = todo.created.timeIntervalSinceReferenceDate
        id = todo.id
    }

    static func < (left: TodoOrderKey, right: TodoOrderKey) -> Bool {
        if left.completed != right.completed { return left.completed < right.completed }
        if left.rank != right.rank { return left.rank < right.rank }
        if left.day != right.day { return left.day < right.day }
        if left.created != right.created { return left.created < right.created }
        return left.id.description < right.id.description
    }
}
