import AppLanguage
import AppUI
import TerminalUI
import TodoFeature

/// The file with the keys of the user: `keys.json` in the folder `pawkit` of the XDG configuration folder.
enum KeyMapFile {
    /// The name of the file.
    static let name = "keys.json"

    /// Reads the keys of the file; the default ones without a file. Their problems are those of an invalid file.
    static func read(_ environment: [String: String]) -> KeyMap {
        let example = #"{"todos.new": "n", "todos.toggle": ["space", "v"]}"#
        return switch ConfigurationFile.read(name, as: [String: KeyMap.Names].self, example: example, environment) {
        case .absent: .standard
        case .problem(let text): KeyMap(problem: KeyText(text))
        case .value(let file): KeyMap(file, screens: screens)
        }
    }

    /// The names of the actions in the file, each with what it does after a tab.
    static func names(_ language: AppLanguage) -> [String] {
        var seen: Set<String> = []
        return screens.flatMap(\.actions).filter { seen.insert($0.name).inserted }
            .map { "\($0.name)\t\($0.text(language))" }
    }

    /// The screens whose keys the file changes.
    static var screens: [KeyMap.Screen] {
        KeyMap.todoScreens(around: RootAction.allCases.map(\.keyAction) + HomeAction.allCases.map(\.keyAction))
    }
}
