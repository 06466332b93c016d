/// What an encoder or decoder has to complain about, in one line that names the place in the value.
enum CodingProblem {
    static func text(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            return "there is no \"\(key.stringValue)\"" + place(context.codingPath)
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            return "it is no \(type)" + place(context.codingPath)
        case DecodingError.dataCorrupted(let context):
            return context.debugDescription + place(context.codingPath)
        case EncodingError.invalidValue(_, let context):
            return context.debugDescription + place(context.codingPath)
        default:
            return "\(error)"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "" }
        return " at " + path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }
}
