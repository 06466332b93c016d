import AppTestSupport
import Foundation
import Testing
import TodoCore

@testable import TodoApp

@Suite("Todos as text and as JSON")
struct TodoOutputTests {
    private func todo(_ line: String, note: String? = nil) throws -> Todo {
        try Todo(line: line, note: note)
    }

    private func contents(_ todos: [Todo]) -> TodoContents {
        TodoContents(todos: todos, order: TodoOrder(clock: TodoClock(zone: .utc, now: { .sample })))
    }

    private func line(_ todo: Todo, styled: Bool = false) -> String {
        TodoLine(isStyled: styled, today: .sample).text(for: todo)
    }

    @Test("A line contains ID, state, priority, title, tags and day, in this order")
    func plain() throws {
        var todo = try todo("(A) 우유 사기 +home @shop @town due:2026-03-19", note: "x")
        let id = todo.id.description
        #expect(line(todo) == "\(id) [ ] (A) 우유 사기 +home @shop @town due:2026-03-19 …")
        todo.completed = .sample
        todo.isArchived = true
        #expect(line(todo) == "\(id) [x] (A) 우유 사기 +home @shop @town due:2026-03-19 … archived")
        #expect(try line(self.todo("walk")) == "\(id) [ ] walk")
    }

    @Test("Only overdue open todos are red, and every colour is reset")
    func styled() throws {
        var todo = try todo("walk due:2026-03-19")
        #expect(line(todo, styled: true).contains("\u{1B}[31mdue:2026-03-19\u{1B}[0m"))
        todo.completed = .sample
        #expect(!line(todo, styled: true).contains("\u{1B}[31m"))
        todo.completed = nil
        todo.due = .sample
        #expect(!line(todo, styled: true).contains("\u{1B}[31m"))
        let text = try line(self.todo("(A) walk +p @c due:2026-03-01", note: "x"), styled: true)
        #expect(
            text.components(separatedBy: "\u{1B}[0m").count * 2 - 1 == text.components(separatedBy: "\u{1B}[").count
        )
    }

    @Test("Control characters in a file of another program are escaped", arguments: [false, true])
    func hostile(styled: Bool) throws {
        var todo = try todo("walk")
        todo.title = "\u{1B}[2Jx\u{9B}1m\u{202E}\n"
        todo.project = "\u{7}p"
        todo.contexts = ["\u{8}c"]
        let text = TodoLine(isStyled: styled, today: .sample).text(for: todo)
        #expect(text.contains("\\u{1B}[2Jx\\u{9B}1m\\u{202E}\\u{A}"))
        #expect(text.contains("+\\u{7}p"))
        #expect(text.contains("@\\u{8}c"))
        let rest = text.replacing("\u{1B}[0m", with: "").replacing(/\u{1B}\[\d+m/, with: "")
        #expect(!rest.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    }

    @Test("Every field is present, missing values as null, dates in ISO 8601")
    func document() throws {
        let todo = try todo("walk")
        #expect(
            TodoDocument(contents([todo])).text == """
                {
                  "message" : null,
                  "todos" : [
                    {
                      "archived" : false,
                      "blocked" : false,
                      "blocking" : false,
                      "completed" : null,
                      "contexts" : [

                      ],
                      "created" : "2026-03-20T10:00:00Z",
                      "dependencies" : [

                      ],
                      "done" : false,
                      "due" : null,
                      "id" : "\(todo.id)",
                      "links" : [

                      ],
                      "list" : null,
                      "modified" : "2026-03-20T10:00:00Z",
                      "note" : null,
                      "parent" : null,
                      "priority" : null,
                      "project" : null,
                      "projects" : [

                      ],
                      "recurrence" : null,
                      "spent" : 0,
                      "started" : null,
                      "tags" : [

                      ],
                      "threshold" : null,
                      "time" : null,
                      "title" : "walk",
                      "urgency" : 0,
                      "uuid" : "\(todo.uuid?.uuidString.lowercased() ?? "")"
                    }
                  ]
                }

                """
        )
        let full = try TodoDocument(contents([self.todo("(A) 우유 +home @shop due:today", note: "x\ny")]), message: "m")
            .text
        for part in [
            "\"priority\" : \"A\"", "\"due\" : \"2026-03-20\"", "\"title\" : \"우유\"", "\"note\" : \"x\\ny\"",
            "\"message\" : \"m\"",
        ] {
            #expect(full.contains(part))
        }
    }

    @Test("A long document is written in pieces, and no further ones after one that could not be written")
    func pieces() throws {
        let document = TodoDocument(contents(try (0..<500).map { try todo("walk \($0)") }))
        var pieces: [[UInt8]] = []
        let isWritten = document.write { piece in
            pieces.append(Array(piece))
            return true
        }
        #expect(isWritten && pieces.count > 2 && pieces.allSatisfy { $0.count < 70_000 })
        let object = try JSONSerialization.jsonObject(with: Data(pieces.joined())) as? [String: Any]
        let titles = (object?["todos"] as? [[String: Any]])?.compactMap { $0["title"] as? String }
        #expect(titles == (0..<500).map { "walk \($0)" })
        var count = 0
        #expect(
            !document.write { _ in
                count += 1; return false
            }
        )
        #expect(count == 1)
    }

    @Test("A document of nothing is still a document")
    func empty() throws {
        let text = TodoDocument(TodoContents(todos: [])).text
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect(object?.keys.sorted() == ["message", "todos"])
        #expect(text.hasSuffix("}\n"))
    }
}

extension TodoDocument {
    /// The text as a whole.
    var text: String {
        var bytes: [UInt8] = []
        let isWritten = write { piece in
            bytes += piece
            return true
        }
        #expect(isWritten)
        return String(decoding: bytes, as: UTF8.self)
    }
}
