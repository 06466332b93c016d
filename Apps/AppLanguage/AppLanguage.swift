/// A language of the app's screens.
package enum AppLanguage: String, Sendable, CaseIterable {
    /// English.
    case english = "en"
    /// Korean.
    case korean = "ko"

    /// Returns the language of an option or of the environment.
    ///
    /// The option takes precedence. Without one, the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not
    /// empty decides, as POSIX specifies. A locale of another language is English.
    ///
    /// - Parameters:
    ///   - option: the value of `--language`, a language code such as `ko`; `nil` if it was not specified.
    ///   - environment: the environment variables.
    /// - Returns: the language.
    package static func preferred(option: String?, environment: [String: String]) -> AppLanguage {
        if let option, let language = AppLanguage(locale: option) { return language }
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            if let value = environment[name], !value.isEmpty { return AppLanguage(locale: value) ?? .english }
        }
        return .english
    }

    /// Creates the language of a locale name, such as `ko_KR.UTF-8`; `nil` for another language.
    private init?(locale: String) {
        let code = locale.prefix { $0 != "_" && $0 != "-" && $0 != "." && $0 != "@" }
        self.init(rawValue: code.lowercased())
    }
}

/// A text that people read, in every language of the app.
///
/// Both languages are written at the same place, so that a missing one does not compile:
///
///     static let title = LocalizedText("Todos", ko: "할 일")
///     static func found(_ count: Int) -> LocalizedText { LocalizedText("\(count) found", ko: "\(count)개 찾음") }
package struct LocalizedText: Sendable, Hashable {
    /// The English text.
    package let english: String
    /// The Korean text.
    package let korean: String

    /// Creates a text.
    package init(_ english: String, ko: String) {
        self.english = english
        korean = ko
    }

    /// Creates a text that is the same in every language, such as a name or a path.
    package init(verbatim text: String) { self.init(text, ko: text) }

    /// Returns the text with another one after it.
    package func followed(by other: LocalizedText) -> LocalizedText {
        LocalizedText("\(english) \(other.english)", ko: "\(korean) \(other.korean)")
    }

    /// Returns the text before another one, with a colon between them.
    package func labelling(_ other: LocalizedText) -> LocalizedText {
        LocalizedText("\(english): \(other.english)", ko: "\(korean): \(other.korean)")
    }

    /// Returns the text in a language.
    package func callAsFunction(_ language: AppLanguage) -> String {
        switch language {
        case .english: english
        case .korean: korean
        }
    }
}

extension LocalizedText {
    /// Returns a number of things: English distinguishes one from several, Korean has one form.
    ///
    ///     LocalizedText.count(2, one: "breed", several: "breeds", ko: "품종", counter: "개")   // 2 breeds, 품종 2개
    package static func count(
        _ count: Int,
        one: String,
        several: String,
        ko: String,
        counter: String = "개"
    ) -> LocalizedText {
        LocalizedText("\(count) \(count == 1 ? one : several)", ko: "\(ko) \(count)\(counter)")
    }
}
