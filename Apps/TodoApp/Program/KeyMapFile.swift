import AppLanguage
import AppUI
import TerminalUI
import TodoFeature

/// The file with the keys of the user: `keys.json` in the folder `pawkit` of the XDG configuration folder.
enum KeyMapFile {
    /// Reads the file.
    ///
    /// - Parameter environment: the environment variables.
    /// - Returns: the keys; the default ones without a file. Its problems are those of an invalid file.
    static func read(_ environment: [String: String]) -> KeyMap {
        switch ConfigurationFile.read("keys.json", as: [String: Keys].self, environment) {
        case .absent: .standard
        case .unreadable: KeyMap(problem: LocalizedText("the file cannot be read", ko: "파일을 읽을 수 없습니다"))
        case .invalid:
            KeyMap(
                problem: LocalizedText(
                    "the file is not a JSON object such as {\"todos.new\": \"n\", \"todos.toggle\": [\"space\", \"v\"]}",
                    ko: "{\"todos.new\": \"n\"} 같은 JSON 객체가 아닙니다"
                )
            )
        case .value(let file): KeyMap(file.mapValues(\.names), actions: KeyMap.todoActions, reserved: reserved)
        }
    }

    /// The actions of the screens around the list, whose keys the file cannot change.
    private static let reserved = [
        KeyAction("home.picture", HomeText.picture, [.character("p")]),
        KeyAction("home.profile", HomeText.profile, [.character("o")]),
        KeyAction("home.favourite", HomeText.favourite, [.character("f")]),
        KeyAction("home.favourites", HomeText.favourites, [.character("F")]),
        KeyAction("home.quit", HomeText.quit, [.character("q")]),
        KeyAction("app.menu", RootText.menu, [.character("m")]),
        KeyAction("app.settings", RootText.settings, [.character(",")]),
        KeyAction("app.keys", RootText.keys, [.character("?")]),
    ]

    /// One key or several.
    private struct Keys: Decodable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let name = try? container.decode(String.self) {
                names = [name]
            } else {
                names = try container.decode([String].self)
            }
        }
    }
}
