import AppLanguage
import TerminalUI
import TextEscaping

/// The file with the colours of the user: `theme.json` in the folder `pawkit` of the XDG configuration folder.
///
/// The file is a JSON object with the roles of `Theme` and their styles:
///
///     { "tint": "#3D7EFF", "error": "#FF8080 bold", "selection": "#000000 on #FFD75C" }
///
/// Roles that it does not name have the style of the flavour. An invalid entry is reported, and the others apply.
struct ThemeFile {
    /// The name of the file.
    static let name = "theme.json"

    /// The theme with the styles of the file.
    private(set) var theme: Theme
    /// What is wrong with the file.
    private(set) var problems: [LocalizedText] = []

    /// Reads the changes of a theme from the file.
    init(_ environment: [String: String], over theme: Theme) {
        self.theme = theme
        let example = ##"{"tint": "#3D7EFF", "error": "#FF8080 bold"}"##
        switch ConfigurationFile.read(Self.name, as: [String: String].self, example: example, environment) {
        case .absent: break
        case .problem(let text): report(text)
        case .value(let entries):
            for (role, style) in entries.sorted(by: { $0.key < $1.key }) { apply(style, to: role) }
        }
    }

    private mutating func apply(_ style: String, to role: String) {
        guard Self.theme(theme, role, "default") != nil else {
            report(
                LocalizedText(
                    "there is no role \(role.quoted(limit: 30)); roles are tint, text, bar, selection, error and others",
                    ko: "\(role.quoted(limit: 30)) 역할이 없습니다. tint, text, bar, selection, error 등이 있습니다"
                )
            )
            return
        }
        guard let changed = Self.theme(theme, role, style) else {
            report(
                LocalizedText(
                    "\(role): \(style.quoted(limit: 30)) is not a style; write #FF8080, 0 to 255 or default, and bold",
                    ko: "\(role): \(style.quoted(limit: 30).with(.topic)) 스타일이 아닙니다. #FF8080 bold처럼 적어 주세요"
                )
            )
            return
        }
        theme = changed
    }

    /// Returns a theme with the style of a role replaced; `nil` for an unknown role or an invalid style.
    private static func theme(_ theme: Theme, _ role: String, _ style: String) -> Theme? {
        // An entry is one line of the format that `Theme` parses.
        guard !role.isEmpty, !role.contains(where: { $0.isWhitespace || $0 == "#" }),
            !style.contains(where: \.isNewline)
        else { return nil }
        return try? theme.overridden(by: "\(role) = \(style)")
    }

    private mutating func report(_ problem: LocalizedText) {
        problems.append(LocalizedText("\(Self.name): \(problem.english)", ko: "\(Self.name): \(problem.korean)"))
    }
}
