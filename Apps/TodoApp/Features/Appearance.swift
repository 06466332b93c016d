import TerminalUI

/// How a flavour looks.
struct Appearance: Sendable {
    /// The program's name.
    let title: String
    /// The animal, in the middle of a sentence.
    let animal: String
    /// One character that stands for it.
    let symbol: String
    /// The styles by role.
    let theme: Theme
    /// Whether things may move.
    let isAnimated: Bool

    init(flavour: Flavour, isAnimated: Bool) {
        title = flavour.name
        animal = flavour.animal
        symbol = flavour.symbol
        theme = Theme(tint: .hex(flavour.accent))
        self.isAnimated = isAnimated
    }
}
