/// JSON as a value, to be compared member by member.
enum JSONValue: Decodable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// A short text of the value, for a difference.
    var summary: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let value): value.debugDescription
        case .list(let values): "a list of \(values.count)"
        case .object(let members): "an object of \(members.count)"
        }
    }

    /// Calls `take` with each place where two values differ.
    static func eachDifference(
        _ expected: JSONValue?,
        _ asked: JSONValue?,
        at path: String = "",
        _ take: (_ path: String, _ expected: JSONValue?, _ asked: JSONValue?) -> Void
    ) {
        if expected == asked { return }
        switch (expected, asked) {
        case (.object(let left)?, .object(let right)?):
            for name in Set(left.keys).union(right.keys).sorted() {
                eachDifference(left[name], right[name], at: path.isEmpty ? name : "\(path).\(name)", take)
            }
        case (.list(let left)?, .list(let right)?):
            for index in 0..<max(left.count, right.count) {
                let (first, second) = (
                    index < left.count ? left[index] : nil, index < right.count ? right[index] : nil
                )
                eachDifference(first, second, at: "\(path)[\(index)]", take)
            }
        default: take(path, expected, asked)
        }
    }
}
