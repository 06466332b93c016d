package import TerminalUI

/// How a flavour looks.
package struct Appearance: Sendable {
    /// The program's name.
    package let title: String
    /// The animal, in the middle of a sentence.
    package let animal: String
    /// One character that stands for it.
    package let symbol: String
    /// The styles by role.
    package let theme: Theme
    /// Whether things may move.
    package let isAnimated: Bool

    /// Creates the appearance of a flavour.
    ///
    /// - Parameters:
    ///   - title: the program's name.
    ///   - animal: the animal, in the middle of a sentence.
    ///   - symbol: one character for titles.
    ///   - accent: the colour of bars and of the selection, as 0xRRGGBB.
    ///   - isAnimated: whether things may move.
    package init(title: String, animal: String, symbol: String, accent: UInt32, isAnimated: Bool) {
        self.title = title
        self.animal = animal
        self.symbol = symbol
        theme = Theme(tint: .hex(accent))
        self.isAnimated = isAnimated
    }
}

/// A short message for the user, gone after a while.
package struct Notice: Hashable, Sendable {
    /// How it is meant.
    package enum Kind: Hashable, Sendable {
        /// Something was done; undo takes it back.
        case undoable
        /// Something was done, or is worth knowing.
        case information
        /// Something went wrong.
        case failure
    }

    /// How it is meant.
    package let kind: Kind
    /// One line.
    package let text: String

    /// Creates a notice.
    package init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }
}
