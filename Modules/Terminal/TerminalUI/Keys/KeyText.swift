/// A text about keys: the same in every language, or with translations.
///
///     let save: KeyText = "save"
///     let quit = KeyText("quit", ["ko": "끝내기"])
public struct KeyText: Sendable, Hashable, ExpressibleByStringLiteral {
    private let text: String
    private let translations: [String: String]

    /// Creates a text, usually in English, for every language without a translation, with translations by the code of
    /// their language, such as `ko`.
    public init(_ text: String, _ translations: [String: String] = [:]) {
        (self.text, self.translations) = (text, translations)
    }

    /// Creates a text that is the same in every language.
    public init(stringLiteral text: String) { self.init(text) }

    /// Returns the text in a language.
    public func callAsFunction(_ language: String) -> String { translations[language] ?? text }

    init(_ text: String, ko: String) { self.init(text, ["ko": ko]) }
}
