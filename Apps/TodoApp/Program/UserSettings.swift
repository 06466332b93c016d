import AppLanguage
import AppUI
import JSONValues
import TerminalUI

/// The settings of the user: reads and stores them in the files of the configuration folder, and applies them to the running
/// app.
@MainActor
final class UserSettings {
    /// The choices that apply.
    private(set) var preferences: Preferences
    /// The colours that are shown before the user chooses them.
    private var previewed: Preferences.Palette?
    /// The folder of the todos.
    let dataDirectory: String
    /// Applies changed colours and another way of drawing; set by the full screen.
    var apply: (@MainActor (Preferences) -> Void)?
    /// Shows all screens anew, with the present language and keys; set by the full screen.
    var restart: (@MainActor () -> Void)?

    /// Shows a notification outside of the screen, with a title; set by the full screen.
    var notify: (@MainActor (_ title: String, _ text: String) -> Void)?

    /// Opens a file in the user's editor, which has the terminal until it ends, and returns its exit status; set by the full
    /// screen.
    var openEditor: (@MainActor (_ path: String) async -> Int32)?

    private let environment: [String: String]
    private let accent: UInt32

    /// Creates the settings of a running program.
    init(
        _ preferences: Preferences = Preferences(),
        environment: [String: String] = [:],
        dataDirectory: String = "",
        accent: UInt32 = 0
    ) {
        (self.preferences, self.environment) = (preferences, environment)
        (self.dataDirectory, self.accent) = (dataDirectory, accent)
    }

    /// The folder of the files; `nil` without a home folder.
    var folder: String? { ConfigurationFile.folder(environment) }

    /// The keys of the file.
    var keyMap: KeyMap { KeyMapFile.read(environment) }

    /// The colours: those of the palette with the changes of the file.
    var theme: Theme {
        var shown = preferences
        shown.palette = previewed ?? shown.palette
        return ThemeFile(environment, over: shown.theme(accent: accent)).theme
    }

    /// Shows the colours of a palette without storing them; `nil` for the chosen ones.
    func preview(_ palette: Preferences.Palette?) {
        previewed = palette
        apply?(preferences)
    }

    /// The language of the screens.
    var language: AppLanguage {
        AppLanguage.preferred(option: preferences.language?.rawValue, environment: environment)
    }

    /// Stores and applies changed choices. Another language, other dates and intervals, and a picture that appears or goes, show
    /// all screens anew.
    func save(_ preferences: Preferences) throws(ConfigurationFile.WriteError) {
        let before = self.preferences
        let keys = preferences.keys(changedFrom: before)
        guard !keys.isEmpty else { return }
        try preferences.save(keys, environment)
        self.preferences = preferences
        apply?(preferences)
        if !Set(keys).isDisjoint(with: ["language", "picture", "pictures.interval", "dates", "week", "sync.interval"]) {
            restart?()
        }
    }

    /// Stores the keys of an action; `nil` for the default ones. They apply after ``restart``.
    func save(_ keys: [Key]?, of action: String) throws(ConfigurationFile.WriteError) {
        try ConfigurationFile.update(KeyMapFile.name, environment) { members in
            members[action] = keys.map { .array($0.map { .string("\($0)") }) }
        }
    }
}
