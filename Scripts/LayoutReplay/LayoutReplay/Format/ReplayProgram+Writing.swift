internal import ConstraintSolver
internal import JSONValues

extension ReplayProgram {
    /// The replay as JSON lines, the last with its line feed.
    ///
    /// Reading it returns the same name and steps. The dialect is extended if a step needs it.
    public var text: String {
        var lines: [String] = []
        if name != nil || isExtended {
            let dialect = isExtended ? ",\"dialect\":\"extended\"" : ""
            lines.append("{\"case\":\(ReplayText.quoted(name ?? ""))\(dialect)}")
        }
        lines += steps.map(\.text)
        return lines.map { $0 + "\n" }.joined()
    }
}

extension ReplayStep {
    /// The step as a line of the format.
    public var text: String {
        let quoted = ReplayText.quoted
        switch self {
        case .variables(let names): return "{\"vars\":[\(names.map(quoted).joined(separator: ","))]}"
        case .add(let id, let constraint):
            let terms = constraint.terms.map { "[\(quoted($0.variable)),\(ReplayText.number($0.coefficient))]" }
            let weight = constraint.weight == 1 ? "" : ",\"weight\":\(ReplayText.number(constraint.weight))"
            return "{\"add\":\(quoted(id)),\"terms\":[\(terms.joined(separator: ","))],"
                + "\"relation\":\"\(constraint.relation.replayName)\","
                + "\"constant\":\(ReplayText.number(constraint.constant)),\"priority\":\(constraint.priority)\(weight)}"
        case .remove(let id): return "{\"remove\":\(quoted(id))}"
        case .edit(let name, let priority): return "{\"edit\":\(quoted(name)),\"priority\":\(priority)}"
        case .suggest(let name, let value): return "{\"suggest\":\(quoted(name)),\"value\":\(ReplayText.number(value))}"
        case .constant(let id, let value): return "{\"constant\":\(quoted(id)),\"value\":\(ReplayText.number(value))}"
        case .expect(let demands, let tolerance):
            let members = demands.map { "\(quoted($0.subject)):\(ReplayText.number($0.value))" }
            return "{\"expect\":{\(members.joined(separator: ","))}\(ReplayStep.text(tolerance))}"
        case .violation(let demands, let tolerance):
            let members = demands.map { "\"\($0.subject)\":\(ReplayText.number($0.value))" }
            return "{\"violation\":{\(members.joined(separator: ","))}\(ReplayStep.text(tolerance))}"
        case .unsatisfiable(let id): return "{\"unsatisfiable\":\(quoted(id))}"
        case .endEdit(let name): return "{\"endEdit\":\(quoted(name))}"
        case .priority(let id, let value, let weight):
            let weight = weight.map { ",\"weight\":\(ReplayText.number($0))" } ?? ""
            return "{\"priority\":\(value),\"of\":\(quoted(id))\(weight)}"
        case .pause(let id): return "{\"pause\":\(quoted(id))}"
        case .resume(let id): return "{\"resume\":\(quoted(id))}"
        case .removeVariable(let name): return "{\"removeVariable\":\(quoted(name))}"
        }
    }

    private static func text(_ tolerance: Double?) -> String {
        tolerance.map { ",\"tolerance\":\(ReplayText.number($0))" } ?? ""
    }
}

extension Relation {
    /// The relation with a name of the format.
    init?(replayName: String) {
        guard let relation = Relation.allCases.first(where: { $0.replayName == replayName }) else { return nil }
        self = relation
    }

    /// The relation's name in the format.
    var replayName: String {
        switch self {
        case .equal: "eq"
        case .lessThanOrEqual: "le"
        case .greaterThanOrEqual: "ge"
        }
    }
}

/// JSON text of strings and numbers.
enum ReplayText {
    /// A string in quotes, with the escapes that JSON requires.
    static func quoted(_ text: String) -> String { String(decoding: JSONText.quoted(text), as: UTF8.self) }

    /// The shortest text of a double. Infinity is written as a number that is too large for a double.
    static func number(_ value: Double) -> String {
        if let whole = Int(exactly: value), abs(whole) < 1 << 53, value.sign == .plus || whole != 0 {
            return "\(whole)"
        }
        guard value.isFinite else { return value < 0 ? "-1e999" : "1e999" }
        return "\(value)"
    }
}
