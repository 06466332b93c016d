internal import NeedleKit

/// A text to read.
public struct Text: FormElement {
    private let text: @MainActor () -> String
    private let role: Label.Role
    private let lines: Int
    private let reservesLines: Bool
    private let hangs: Bool
    private var alignment = Label.Alignment.leading

    /// Creates a text that does not change.
    public init(_ text: String, role: Label.Role = .text, alignment: Label.Alignment = .leading) {
        self.init(role: role) { text }
        self.alignment = alignment
    }

    /// Creates a text that is read again on every refresh.
    ///
    /// - Parameters:
    ///   - role: the purpose, which decides the style.
    ///   - lines: the maximum number of lines; 0 for as many as the text needs.
    ///   - reservesLines: whether the element is always `lines` high. Otherwise it is as high as its text, and an empty
    ///     text takes no room.
    ///   - hangs: whether the rest of a line that wraps begins below its second column, as in ``Label/hangs``.
    ///   - text: returns the current text.
    public init(
        role: Label.Role = .text,
        lines: Int = 1,
        reservesLines: Bool = false,
        hangs: Bool = false,
        text: @escaping @MainActor () -> String
    ) {
        self.text = text
        self.role = role
        self.lines = lines
        self.reservesLines = reservesLines
        self.hangs = hangs
    }

    /// Creates the view.
    public func makeView(in form: Form) -> View {
        let label = Label("", role: role, numberOfLines: lines)
        label.alignment = alignment
        label.hangs = hangs
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
public struct Field: FormElement {
    private let hint: String
    private let limit: Int
    private let isSecure: Bool
    private let text: Binding<String>
    private let completions: ((_ text: String, _ caret: Int) -> CompletionList?)?
    private let validity: (@MainActor () -> TextField.Validity)?
    private let onChange: (@MainActor () -> Void)?
    private let onSubmit: (@MainActor () -> Void)?

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - hint: the placeholder.
    ///   - limit: the maximum number of characters.
    ///   - isSecure: whether the text is shown as dots.
    ///   - text: the text.
    ///   - onSubmit: called on Enter. Without it, Enter moves the focus to the next element.
    ///   - onChange: called after the user has changed the text.
    ///   - validity: returns whether the text is valid, shown by colour, underline and mark; read on every refresh.
    ///   - completions: returns what can complete the text at the caret; see ``TextField/completions``.
    public init(
        _ hint: String,
        limit: Int,
        isSecure: Bool = false,
        text: Binding<String>,
        onSubmit: (@MainActor () -> Void)? = nil,
        onChange: (@MainActor () -> Void)? = nil,
        validity: (@MainActor () -> TextField.Validity)? = nil,
        completions: ((_ text: String, _ caret: Int) -> CompletionList?)? = nil
    ) {
        self.hint = hint
        self.limit = limit
        self.isSecure = isSecure
        self.text = text
        self.completions = completions
        self.validity = validity
        self.onChange = onChange
        self.onSubmit = onSubmit
    }

    /// Creates the view.
    public func makeView(in form: Form) -> View {
        let field = TextField(placeholder: hint)
        field.maximumLength = limit
        field.isSecure = isSecure
        field.completions = completions
        field.onChange = { [text, onChange] in
            text.set($0)
            onChange?()
        }
        field.onTruncate = { [weak form, limit] in form?.onTruncate?($0, limit) }
        if let onSubmit { field.onSubmit = { _ in onSubmit() } }
        field.ndl.makeConstraints { $0.height.equalTo(1) }
        form.onRefresh { [weak field, text, validity] in
            guard let field else { return }
            if let validity { field.validity = validity() }
            // Setting the same text again would move the caret.
            if field.text != text.get() { field.text = text.get() }
        }
        return field
    }
}

/// A button.
public struct Action: FormElement {
    private let title: String
    private let kind: Button.Kind
    private let icon: (character: Character, colors: TextStyle?)?
    private let detail: String
    private let currentDetail: (@MainActor () -> String)?
    private let isEnabled: (@MainActor () -> Bool)?
    private let perform: @MainActor () -> Void

    /// Creates a button that acts on Enter, Space and a click.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - kind: the role of the button.
    ///   - icon: a character before the title, with its colours; `nil` for those of the title.
    ///   - detail: a text at the right edge, such as the key that does the same.
    ///   - currentDetail: returns that text on every refresh, where it can change.
    ///   - isEnabled: returns whether the button can be used, read on every refresh; always without it.
    ///   - perform: what the button does.
    public init(
        _ title: String,
        kind: Button.Kind = .plain,
        icon: (character: Character, colors: TextStyle?)? = nil,
        detail: String = "",
        currentDetail: (@MainActor () -> String)? = nil,
        isEnabled: (@MainActor () -> Bool)? = nil,
        perform: @escaping @MainActor () -> Void
    ) {
        self.title = title
        self.kind = kind
        self.icon = icon
        (self.detail, self.currentDetail) = (detail, currentDetail)
        self.isEnabled = isEnabled
        self.perform = perform
    }

    /// Creates the view.
    public func makeView(in form: Form) -> View {
        let button = Button(title, kind: kind, onTap: perform)
        (button.icon, button.iconColors) = (icon?.character, icon?.colors)
        button.detail = detail
        if let currentDetail { form.onRefresh { [weak button] in button?.detail = currentDetail() } }
        if let isEnabled { form.onRefresh { [weak button] in button?.isEnabled = isEnabled() } }
        return button
    }
}

/// A checkbox.
public struct Check: FormElement {
    private let title: String
    private let isOn: Binding<Bool>

    /// Creates a checkbox that Space, Enter and a click toggle.
    public init(_ title: String, isOn: Binding<Bool>) {
        self.title = title
        self.isOn = isOn
    }

    /// Creates the view.
    public func makeView(in form: Form) -> View {
        let box = Checkbox(title, isOn: isOn.get(), onChange: isOn.set)
        form.onRefresh { [weak box, isOn] in box?.isOn = isOn.get() }
        return box
    }
}

/// One of several options. Enter opens their list; the arrow keys choose without it.
public struct Options: FormElement {
    private let titles: [String]
    private let selected: Binding<Int>
    private let preview: ((Int?) -> Void)?

    /// Creates a picker.
    ///
    /// - Parameters:
    ///   - titles: the titles of the options.
    ///   - selected: the index of the chosen option.
    ///   - preview: called with the option to which the user moves in the list; `nil` when the list closes, before a choice.
    public init(_ titles: [String], selected: Binding<Int>, preview: ((Int?) -> Void)? = nil) {
        self.titles = titles
        self.selected = selected
        self.preview = preview
    }

    /// Creates the view.
    public func makeView(in form: Form) -> View {
        let picker = Picker(titles)
        picker.onChange = selected.set
        picker.onPreview = preview
        form.onRefresh { [weak picker, selected] in picker?.selectedIndex = selected.get() }
        return picker
    }
}

/// A bar for a share of a whole, such as the time that is left. A text beside it says what it shows.
public struct Gauge: FormElement {
    private let share: @MainActor () -> Double

    /// Creates a bar for a share from 0 to 1, which is read on every refresh.
    public init(share: @escaping @MainActor () -> Double) {
        self.share = share
    }

    /// Creates the view.
    public func makeView(in form: Form) -> View {
        let bar = ProgressBar()
        bar.showsPercentage = false
        form.onRefresh { [weak bar, share] in bar?.progress = share() }
        return bar
    }
}

/// A line between groups of elements.
public struct Separator: FormElement {
    /// Creates a line.
    public init() {}

    /// Creates the view.
    public func makeView(in form: Form) -> View { Divider() }
}

/// A button whose title changes.
public struct Choice: FormElement {
    private let title: @MainActor () -> String
    private let isEnabled: (@MainActor () -> Bool)?
    private let next: @MainActor () -> Void

    /// Creates a button.
    ///
    /// - Parameters:
    ///   - title: returns the present title, read on every refresh.
    ///   - isEnabled: returns whether the button can be used; always without it.
    ///   - next: called when the button is pressed.
    public init(
        title: @escaping @MainActor () -> String,
        isEnabled: (@MainActor () -> Bool)? = nil,
        next: @escaping @MainActor () -> Void
    ) {
        self.title = title
        self.isEnabled = isEnabled
        self.next = next
    }

    /// Creates the view.
    public func makeView(in form: Form) -> View {
        let button = Button(title(), onTap: next)
        form.onRefresh { [weak button, title, isEnabled] in
            button?.title = title()
            if let isEnabled { button?.isEnabled = isEnabled() }
        }
        return button
    }
}
