package import AppLanguage
package import AppUI

extension Appearance {
    /// The look of Dog without animations.
    package static func dog(_ language: AppLanguage = .english) -> Appearance {
        Appearance(title: "Dog", animal: "dog", symbol: "🐶", accent: 0xB4631C, isAnimated: false, language: language)
    }
}
