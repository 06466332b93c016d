import CommandKit
import Pictures
import TerminalUI

/// The value of `--draw`: how pictures are drawn on the screen and by `picture`.
enum PictureChoice: String, CaseIterable, Sendable {
    case auto, kitty, iterm, sixel, half, quarter, ascii, none

    static let option = CommandOption(
        "draw",
        value: "HOW",
        help: "auto, kitty, iterm, sixel, half, quarter, ascii or none",
        choices: allCases.map(\.rawValue)
    )

    /// The choice of a command line; that of the settings without the option.
    init(_ command: AppCommand, _ preferences: Preferences) {
        self = command.value("draw").flatMap(PictureChoice.init(rawValue:)) ?? preferences.draw
    }

    /// The protocol for a window; `nil` for the one of the terminal.
    var graphics: TerminalGraphics? {
        switch self {
        case .auto: nil
        case .kitty: .kitty
        case .iterm: .iterm
        // The size is used until the terminal has reported that of its cells.
        case .sixel: .sixel(cell: PixelSize(width: 10, height: 20))
        case .half, .quarter, .ascii, .none: TerminalGraphics.none
        }
    }

    /// The style in cells; `nil` for the one that suits the terminal.
    var style: PictureStyle? {
        switch self {
        case .auto, .kitty, .iterm, .sixel: nil
        case .half: .halfBlocks
        case .quarter: .quadrants
        case .ascii: .characters
        case .none: .words
        }
    }
}
