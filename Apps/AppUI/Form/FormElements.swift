import NeedleKit
package import TerminalUI

/// A text to read.
package struct Text: FormElement {
    private let text: @MainActor () -> String
    private let role: Label.Role
    private let lines: Int
    private let reservesLines: Bool

    /// Creates a text that does not change.
    package init(_ text: String, role: Label.Role = .text) {
        self.init(role: role) { text }
    }

    /// Creates a text that is read again on every refresh.
    ///
    /// - Parameters:
    ///   - role: the purpose, which decides the style.
    ///   - lines: the maximum number of lines; 0 for as many as the text needs.
    ///   - reservesLines: whether the element is always `lines` high. Otherwise it is as high as its text, and an empty
    ///     text takes no room.
    ///   - text: returns the current text.
    package init(
        role: Label.Role = .text,
        lines: Int = 1,
        reservesLines: Bool = false,
        text: @escaping @MainActor () -> String
    ) {
        self.text = text
        self.role = role
        self.lines = lines
        self.reservesLines = reservesLines
    }

    package func makeView(in form: Form) -> View {
        let label = Label("", role: role, numberOfLines: lines)
        if reservesLines {
            label.ndl.makeConstraints { $0.height.equalTo(lines) }
        } else {
            label.layoutNode.collapsesWhenHidden = true
        }
        form.onRefresh { [weak label, text, reservesLines] in
            let current = text()
            label?.text = current
            label?.isHidden = current.isEmpty && !reservesLines
        }
        return label
    }
}

/// A line of text to edit. What the user types is stored in its binding at once.
package struct Field: FormElement {
    private let hint: String
    private let limit: Int
    private let text: Binding<String>
    private let onChange: (@MainActor () -> Void)?
    private let onSubmit: (@MainActor () -> Void)?

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - hint: the placeholder.
    ///   - limit: the maximum number of characters.
    ///   - text: the text.
    ///   - onSubmit: called on Enter. Without it, Enter moves the focus to the next element.
    ///   - onChange: called after the user has changed the text.
    package init(
        _ hint: String,
        limit: Int,
        text: Binding<String>,
        onSubmit: (@MainActor () -> Void)? = nil,
        onChange: (@MainActor () -> Void)? = nil
    ) {
        self.hint = hint
        self.limit = limit
        self.text = text
        self.onChange = onChange
        self.onSubmit = onSubmit
    }

    package func makeView(in form: Form) -> View {
        let field = TextField(placeholder: hint)
        field.maximumLength = limit
        field.onChange = { [text, onChange] in
            text.set($0)
            onChange?()
        }
        field.onTruncate = { [weak form, limit] in
            form?.report("\($0) characters were not inserted: the field holds at most \(limit)")
        }
        if let onSubmit { field.onSubmit = { _ in onSubmit() } }
        field.ndl.makeConstraints { $0.height.equalTo(1) }
        form.onRefresh { [weak field, text] in
            // Setting the same text again would move the caret.
            guard let field, field.text != text.get() else { return }
            field.text = text.get()
        }
        return field
    }
}

/// A button.
package struct Action: FormElement {
    private let title: String
    private let kind: Button.Kind
    private let perform: @MainActor () -> Void

    /// Creates a button that acts on Enter, Space and a click.
    package init(_ title: String, kind: Button.Kind = .plain, perform: @escaping @MainActor () -> Void) {
        self.title = title
        self.kind = kind
        self.perform = perform
    }

    package func makeView(in form: Form) -> View {
        Button(title, kind: kind, onTap: perform)
    }
}
