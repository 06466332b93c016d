import JSONValues

/// The app's own format: every field of the todos, in one JSON document with a version.
enum JSONFormat {
    /// The version that this program writes. It reads this one and earlier ones.
    static let version = 1
    private static let name = "pawkit-todos"

    /// Returns the document.
    static func bytes(_ todos: [Todo]) -> [UInt8] {
        JSONWriter.bytes(isPretty: true) { writer in
            writer.object { writer in
                writer.member("format", name)
                writer.member("todos") { $0.array(todos) { $0.write($1) } }
                writer.member("version", version)
            }
        } + [0x0A]
    }

    /// Returns whether a file begins as a document of this format does.
    static func isDocument(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes.prefix(1_000), as: UTF8.self).contains("\"\(name)\"")
    }

    /// Parses a document.
    static func parse(_ bytes: [UInt8], clock: TodoClock) -> TodoImportFile {
        var file = TodoImportFile()
        func refuse(_ message: String) -> TodoImportFile {
            file.problems.append(TodoImportProblem(line: 1, message: message))
            return file
        }
        // The version is read before the todos, which another version may write in another form.
        var (format, found): (JSONValue?, JSONValue?)
        var todos: [Todo]?
        do throws(JSONError) {
            try read(bytes, ["format", "version"]) { name, reader throws(JSONError) in
                let value = try reader.readValue()
                if name == "format" { format = value } else { found = value }
            }
            guard format == .string(name), case .integer(let number) = found else {
                return refuse("the document is not a \"\(name)\" document; `todo export --format json` writes one")
            }
            guard number <= version else {
                return refuse(
                    "the document has version \(number), and this program reads version \(version); update it"
                )
            }
            try read(bytes, ["todos"]) { _, reader throws(JSONError) in
                var all: [Todo] = []
                try reader.readArray { reader throws(JSONError) in all.append(try Todo(reading: &reader)) }
                todos = all
            }
        } catch {
            file.problems.append(TodoImportProblem(line: error.line, column: error.column, message: error.message))
            return file
        }
        guard let todos else { return refuse("the document has no todos") }
        let places = Dictionary(todos.enumerated().map { ($1.id, $0) }) { first, _ in first }
        for (index, todo) in todos.enumerated() {
            var record = TodoRecord(line: index + 1, title: todo.title)
            record.uuid = todo.uuid
            record.parentIndex = todo.parent.flatMap { places[$0] }
            record.change = TodoChange(textsOf: todo)
            do {
                var whole = todo
                try record.change.apply(to: &whole)
                record.whole = whole
                file.records.append(record)
            } catch {
                file.problems.append(TodoImportProblem(line: index + 1, message: "\(error)"))
            }
        }
        return file
    }

    /// Reads members of the document, and skips the others.
    private static func read(
        _ bytes: [UInt8],
        _ names: Set<String>,
        _ body: (String, inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        try JSONReader.read(bytes) { reader throws(JSONError) in
            guard try reader.kind() == .object else {
                try reader.skipValue()
                return
            }
            try reader.readObject { name, reader throws(JSONError) in
                if names.contains(name) { try body(name, &reader) } else { try reader.skipValue() }
            }
        }
    }
}

extension TodoChange {
    /// Creates the change that sets the texts of another todo to those of this one.
    fileprivate init(textsOf todo: Todo) {
        (title, note) = (todo.title, .init(todo.note))
        (projects, contexts, tags) = (todo.projects, todo.contexts, todo.tags)
    }
}
