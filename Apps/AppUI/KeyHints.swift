package import AppLanguage
package import TerminalUI

/// A key and what it does now, for the hint line and the list of keys.
package struct KeyHint: Hashable, Sendable {
    /// The key.
    package let key: Key
    /// What it does, in a word or two.
    package let action: LocalizedText

    /// Creates a hint.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - action: what it does, in a word or two.
    package init(_ key: Key, _ action: LocalizedText) {
        self.key = key
        self.action = action
    }

    /// Creates a hint for a character that is typed without a modifier.
    package init(_ character: Character, _ action: LocalizedText) {
        self.init(.character(character), action)
    }

    /// The name of the key as keyboards label it: `n`, `space`, `esc`, `pgdn`.
    package var name: String {
        switch (key.code, key.modifiers) {
        case (.escape, []): "esc"
        case (.pageUp, []): "pgup"
        case (.pageDown, []): "pgdn"
        case (.up, []): "↑"
        case (.down, []): "↓"
        case (.left, []): "←"
        case (.right, []): "→"
        default: "\(key)"
        }
    }
}

/// A view or a view controller that describes the keys that it handles.
///
/// The hint line collects the hints of the focused view and of everything around it, nearest first; the list of keys
/// collects those of the whole screen. Both read this table, so that they agree.
@MainActor
package protocol KeyHinting: Responder {
    /// The keys that are handled now, the most important first.
    var keyHints: [KeyHint] { get }
}

extension TextField: KeyHinting {
    /// Enter submits the text, or moves to the next field.
    package var keyHints: [KeyHint] {
        [KeyHint(Key(.enter), onSubmit == nil ? KeyHints.next : KeyHints.accept), KeyHint(Key(.tab), KeyHints.next)]
    }
}

extension Button: KeyHinting {
    /// Enter triggers the button.
    package var keyHints: [KeyHint] { [KeyHint(Key(.enter), KeyHints.press), KeyHint(Key(.tab), KeyHints.next)] }
}

extension Checkbox: KeyHinting {
    /// Space toggles the checkbox.
    package var keyHints: [KeyHint] {
        [KeyHint(.character(" "), KeyHints.toggle), KeyHint(Key(.tab), KeyHints.next)]
    }
}

extension AlertController: KeyHinting {
    /// Escape cancels.
    package var keyHints: [KeyHint] { [KeyHint(Key(.escape), KeyHints.close)] }
}

extension DrawerController: KeyHinting {
    /// Escape closes an open panel.
    package var keyHints: [KeyHint] { openSide == nil ? [] : [KeyHint(Key(.escape), KeyHints.close)] }
}

/// Collects the hints of a screen.
@MainActor
package enum KeyHints {
    static let next = LocalizedText("next", ko: "다음")
    static let accept = LocalizedText("accept", ko: "확인")
    static let press = LocalizedText("press", ko: "누르기")
    static let toggle = LocalizedText("toggle", ko: "켜고 끄기")
    static let close = LocalizedText("close", ko: "닫기")

    /// Returns the hints of what has the focus in a window: the focused view first, then what is around it.
    ///
    /// While text is typed, keys that type a character are left out.
    ///
    /// - Parameters:
    ///   - window: the window.
    ///   - fallback: where the keys go in a window without a focused view.
    /// - Returns: the hints, each key once.
    package static func focused(in window: Window, fallback: Responder?) -> [KeyHint] {
        guard let first = window.firstResponder ?? fallback else { return [] }
        let isTyping = first is TextField || first is TextView
        var chain: [any KeyHinting] = []
        for responder in sequence(first: first, next: \.next) {
            if let hinting = responder as? any KeyHinting { chain.append(hinting) }
        }
        return unique(chain.flatMap(\.keyHints)).filter { !isTyping || $0.key.text == nil }
    }

    /// Returns the hints of a screen and of all view controllers in it and around it.
    package static func all(of screen: ViewController) -> [KeyHint] {
        var hints: [KeyHint] = []
        func collect(_ controller: ViewController) {
            if let hinting = controller as? any KeyHinting { hints += hinting.keyHints }
            for child in controller.children.reversed() { collect(child) }
        }
        collect(screen)
        for responder in sequence(first: screen as Responder, next: \.next).dropFirst() {
            if let hinting = responder as? any KeyHinting { hints += hinting.keyHints }
        }
        return unique(hints)
    }

    /// Returns hints as text for a window of this many rows: a key a line, or several where the rows do not suffice.
    package static func text(_ hints: [KeyHint], language: AppLanguage, rows: Int) -> String {
        let entries = hints.map { "\($0.name)  \($0.action(language))" }
        // The alert adds a frame, a title, a button and two empty rows.
        guard entries.count + 6 > rows else { return entries.joined(separator: "\n") }
        var lines: [String] = []
        for entry in entries {
            if let last = lines.last, DisplayWidth.of(last) + DisplayWidth.of(entry) + 3 <= 32 {
                lines[lines.count - 1] = "\(last) · \(entry)"
            } else {
                lines.append(entry)
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func unique(_ hints: [KeyHint]) -> [KeyHint] {
        var seen: Set<Key> = []
        return hints.filter { seen.insert($0.key).inserted }
    }
}
