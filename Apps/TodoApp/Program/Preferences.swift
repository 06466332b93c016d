import AppLanguage
import JSONValues
import TerminalUI

/// The choices of the settings: members of the file `config.json` in the folder `pawkit` of the XDG configuration folder.
///
///     { "theme": "blue", "language": "ko", "draw": "half", "picture": false }
///
/// What the file does not name has its default.
struct Preferences: Hashable, Sendable {
    /// The name of the file.
    static let fileName = "config.json"
    /// A valid file, for the texts of problems.
    static let example = #"{"theme": "blue", "picture": false}"#

    /// The colours of bars, the selection and the focus.
    enum Palette: String, CaseIterable, Sendable {
        /// Those of the flavour.
        case flavour = "default"
        case blue, green, purple, red, gray
        /// Black, white and few strong colours.
        case contrast
    }

    /// The colours.
    var palette = Palette.flavour
    /// The language; `nil` for the one of the environment.
    var language: AppLanguage?
    /// How pictures are drawn.
    var draw = PictureChoice.auto
    /// Whether there is a picture beside the todos.
    var showsPicture = true
    /// What is wrong with the file. An invalid member has its default.
    private(set) var problems: [LocalizedText] = []

    private struct File: Decodable {
        var theme, language, draw: String?
        var picture: Bool?
    }

    /// Creates the default choices.
    init() {}

    /// Reads the file.
    ///
    /// - Parameter environment: the environment variables.
    init(_ environment: [String: String]) {
        switch ConfigurationFile.read(Self.fileName, as: File.self, example: Self.example, environment) {
        case .absent: break
        case .problem(let text): report(text)
        case .value(let file):
            palette = value(file.theme, of: "theme") ?? .flavour
            language = value(file.language, of: "language")
            draw = value(file.draw, of: "draw") ?? .auto
            showsPicture = file.picture ?? true
        }
    }

    /// Stores what differs from the earlier choices. Other members of the file stay.
    ///
    /// - Parameters:
    ///   - before: the choices in the file.
    ///   - environment: the environment variables.
    /// - Throws: `ConfigurationFile.WriteError`; the file is unchanged then.
    func save(over before: Preferences, _ environment: [String: String]) throws(ConfigurationFile.WriteError) {
        try ConfigurationFile.update(Self.fileName, environment) { members in
            if palette != before.palette { members["theme"] = .string(palette.rawValue) }
            if language != before.language { members["language"] = language.map { .string($0.rawValue) } }
            if draw != before.draw { members["draw"] = .string(draw.rawValue) }
            if showsPicture != before.showsPicture { members["picture"] = .bool(showsPicture) }
        }
    }

    /// Returns the theme of the palette.
    ///
    /// - Parameter accent: the colour of the flavour, as 0xRRGGBB.
    /// - Returns: the theme, without the changes of `theme.json`.
    func theme(accent: UInt32) -> Theme {
        switch palette {
        case .flavour: Theme(tint: .hex(accent))
        case .blue: Theme(tint: .hex(0x2F6FE0))
        case .green: Theme(tint: .hex(0x2E7D4F))
        case .purple: Theme(tint: .hex(0x7B4FC9))
        case .red: Theme(tint: .hex(0xB3362E))
        case .gray: Theme(tint: .hex(0x5F6672))
        case .contrast: Theme(tint: .hex(accent), appearance: .highContrast)
        }
    }

    private mutating func value<Value: RawRepresentable & CaseIterable>(_ text: String?, of name: String) -> Value?
    where Value.RawValue == String {
        guard let text else { return nil }
        if let value = Value(rawValue: text) { return value }
        let choices = Value.allCases.map(\.rawValue).joined(separator: ", ")
        report(
            LocalizedText(
                "\(name): write one of \(choices)",
                ko: "\(name): \(choices) 가운데 하나를 적어 주세요"
            )
        )
        return nil
    }

    private mutating func report(_ text: LocalizedText) {
        problems.append(LocalizedText("\(Self.fileName): \(text.english)", ko: "\(Self.fileName): \(text.korean)"))
    }
}
