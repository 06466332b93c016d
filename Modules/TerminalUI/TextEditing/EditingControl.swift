/// A text control with a maximum length whose selection can be copied, cut and replaced by the window's clipboard.
@MainActor
protocol EditingControl: Control {
    var content: EditableText { get set }
    /// The maximum number of grapheme clusters.
    var maximumLength: Int { get }
    /// Called with the number of clusters that exceed the maximum length.
    var onTruncate: ((Int) -> Void)? { get }
    /// Whether the selection may leave the control; not that of a password.
    var allowsCopying: Bool { get }

    /// Called after an edit.
    /// - Parameter before: the revision of the content before it.
    func didEdit(_ before: Int)
}

extension EditingControl {
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

    /// Inserts text in place of the selection, as far as the maximum length permits.
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
