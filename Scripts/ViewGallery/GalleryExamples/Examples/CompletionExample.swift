import TerminalUI

extension GalleryExample {
    /// A field with suggestions for projects (+) and contexts (@).
    static let completion = GalleryExample("completion", "Completion") {
        let field = TextField(placeholder: "buy milk +home @shop", text: "우유 사기 ")
        field.accessibilityLabel = "New todo"
        let names = ["+home", "+hobby", "+work", "+집안일", "@shop", "@phone", "@집"]
        field.completions = { text, caret in
            let before = Array(text).prefix(caret)
            guard let start = before.lastIndex(where: { $0 == "+" || $0 == "@" }) else { return nil }
            let typed = String(before[start...])
            let matches = names.filter { $0.hasPrefix(typed) && $0 != typed }
            return CompletionList(
                replacing: start..<caret,
                items: matches.map { Completion($0, detail: $0.hasPrefix("+") ? "project" : "context") }
            )
        }
        let added = Label("Type + or @ for suggestions.", role: .secondary)
        field.onSubmit = { text in
            added.text = "added: \(text)"
            field.text = ""
        }
        return GalleryStack([field, added])
    }
}
