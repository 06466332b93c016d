package import AppLanguage
package import TerminalUI
import TextEscaping

/// An action of a screen that keys trigger.
package struct KeyAction: Hashable, Sendable {
    /// The name in the file of the keys, such as `todos.new`.
    package let name: String
    /// What the action does, in a word or two.
    package let text: LocalizedText
    /// The keys without a file, the one that the hint line shows first.
    package let keys: [Key]
    /// Whether the keys are used rarely; see ``KeyHint/isRare``.
    package let isRare: Bool

    /// Creates an action.
    package init(_ name: String, _ text: LocalizedText, _ keys: [Key], isRare: Bool = false) {
        (self.name, self.text, self.keys, self.isRare) = (name, text, keys, isRare)
    }
}

/// The actions of a screen, each with its default keys.
package protocol ScreenAction: CaseIterable, Equatable {
    /// The action for the key map.
    var keyAction: KeyAction { get }
}

/// The keys of the actions: those of a file of the user, or the default ones.
///
/// The file is a JSON object with the names of actions and their keys:
///
///     { "todos.new": "n", "todos.toggle": ["space", "enter"], "todos.remove": "ctrl-d" }
///
/// Actions that it does not name have their default keys.
package struct KeyMap: Sendable, Equatable {
    /// The default keys.
    package static let standard = KeyMap()

    var changed: [String: [Key]] = [:]
    /// What is wrong with the file of the keys.
    package private(set) var problems: [LocalizedText] = []

    /// The actions that apply at the same time: those of a screen and of what is around it.
    package struct Screen: Sendable {
        let name: LocalizedText
        let actions: [KeyAction]
        let isForText: Bool

        /// Creates a screen.
        ///
        /// - Parameters:
        ///   - name: its name in a message, such as "the list".
        ///   - actions: its actions. Those of what is around it come first.
        ///   - isForText: whether keys that type a character type text there, so that they trigger no action.
        package init(_ name: LocalizedText, _ actions: [KeyAction], isForText: Bool = false) {
            (self.name, self.actions, self.isForText) = (name, actions, isForText)
        }
    }

    /// Creates the map of the default keys.
    package init() {}

    /// Creates a map from the entries of the file.
    ///
    /// A conflict, two actions of a screen with one key, is reported, and both actions have their default keys.
    ///
    /// - Parameters:
    ///   - entries: the names of keys by the name of the action.
    ///   - screens: the screens whose keys can be changed. An action may be in several.
    package init(_ entries: [String: [String]], screens: [Screen]) {
        let names = Set(screens.flatMap(\.actions).map(\.name))
        let textNames = Set(screens.filter(\.isForText).flatMap(\.actions).map(\.name))
        for (name, texts) in entries.sorted(by: { $0.key < $1.key }) {
            guard names.contains(name) else {
                // The actions of a screen have the same word before the point.
                let screen = name.prefix { $0 != "." } + "."
                let others = names.filter { $0.hasPrefix(screen) }.map { String($0.dropFirst(screen.count)) }.sorted()
                let nearest = NearestName.of(String(name.dropFirst(screen.count)), among: others).map { screen + $0 }
                problems.append(
                    LocalizedText(
                        "there is no action \"\(name)\"" + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""),
                        ko: "\"\(name)\" 동작이 없습니다" + (nearest.map { ". \"\($0)\"인가요?" } ?? "")
                    )
                )
                continue
            }
            let keys = readKeys(texts, of: name, isForText: textNames.contains(name))
            if !keys.isEmpty { changed[name] = keys }
        }
        for screen in screens { removeConflicts(screen) }
    }

    /// Creates the map of the default keys for a file that cannot be read.
    package init(problem: LocalizedText) {
        problems = [problem]
    }

    private mutating func readKeys(_ texts: [String], of name: String, isForText: Bool) -> [Key] {
        var keys: [Key] = []
        for text in texts {
            guard let key = Key(text) else {
                problems.append(
                    LocalizedText(
                        "\(name): \"\(text)\" is not a key; write n, ctrl-n, alt-n, space, enter, f2 or up",
                        ko: "\(name): \"\(text)\"은(는) 키가 아닙니다. n, ctrl-n, space, enter, f2, up처럼 적어 주세요"
                    )
                )
                continue
            }
            if isForText, key.text != nil {
                problems.append(
                    LocalizedText(
                        "\(name): \(key) types text there; write a key such as ctrl-s, alt-s, escape or f2",
                        ko: "\(name): 그 화면에서 \(key)은(는) 글자를 입력합니다. ctrl-s, escape, f2 같은 키를 적어 주세요"
                    )
                )
            } else if !keys.contains(key) {
                keys.append(key)
            }
        }
        return keys
    }

    private mutating func removeConflicts(_ screen: Screen) {
        var isClean = false
        // Removing a change restores default keys, which may conflict with another change.
        while !isClean {
            isClean = true
            var owners: [Key: KeyAction] = [:]
            for action in screen.actions {
                for key in keys(for: action) {
                    guard let other = owners[key] else {
                        owners[key] = action
                        continue
                    }
                    guard other != action else { continue }
                    let names = "\(other.name) and \(action.name)"
                    problems.append(
                        LocalizedText(
                            "\(key) is the key of \(names) in \(screen.name.english); both have their default keys",
                            ko: "\(screen.name.korean)에서 \(key) 키가 \(other.name)와(과) \(action.name)에 함께 쓰였습니다. "
                                + "둘 다 기본 키를 씁니다"
                        )
                    )
                    if changed.removeValue(forKey: other.name) != nil { isClean = false }
                    if changed.removeValue(forKey: action.name) != nil { isClean = false }
                }
                if !isClean { break }
            }
        }
    }

    /// The keys of an action.
    package func keys(for action: KeyAction) -> [Key] { changed[action.name] ?? action.keys }

    /// Returns the hint of an action; `nil` for an action without keys.
    package func hint(_ action: KeyAction) -> KeyHint? {
        keys(for: action).first.map { KeyHint($0, action.text, isRare: action.isRare) }
    }

    /// Returns the hints of the actions of a screen, in their order.
    package func hints<Action: ScreenAction>(_ actions: Action.Type) -> [KeyHint] {
        actions.allCases.compactMap { hint($0.keyAction) }
    }

    /// Returns the action of a screen that a key triggers.
    package func action<Action: ScreenAction>(_ key: Key, of actions: Action.Type) -> Action? {
        actions.allCases.first { keys(for: $0.keyAction).contains(key) }
    }
}
