internal import ConstraintSolver

/// Reads the step of a line from its members, which must be known and have the correct types.
struct ReplayLineReader {
    struct Failure: Error {
        var message: String
    }

    /// The member that identifies each kind of line, and its further members.
    private static let kinds: [(name: String, others: [String])] = [
        ("vars", []),
        ("add", ["terms", "relation", "constant", "priority"]),
        ("remove", []),
        ("edit", ["priority"]),
        ("suggest", ["value"]),
        ("expect", ["tolerance"]),
        ("violation", ["tolerance"]),
        ("unsatisfiable", []),
        ("constant", ["value"]),
    ]
    private static let extendedKinds: [(name: String, others: [String])] = [
        ("endEdit", []), ("pause", []), ("resume", []), ("removeVariable", []), ("priority", ["of", "weight"]),
    ]

    private let members: [ReplayJSON.Member]
    private let isExtended: Bool
    /// The kind of the line.
    private var kind = ""

    init(_ value: ReplayJSON, isExtended: Bool) throws(Failure) {
        guard case .object(let members) = value else {
            throw Failure(message: "a line must be an object such as {\"remove\":\"a\"}, not \(value.kind)")
        }
        self.members = members
        self.isExtended = isExtended
    }

    var isCase: Bool { members.contains { $0.name == "case" } }

    func failure(_ message: String) -> Failure { Failure(message: message) }

    /// Returns the name of a case line, and whether it selects the extended dialect.
    func caseLine() throws(Failure) -> (name: String, isExtended: Bool) {
        let name = try identifier("case")
        return (name, find("dialect") == .string("extended"))
    }

    mutating func step() throws(Failure) -> ReplayStep {
        let kinds = isExtended ? Self.kinds + Self.extendedKinds : Self.kinds
        guard let (name, others) = kinds.first(where: { find($0.name) != nil }) else {
            let known = kinds.map(\.name).joined(separator: ", ")
            guard let first = members.first else { throw failure("an empty object says nothing; lines are: \(known)") }
            throw failure("unknown member \"\(first.name)\"; a line has one of: case, \(known)")
        }
        kind = name
        for member in members where member.name != name && !others.contains(member.name) {
            if isExtended, name == "add", member.name == "weight" { continue }
            let known = others.isEmpty ? "nothing else" : others.joined(separator: ", ")
            throw failure("unknown member \"\(member.name)\"; beside \"\(name)\" may stand: \(known)")
        }
        switch name {
        case "vars": return .variables(try names())
        case "add": return .add(try identifier("add"), try constraint())
        case "remove": return .remove(try identifier("remove"))
        case "edit": return .edit(try text("edit"), priority: try priority(try required("priority")))
        case "suggest": return .suggest(try text("suggest"), try number("value"))
        case "expect":
            var demands: [ReplayDemand<String>] = []
            for member in try object("expect") {
                demands.append(ReplayDemand(member.name, try finite(member.value, "expect \(member.name)")))
            }
            return .expect(demands, tolerance: try tolerance())
        case "violation":
            var demands: [ReplayDemand<Int>] = []
            for member in try object("violation") {
                guard let priority = Int(member.name), (1...1000).contains(priority) else {
                    throw failure("violation must name priorities 1 to 1000, not \"\(member.name)\"")
                }
                demands.append(ReplayDemand(priority, try finite(member.value, "violation \(priority)")))
            }
            return .violation(demands, tolerance: try tolerance())
        case "unsatisfiable": return .unsatisfiable(try identifier("unsatisfiable"))
        case "constant": return .constant(try identifier("constant"), try number("value"))
        case "endEdit": return .endEdit(try text("endEdit"))
        case "pause": return .pause(try identifier("pause"))
        case "resume": return .resume(try identifier("resume"))
        case "removeVariable": return .removeVariable(try text("removeVariable"))
        default:
            let weight = try find("weight").map { value throws(Failure) in try number(value, "weight") }
            return .priority(try identifier("of"), try priority(try required("priority")), weight: weight)
        }
    }

    // MARK: - Members

    private func find(_ name: String) -> ReplayJSON? {
        for member in members where member.name == name { return member.value }
        return nil
    }

    private func required(_ name: String) throws(Failure) -> ReplayJSON {
        guard let value = find(name) else { throw failure("\"\(kind)\" needs the member \"\(name)\"") }
        return value
    }

    private func text(_ name: String) throws(Failure) -> String {
        let value = try required(name)
        guard case .string(let text) = value else { throw failure("\"\(name)\" must be a string, not \(value.kind)") }
        return text
    }

    private func identifier(_ name: String) throws(Failure) -> String {
        let value = try required(name)
        switch value {
        case .string(let text): return text
        case .number(let number):
            if let whole = Int(exactly: number) { return "\(whole)" }
            throw failure("\"\(name)\" must be a string or a whole number, not \(number)")
        default: throw failure("\"\(name)\" must be a string or a whole number, not \(value.kind)")
        }
    }

    private func number(_ name: String) throws(Failure) -> Double { try number(try required(name), name) }

    private func number(_ value: ReplayJSON, _ name: String) throws(Failure) -> Double {
        guard case .number(let number) = value else { throw failure("\"\(name)\" must be a number, not \(value.kind)") }
        return number
    }

    /// Returns a number that is finite: every value would be within the tolerance of an infinite one.
    private func finite(_ value: ReplayJSON, _ name: String) throws(Failure) -> Double {
        let number = try number(value, name)
        guard number.isFinite else { throw failure("\"\(name)\" must be a number that a double can hold") }
        return number
    }

    private func priority(_ value: ReplayJSON) throws(Failure) -> Int {
        let number = try number(value, "priority")
        guard let whole = Int(exactly: number), (1...1000).contains(whole) else {
            throw failure("\"priority\" must be a whole number, 1 to 1000, not \(number)")
        }
        return whole
    }

    private func tolerance() throws(Failure) -> Double? {
        guard let value = find("tolerance") else { return nil }
        let number = try finite(value, "tolerance")
        guard number >= 0 else { throw failure("\"tolerance\" must be zero or more, not \(number)") }
        return number
    }

    private func object(_ name: String) throws(Failure) -> [ReplayJSON.Member] {
        let value = try required(name)
        guard case .object(let members) = value else {
            throw failure("\"\(name)\" must be an object, not \(value.kind)")
        }
        return members
    }

    private func array(_ name: String) throws(Failure) -> [ReplayJSON] {
        let value = try required(name)
        guard case .array(let elements) = value else {
            throw failure("\"\(name)\" must be an array, not \(value.kind)")
        }
        return elements
    }

    private func names() throws(Failure) -> [String] {
        var names: [String] = []
        for element in try array("vars") {
            guard case .string(let name) = element else {
                throw failure("\"vars\" must hold names, strings, not \(element.kind)")
            }
            names.append(name)
        }
        return names
    }

    private func constraint() throws(Failure) -> ReplayConstraint {
        var terms: [ReplayConstraint.Term] = []
        for element in try array("terms") {
            guard case .array(let pair) = element, pair.count == 2, case .string(let name) = pair[0],
                case .number(let coefficient) = pair[1]
            else { throw failure("each of \"terms\" must be a pair of a name and a number, such as [\"x\",1]") }
            terms.append(ReplayConstraint.Term(name, coefficient))
        }
        let name = try text("relation")
        guard let relation = Relation(replayName: name) else {
            throw failure("\"relation\" must be eq, le or ge, not \"\(name)\"")
        }
        return ReplayConstraint(
            terms,
            relation,
            try number("constant"),
            priority: try find("priority").map { value throws(Failure) in try priority(value) } ?? 1000,
            weight: try find("weight").map { value throws(Failure) in try number(value, "weight") } ?? 1
        )
    }
}
