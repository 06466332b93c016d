import Foundation
import TestSupport
import Testing

@Suite("Script mode: lists")
struct TodoListScriptTests {
    private let app: AppFixture

    init() throws { app = try AppFixture() }

    @Test("Todos are added to a list, moved, listed and counted by it; a wrong name is corrected")
    func lists() async throws {
        #expect(try await app.run("lists", "add", "Work").status == 0)
        #expect(try await app.run("lists", "add", "work").status == 1)
        let report = try await app.add("Report", "--in", "work")
        let milk = try await app.add("Milk")
        let wrong = try await app.run("todo", "add", "x", "--in", "Wrok")
        #expect(wrong.status == 1 && wrong.errors.contains("did you mean \"Work\""), "\(wrong.errors)")
        #expect(try await app.run("todo", "list", "--in", "Work", "--quiet").output == "\(report)\n")
        #expect(try await app.run("todo", "list", "list:none", "--quiet").output == "\(milk)\n")
        #expect(try await app.run("todo", "count", "list:work").output == "1\n")
        #expect(try await app.run("todo", "list", "--columns", "title,list").output.contains("Report\tWork\n"))
        #expect(try await app.run("todo", "edit", milk, "--in", "Work").status == 0)
        #expect(try await app.run("lists").output == "(local)\t0 open of 0\nWork\t2 open of 2\n")
        #expect(try await app.run("lists", "rename", "Work", "--to", "Büro 1").status == 0)
        #expect(try await app.todos("todo", "list").allSatisfy { $0["list"] as? String == "Büro 1" })
        #expect(try await app.run("lists", "--quiet").output == "Büro 1\n")
        #expect(try await app.run("lists", "rm", "büro", "1").output.hasPrefix("Büro 1\t2"))
        #expect(try await app.todos("todo", "list", "--in", "none").count == 2)
        #expect(try await app.run("todo", "edit", milk, "--in", "none").status == 0)
    }
}
