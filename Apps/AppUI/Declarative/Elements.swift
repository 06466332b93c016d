import NeedleKit
package import TerminalUI

/// Text to read; while it is empty it takes no room.
package struct Text: ViewElement {
    private let text: @MainActor () -> String
    private let role: Label.Role
    private let lines: Int

    /// A text that stays the same.
    package init(_ text: String, role: Label.Role = .text) {
        self.init(role: role) { text }
    }

    /// A text that is read again on every refresh.
    ///
    /// - Parameters:
    ///   - role: what it is for.
    ///   - lines: the most lines; 0 for as many as it takes.
    ///   - text: the text now.
    package init(role: Label.Role = .text, lines: Int = 1, text: @escaping @MainActor () -> String) {
        self.text = text
        self.role = role
        self.lines = lines
    }

    package func makeView(in screen: Screen) -> View {
        let label = Label("", role: role, numberOfLines: lines)
        label.layoutNode.collapsesWhenHidden = true
        screen.onRefresh { [weak label, text] in
            let now = text()
            label?.text = now
            label?.isHidden = now.isEmpty
        }
        return label
    }
}

/// A line to type into; what is typed goes to its binding at once.
package struct Field: ViewElement {
    private let hint: String
    private let limit: Int
    private let text: Binding<String>
    private let onSubmit: (@MainActor () -> Void)?

    /// A field.
    ///
    /// - Parameters:
    ///   - hint: what stands there while it is empty.
    ///   - limit: the most characters.
    ///   - text: the text.
    ///   - onSubmit: called on Enter; without it, the focus goes on.
    package init(_ hint: String, limit: Int, text: Binding<String>, onSubmit: (@MainActor () -> Void)? = nil) {
        self.hint = hint
        self.limit = limit
        self.text = text
        self.onSubmit = onSubmit
    }

    package func makeView(in screen: Screen) -> View {
        let field = TextField(placeholder: hint)
        field.maximumLength = limit
        field.onChange = { [text] in text.set($0) }
        if let onSubmit { field.onSubmit = { _ in onSubmit() } }
        field.ndl.makeConstraints { $0.height.equalTo(1) }
        screen.onRefresh { [weak field, text] in
            // Setting the same text again would move the caret.
            guard let field, field.text != text.get() else { return }
            field.text = text.get()
        }
        return field
    }
}

/// A button.
package struct Action: ViewElement {
    private let title: String
    private let kind: Button.Kind
    private let act: @MainActor () -> Void

    /// A button that acts on Enter, Space and a click.
    package init(_ title: String, kind: Button.Kind = .plain, act: @escaping @MainActor () -> Void) {
        self.title = title
        self.kind = kind
        self.act = act
    }

    package func makeView(in screen: Screen) -> View {
        Button(title, kind: kind, onTap: act)
    }
}
