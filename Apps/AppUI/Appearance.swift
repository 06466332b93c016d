package import AppLanguage
package import TerminalUI

/// The look of a flavour of the app.
package struct Appearance: Sendable {
    /// The program's name.
    package let title: String
    /// The animal, as in the middle of a sentence.
    package let animal: String
    /// One character for titles.
    package let symbol: String
    /// The styles by role.
    package var theme: Theme
    /// The colour of the title in the toolbar, as 0xRRGGBB.
    package let titleColor: UInt32
    /// Whether views may be animated.
    package let isAnimated: Bool
    /// The language of the screens.
    package var language: AppLanguage
    /// How days are written, and with which day a week begins.
    package var dates: DateStyle

    /// Creates the appearance of a flavour. The colour of bars and of the selection is 0xRRGGBB.
    package init(
        title: String,
        animal: String,
        symbol: String,
        accent: UInt32,
        theme: Theme? = nil,
        titleColor: UInt32 = 0xFFF1C9,
        isAnimated: Bool,
        language: AppLanguage = .english,
        dates: DateStyle = DateStyle()
    ) {
        (self.title, self.animal, self.symbol) = (title, animal, symbol)
        self.theme = theme ?? Theme(tint: .hex(accent))
        (self.titleColor, self.isAnimated) = (titleColor, isAnimated)
        (self.language, self.dates) = (language, dates)
    }
}
