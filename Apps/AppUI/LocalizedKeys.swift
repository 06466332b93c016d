package import AppLanguage
package import TerminalUI

// The texts of keys in the languages of the app.

extension KeyText {
    /// Creates a text in the languages of the app.
    package init(_ text: LocalizedText) { self.init(text.english, [AppLanguage.korean.rawValue: text.korean]) }

    /// The English text.
    package var english: String { self(.english) }
    /// The Korean text.
    package var korean: String { self(.korean) }

    /// Returns the text in a language.
    package func callAsFunction(_ language: AppLanguage) -> String { self(language.rawValue) }
}

extension LocalizedText {
    /// Creates a text from one about keys.
    package init(_ text: KeyText) { self.init(text.english, ko: text.korean) }
}

extension KeyHint {
    /// Creates a hint.
    package init(_ key: Key, _ action: LocalizedText, isRare: Bool = false) {
        self.init(key, KeyText(action), isRare: isRare)
    }

    /// Creates a hint for a character that is typed without a modifier.
    package init(_ character: Character, _ action: LocalizedText, isRare: Bool = false) {
        self.init(.character(character), KeyText(action), isRare: isRare)
    }
}

extension KeyAction {
    /// Creates an action.
    package init(_ name: String, _ text: LocalizedText, _ keys: [Key], isRare: Bool = false) {
        self.init(name, KeyText(text), keys, isRare: isRare)
    }
}

extension KeyMap.Screen {
    /// Creates a screen.
    package init(_ name: LocalizedText, _ actions: [KeyAction], isForText: Bool = false) {
        self.init(KeyText(name), actions, isForText: isForText)
    }
}
