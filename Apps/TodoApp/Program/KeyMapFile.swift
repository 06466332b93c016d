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
        case .value(let file): KeyMap(file.mapValues(\.names), screens: screens)
        }
    }

    /// The screens whose keys the file changes.
    static var screens: [KeyMap.Screen] {
        KeyMap.todoScreens(around: RootAction.allCases.map(\.keyAction) + HomeAction.allCases.map(\.keyAction))
    }

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
