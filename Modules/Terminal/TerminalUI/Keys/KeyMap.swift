import TextEscaping

/// The keys of the actions: those of a file of the user, or the default ones.
///
/// The file is a JSON object with the names of actions and their keys:
///
///     { "todos.new": "n", "todos.toggle": ["space", "enter"], "todos.remove": "ctrl-d" }
///
/// Actions that it does not name have their default keys. A letter of Hangul is the Latin letter of the same key, as
/// ``Window/dispatch(_:)`` reports it.
public struct KeyMap: Sendable, Equatable {
    /// The default keys.
    public static let standard = KeyMap()

    private var changed: [String: [Key]] = [:]
    /// What is wrong with the file of the keys.
    public private(set) var problems: [KeyText] = []

    /// The names of the keys of an action in the file: one, or a list.
    public struct Names: Decodable, ExpressibleByArrayLiteral, Sendable {
        let names: [String]

        /// Creates a list.
        public init(arrayLiteral names: String...) { self.names = names }

        /// Reads a name or a list of them.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            names = try (try? container.decode(String.self)).map { [$0] } ?? container.decode([String].self)
        }
    }

    /// The actions that apply at the same time: those of a screen and of what is around it.
    public struct Screen: Sendable {
        /// Its name in a message.
        public let name: KeyText
        /// Its actions.
        public let actions: [KeyAction]
        let isForText: Bool

        /// Creates a screen.
        ///
        /// - Parameters:
        ///   - name: its name in a message, such as "the list".
        ///   - actions: its actions. Those of what is around it come first.
        ///   - isForText: whether keys that type a character type text there, so that they trigger no action.
        public init(_ name: KeyText, _ actions: [KeyAction], isForText: Bool = false) {
            (self.name, self.actions, self.isForText) = (name, actions, isForText)
        }
    }

    /// Creates the map of the default keys.
    public init() {}

    /// Creates a map from the entries of the file.
    ///
    /// A conflict, two actions of a screen with one key, is reported, and both actions have their default keys.
    ///
    /// - Parameters:
    ///   - entries: the names of keys by the name of the action.
    ///   - screens: the screens whose keys can be changed. An action may be in several.
    public init(_ entries: [String: Names], screens: [Screen]) {
        let names = Set(screens.flatMap(\.actions).map(\.name))
        let textNames = Set(screens.filter(\.isForText).flatMap(\.actions).map(\.name))
        for (name, texts) in entries.sorted(by: { $0.key < $1.key }) {
            guard names.contains(name) else {
                problems.append(KeyMap.problem(ofUnknown: name, among: names))
                continue
            }
            let keys = readKeys(texts.names, of: name, isForText: textNames.contains(name))
            if !keys.isEmpty { changed[name] = keys }
        }
        for screen in screens { removeConflicts(screen) }
    }

    /// Creates the map of the default keys for a file that cannot be read.
    public init(problem: KeyText) { problems = [problem] }

    /// Returns that there is no action of a name, with the nearest one, or those of its screen.
    private static func problem(ofUnknown name: String, among names: Set<String>) -> KeyText {
        // The actions of a screen have the same word before the point.
        let screen = name.prefix { $0 != "." } + "."
        let others = names.filter { $0.hasPrefix(screen) }.map { String($0.dropFirst(screen.count)) }.sorted()
        if let nearest = NearestName.of(String(name.dropFirst(screen.count)), among: others) {
            return KeyText(
                "there is no action \"\(name)\"; did you mean \"\(screen)\(nearest)\"?",
                ko: "\"\(name)\" 동작이 없습니다. \"\(screen)\(nearest)\"인가요?"
            )
        }
        let screens = Set(names.map { $0.prefix { $0 != "." } + "." }).sorted()
        let known = (others.isEmpty ? screens : others.map { screen + $0 }).joined(separator: ", ")
        return others.isEmpty
            ? KeyText(
                "there is no action \"\(name)\"; the names begin with \(known)",
                ko: "\"\(name)\" 동작이 없습니다. 이름의 앞부분: \(known)"
            )
            : KeyText(
                "there is no action \"\(name)\"; it is one of \(known)",
                ko: "\"\(name)\" 동작이 없습니다. 있는 동작: \(known)"
            )
    }

    private mutating func readKeys(_ texts: [String], of name: String, isForText: Bool) -> [Key] {
        var keys: [Key] = []
        for text in texts {
            guard let key = Key(text)?.inLatinLayout else {
                problems.append(
                    KeyText(
                        "\(name): \"\(text)\" is not a key; write n, ctrl-n, alt-n, space, enter, f2 or up",
                        ko: "\(name): \"\(text)\" 키는 없습니다. n, ctrl-n, space, enter, f2, up처럼 적어 주세요"
                    )
                )
                continue
            }
            if let problem = KeyMap.problem(ofIndistinct: key) {
                problems.append(KeyText("\(name): \(problem("en"))", ko: "\(name): \(problem("ko"))"))
            } else if isForText, key.text != nil {
                problems.append(
                    KeyText(
                        "\(name): \(key) types text there; write a key such as ctrl-s, alt-s, escape or f2",
                        ko: "\(name): 그 화면에서 \(key) 키는 글자를 입력합니다. ctrl-s, escape, f2 같은 키를 적어 주세요"
                    )
                )
            } else if !keys.contains(key) {
                keys.append(key)
            }
        }
        return keys
    }

    /// Returns why a key cannot be used that most terminals report as another one.
    private static func problem(ofIndistinct key: Key) -> KeyText? {
        key.indistinct.map {
            KeyText(
                "most terminals report \(key) as \($0); use another key",
                ko: "터미널 대부분이 \(key) 키를 \($0) 키로 보냅니다. 다른 키를 쓰세요"
            )
        }
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
                        KeyText(
                            "\(key) is the key of \(names) in \(screen.name("en")); both have their default keys",
                            ko: "\(screen.name("ko"))에서 \(key) 키가 \(other.name) 동작과 \(action.name) 동작에 함께 쓰였습니다. "
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

    /// Returns the map with other keys for an action; `nil` for its default ones.
    public func setting(_ keys: [Key]?, of action: KeyAction) -> KeyMap {
        var map = self
        map.changed[action.name] = keys
        return map
    }

    /// Returns why the keys of an action cannot be used: another action of a screen has one of them, it types text there, or most
    /// terminals report it as another key.
    public func problem(of action: KeyAction, in screens: [Screen]) -> KeyText? {
        for screen in screens where screen.actions.contains(action) {
            for key in keys(for: action) {
                if let problem = KeyMap.problem(ofIndistinct: key) { return problem }
                if screen.isForText, key.text != nil {
                    return KeyText(
                        "\(key) types text there; use a key such as ctrl-s or f2",
                        ko: "그 화면에서 \(key) 키는 글자를 입력합니다. ctrl-s나 f2 같은 키를 쓰세요"
                    )
                }
                guard let other = screen.actions.first(where: { $0 != action && keys(for: $0).contains(key) }) else {
                    continue
                }
                let name = KeyHint(key, other.text).name
                return KeyText(
                    "\(name) is the key of \"\(other.text("en"))\" in \(screen.name("en")); give that another key first",
                    ko: "\(name) 키는 \(screen.name("ko"))에서 \"\(other.text("ko"))\"에 쓰입니다. 그 키를 먼저 바꾸세요"
                )
            }
        }
        return nil
    }

    /// The keys of an action.
    public func keys(for action: KeyAction) -> [Key] { changed[action.name] ?? action.keys }

    /// Returns the hint of an action; `nil` for an action without keys.
    public func hint(_ action: KeyAction) -> KeyHint? {
        keys(for: action).first.map { KeyHint($0, action.text, isRare: action.isRare) }
    }

    /// Returns the hints of the actions of a screen, in their order.
    public func hints<Action: ScreenAction>(_ actions: Action.Type) -> [KeyHint] {
        actions.allCases.compactMap { hint($0.keyAction) }
    }

    /// Returns the action of a screen that a key triggers.
    public func action<Action: ScreenAction>(_ key: Key, of actions: Action.Type) -> Action? {
        actions.allCases.first { keys(for: $0.keyAction).contains(key) }
    }
}
