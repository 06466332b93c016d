import AppTestSupport
import Foundation
import TestSupport
import Testing
import TodoCore

@testable import TodoApp

/// A validator for the keywords of JSON Schema that the schemas of the app use. Any other keyword is an error.
struct SchemaValidator {
    let root: [String: Any]

    /// Creates a validator of a schema of the app.
    init(file: String) throws {
        let path = Project.root.appendingPathComponent("Apps/TodoApp/Schema/\(file)")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: path))
        root = try #require(object as? [String: Any])
    }

    func problems(_ value: Any, _ schema: [String: Any], _ path: String = "$") throws -> [String] {
        var problems: [String] = []
        for (keyword, argument) in schema {
            switch keyword {
            case "$schema", "title", "description", "$defs": break
            case "$ref":
                let reference = try #require(argument as? String)
                let name = try #require(reference.split(separator: "/").last)
                let definitions = try #require(root["$defs"] as? [String: Any])
                let definition = try #require(definitions[String(name)] as? [String: Any])
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
                let others = (value as? [String: Any] ?? [:]).filter { !known.contains($0.key) }
                for (name, member) in others {
                    if let part = argument as? [String: Any] {
                        problems += try self.problems(member, part, path + "." + name)
                    } else {
                        problems.append("\(path).\(name) is not in the schema")
                    }
                }
            case "enum":
                let values = argument as? [String] ?? []
                if let text = value as? String, !values.contains(text) { problems.append("\(path): \(text)") }
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
        case "integer": (value as? NSNumber).map { $0.doubleValue == Double($0.intValue) } ?? false
        case "number": value is NSNumber
        case "array": value is [Any]
        case "object": value is [String: Any]
        default: false
        }
    }
}

@Suite("The JSON Schema of todos")
struct SchemaTests {
    private func problems(_ text: String, schema: String = "todos") throws -> [String] {
        let validator = try SchemaValidator(file: "\(schema).schema.json")
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try validator.problems(object, validator.root)
    }

    @Test("Documents of todos with all fields and with none are valid")
    func valid() throws {
        let line = "(A) 우유 see https://example.org +home +x @shop #cheap due:today 15:00 rec:+1w t:-2d"
        var full = try Todo(id: TodoID(serial: 1), TodoChange(quick: line, today: .sample), now: .sample)
        (full.completed, full.parent, full.note, full.dependencies) = (.sample, TodoID(serial: 2), "a\nb", [UUID()])
        let bare = try Todo(id: TodoID(serial: 0), TodoChange(title: "a"), now: .sample)
        #expect(try problems(TodoDocument(TodoContents(todos: [full, bare]), message: "undone: x").text) == [])
        #expect(try problems(TodoDocument(TodoContents(todos: [])).text) == [])
    }

    @Test("The documents of log, import, count and query are valid, and a changed one is not")
    func others() throws {
        let todo = try Todo(id: TodoID(serial: 0), TodoChange(title: "a"), now: .sample)
        let entry = TodoLogEntry(
            number: 4,
            summary: "add \"a\"",
            date: .sample,
            process: "Dog[1]",
            isUndone: false,
            versions: [TodoLogEntry.Version(id: todo.id, before: nil, after: todo)]
        )
        let old = TodoLogEntry(number: 1, summary: "x", date: nil, process: nil, isUndone: true, versions: [])
        let log = try jsonDocument(TodoLogDocument([entry, old], id: nil))
        #expect(try problems(log, schema: "todo-log") == [])
        #expect(try !problems(log.replacing("\"number\" : 4", with: "\"number\" : \"4\""), schema: "todo-log").isEmpty)
        let file = TodoFileFormat.todotxt.parse(Array("milk".utf8), clock: TodoClock())
        #expect(file.records.count == 1)
        let refused = TodoImportProblem(line: 2, column: 3, message: "m")
        for isDryRun in [false, true] {
            let outcome = TodoImportOutcome(line: 1, old: nil, new: todo)
            let text = try jsonDocument(TodoImportDocument([outcome], problems: [refused], isDryRun: isDryRun))
            #expect(try problems(text, schema: "todo-import") == [])
            #expect(try !problems(text.replacing("added", with: "new"), schema: "todo-import").isEmpty)
        }
        #expect(try problems(jsonDocument(["count": 3]), schema: "todo-count") == [])
        #expect(try problems(jsonDocument(["queries": ["urgent": "pri:A"]]), schema: "todo-query") == [])
        #expect(try !problems(jsonDocument(["queries": ["urgent": 1]]), schema: "todo-query").isEmpty)
    }

    @Test("A missing field, an unknown one and one of another type are problems")
    func invalid() throws {
        let bare = try Todo(id: TodoID(serial: 0), TodoChange(title: "a"), now: .sample)
        let text = TodoDocument(TodoContents(todos: [bare])).text
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
