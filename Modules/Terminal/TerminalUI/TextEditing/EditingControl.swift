/// The base class of text controls: a text with a maximum length, whose selection can be copied, cut and replaced by the
/// window's clipboard.
@MainActor
public class EditingControl: Control {
    /// The text; lines end with "\n". Setting it discards the selection and the undo history.
    public var text: String {
        get { content.text }
        set {
            guard newValue != content.text else { return }
            content = EditableText(newValue, isOneWord: content.isOneWord)
            textDidChange(byUser: false)
            setNeedsDisplay()
        }
    }
    /// The text that is shown while there is none.
    public var placeholder: String { didSet { setNeedsDisplay() } }
    /// The maximum length in grapheme clusters. A focused control that has reached it shows the length, such as `12/12`.
    public var maximumLength: Int { didSet { setNeedsDisplay() } }
    /// Called when the user has changed the text.
    public var onChange: ((String) -> Void)?
    /// Called when pasted or typed text exceeds `maximumLength`, with the number of discarded grapheme clusters.
    public var onTruncate: ((Int) -> Void)?

    /// Text is typed.
    public override var acceptsText: Bool { true }

    var content: EditableText
    /// Whether the selection may leave the control; not that of a password.
    var allowsCopying: Bool { true }

    init(placeholder: String, text: String, maximumLength: Int) {
        self.placeholder = placeholder
        self.maximumLength = maximumLength
        content = EditableText(text)
        super.init()
    }

    /// The selected text; empty without a selection.
    public var selectedText: String { content.selectedText }

    /// Called when the user has changed the text, or the program has replaced it.
    func textDidChange(byUser: Bool) {}

    /// Called after an editing command.
    /// - Parameter before: the revision of the content before it.
    func didEdit(_ before: Int) {
        setNeedsDisplay()
        guard content.revision != before else { return }
        textDidChange(byUser: true)
        onChange?(text)
    }

    /// Copies, cuts and pastes. Returns false for other keys, and for Ctrl-C without a selection.
    func clipboardKey(_ key: Key) -> Bool {
        switch key {
        case .control("c"), .control("x"):
            guard content.selection != nil, let window, allowsCopying else { return false }
            window.copy(content.selectedText)
            guard key == .control("x") else { return true }
            let before = content.revision
            content.delete(0..<0)
            didEdit(before)
        case .control("v"):
            guard let window, !window.clipboard.isEmpty else { return false }
            return paste(Paste(window.clipboard))
        default: return false
        }
        return true
    }

    /// Inserts text in place of the selection, up to the maximum length.
    func insert(_ text: String, isTyped: Bool = false) {
        guard isEnabled, !text.isEmpty else { return }
        let before = content
        content.insert(text, isTyped: isTyped)
        let excess = content.characters.count - maximumLength
        if excess > 0 {
            // A combining mark joins the cluster before it and needs no space, so the length is checked afterwards.
            content = before
            let accepted = text.prefix(max(0, text.count - excess))
            if !accepted.isEmpty { content.insert(String(accepted), isTyped: isTyped) }
            onTruncate?(text.count - accepted.count)
        }
        didEdit(before.revision)
    }
}
