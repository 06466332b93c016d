import AppTestSupport
import Foundation
import Testing
import TodoCore

@testable import TodoApp

/// A validator for the keywords of JSON Schema that the schemas of the app use. Any other keyword is an error.
struct SchemaValidator {
    let root: [String: Any]

    /// Creates a validator of a schema of the app.
    init(file: String) throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Apps/TodoApp/Schema/\(file)")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: path))
        root = try #require(object as? [String: Any])
    }

    func problems(_ value: Any, _ schema: [String: Any], _ path: String = "$") throws -> [String] {
        var problems: [String] = []
        for (keyword, argument) in schema {
            switch keyword {
            case "$schema", "title", "description", "$defs": break
            case "$ref":
                let name = try #require((argument as? String)?.split(separator: "/").last.map(String.init))
                let definition = try #require((root["$defs"] as? [String: Any])?[name] as? [String: Any])
                problems += try self.problems(value, definition, path)
            case "type":
                let types = argument as? [String] ?? [argument as? String ?? ""]
                if !types.contains(where: { has($0, value) }) { problems.append("\(path) is not \(types)") }
            case "pattern":
                let pattern = try Regex(argument as? String ?? "")
                if let text = value as? String, text.firstMatch(of: pattern) == nil {
                    problems.append("\(path): \(text)")
                }
            case "required":
                for name in argument as? [String] ?? [] where (value as? [String: Any])?[name] == nil {
                    problems.append("\(path) has no \(name)")
                }
            case "additionalProperties":
                let known = Set((schema["properties"] as? [String: Any] ?? [:]).keys)
                let names = Set((value as? [String: Any] ?? [:]).keys)
                problems += names.subtracting(known).map { "\(path).\($0) is not in the schema" }
            case "properties":
                for (name, part) in argument as? [String: [String: Any]] ?? [:] {
                    if let member = (value as? [String: Any])?[name] {
                        problems += try self.problems(member, part, path + "." + name)
                    }
                }
            case "items":
                for (index, element) in (value as? [Any] ?? []).enumerated() {
                    problems += try self.problems(element, argument as? [String: Any] ?? [:], "\(path)[\(index)]")
                }
            case "anyOf":
                let all = try (argument as? [[String: Any]] ?? []).map { try self.problems(value, $0, path) }
                if !all.contains([]) { problems.append("\(path) matches none of anyOf") }
            default: problems.append("the validator does not know \(keyword)")
            }
        }
        return problems
    }

    private func has(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "null": value is NSNull
        case "boolean": value is Bool
        case "string": value is String
        case "array": value is [Any]
        case "object": value is [String: Any]
        default: false
        }
    }
}

@Suite("The JSON Schema of todos")
struct SchemaTests {
    private let validator: SchemaValidator

    init() throws {
        validator = try SchemaValidator(file: "todos.schema.json")
    }

    private func problems(_ text: String) throws -> [String] {
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try validator.problems(object, validator.root)
    }

    @Test("Documents of todos with all fields and with none are valid")
    func valid() throws {
        let line = "(A) 우유 see https://example.org +home +x @shop #cheap due:today 15:00 rec:+1w t:-2d"
        var full = Todo(id: TodoID(serial: 1), draft: try TodoDraft(quick: line, today: .sample), now: .sample)
        (full.completed, full.parent, full.note, full.dependencies) = (.sample, TodoID(serial: 2), "a\nb", [UUID()])
        let bare = Todo(id: TodoID(serial: 0), draft: try TodoDraft(title: "a"), now: .sample)
        #expect(try problems(jsonDocument(TodoDocument([full, bare], message: "undone: x"))) == [])
        #expect(try problems(jsonDocument(TodoDocument([]))) == [])
    }

    @Test("A missing field, an unknown one and one of another type are problems")
    func invalid() throws {
        let bare = Todo(id: TodoID(serial: 0), draft: try TodoDraft(title: "a"), now: .sample)
        let text = try jsonDocument(TodoDocument([bare]))
        for (old, new) in [
            ("\"title\"", "\"titel\""), ("\"done\" : false", "\"done\" : \"no\""),
            ("\"due\" : null", "\"due\" : \"fri\""),
            ("\"message\" : null", "\"message\" : 1"),
        ] {
            let changed = text.replacing(old, with: new)
            #expect(changed != text)
            #expect(try !problems(changed).isEmpty, "\(new)")
        }
    }
}
