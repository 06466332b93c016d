/// A key and what it does now, for the hint line and the list of keys.
public struct KeyHint: Hashable, Sendable {
    /// The key.
    public let key: Key
    /// What it does, in a word or two.
    public let action: KeyText
    /// Whether the key is used rarely: the hint line shows it after the hints of all others, where there is room.
    public let isRare: Bool

    /// Creates a hint.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - action: what it does, in a word or two.
    ///   - isRare: whether the key is used rarely.
    public init(_ key: Key, _ action: KeyText, isRare: Bool = false) {
        (self.key, self.action, self.isRare) = (key, action, isRare)
    }

    /// Creates a hint for a character that is typed without a modifier.
    public init(_ character: Character, _ action: KeyText, isRare: Bool = false) {
        self.init(.character(character), action, isRare: isRare)
    }

    /// The name of the key as keyboards label it: `n`, `space`, `esc`, `pgdn`.
    public var name: String {
        switch (key.code, key.modifiers) {
        case (.escape, []): "esc"
        case (.pageUp, []): "pgup"
        case (.pageDown, []): "pgdn"
        case (.up, []): "↑"
        case (.down, []): "↓"
        case (.left, []): "←"
        case (.right, []): "→"
        case (.right, .alt): "alt-→"
        default: "\(key)"
        }
    }
}

/// A view or a view controller that describes the keys that it handles.
///
/// The hint line collects the hints of the focused view and of everything around it, nearest first; the list of keys
/// collects those of the whole screen. Both read this table, so that they agree.
@MainActor
public protocol KeyHinting: Responder {
    /// The keys that are handled now, the most important first.
    var keyHints: [KeyHint] { get }

    /// Performs the action of one of the keys, whatever has the focus.
    func perform(_ key: Key)
}

extension KeyHinting {
    /// Handles the key as if it had been pressed.
    public func perform(_ key: Key) { _ = keyDown(key) }
}

extension TextField: KeyHinting {
    /// Enter submits the text, or moves to the next field. Tab completes the word at the caret, or moves to the next field.
    public var keyHints: [KeyHint] {
        if completions?(text, caretPosition)?.items.isEmpty == false {
            return [KeyHint(Key(.enter), KeyHints.accept), KeyHint(Key(.tab), KeyHints.complete)]
        }
        guard onSubmit != nil else { return [KeyHint(Key(.enter), KeyHints.next)] }
        return [KeyHint(Key(.enter), KeyHints.accept), KeyHint(Key(.tab), KeyHints.next, isRare: true)]
    }
}

extension Button: KeyHinting {
    /// Enter triggers the button.
    public var keyHints: [KeyHint] {
        [KeyHint(Key(.enter), KeyHints.press), KeyHint(Key(.tab), KeyHints.move, isRare: true)]
    }
}

extension Checkbox: KeyHinting {
    /// Space toggles the checkbox.
    public var keyHints: [KeyHint] {
        [KeyHint(.character(" "), KeyHints.toggle), KeyHint(Key(.tab), KeyHints.move, isRare: true)]
    }
}

extension Picker: KeyHinting {
    /// Enter opens the list of the options.
    public var keyHints: [KeyHint] {
        [KeyHint(Key(.enter), KeyHints.choose), KeyHint(Key(.tab), KeyHints.move, isRare: true)]
    }
}

extension MenuList: KeyHinting {
    /// Enter chooses, and Escape closes the menu.
    public var keyHints: [KeyHint] { [KeyHint(Key(.enter), KeyHints.choose), KeyHint(Key(.escape), KeyHints.close)] }
}

extension AlertController: KeyHinting {
    /// Escape cancels.
    public var keyHints: [KeyHint] { [KeyHint(Key(.escape), KeyHints.close)] }
}

extension DrawerController: KeyHinting {
    /// Escape closes an open panel.
    public var keyHints: [KeyHint] { openSide == nil ? [] : [KeyHint(Key(.escape), KeyHints.close)] }
}
