/// The path of a value in a tree, from the inside out, so that a longer path costs one allocation.
class CodingPath {
    /// The last key; `nil` for a value with the path of the outer one.
    private let key: (any CodingKey)?
    private let outer: CodingPath?

    init(_ key: (any CodingKey)?, in outer: CodingPath?) { (self.key, self.outer) = (key, outer) }

    /// Returns the keys of a path from the outside in; `nil` is the path of the outermost value.
    final class func keys(_ path: CodingPath?) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var path = path
        while let step = path {
            if let key = step.key { keys.append(key) }
            path = step.outer
        }
        return keys.reversed()
    }

    /// The key of an element of an array, or of the encoder or decoder of a superclass.
    enum Step: CodingKey {
        case index(Int), superclass

        init(stringValue: String) { self = .superclass }
        init(intValue: Int) { self = .index(intValue) }

        var stringValue: String { intValue.map { "Index \($0)" } ?? "super" }
        var intValue: Int? { if case .index(let index) = self { index } else { nil } }
    }
}
