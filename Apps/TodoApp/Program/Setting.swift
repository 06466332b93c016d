import AppLanguage
import JSONValues
import TextEscaping
import TodoCore

/// A setting of `config.json`: its key, what it accepts, and its place in ``Preferences``.
struct Setting: Sendable {
    /// The name of the member: `theme`, or `sync.interval` for one of an object.
    let key: String
    /// The possible values, if they are few.
    var choices: [String] = []
    /// Whether the value is a JSON string.
    var isText = true
    /// Reads the value of the file.
    let read: @Sendable (JSONValue, inout Preferences) throws(TodoFieldError) -> Void
    /// Returns the value for the file; `nil` for none.
    let value: @Sendable (Preferences) -> JSONValue?

    /// Returns the value that a typed text means.
    func value(parsing text: String) -> JSONValue {
        if isText { return .string(text) }
        if let flag = Bool(text) { return .bool(flag) }
        return Int64(text).map(JSONValue.integer) ?? Double(text).map(JSONValue.number) ?? .string(text)
    }

    /// Returns the value as a person types it; empty for none.
    func text(_ preferences: Preferences) -> String {
        switch value(preferences) {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .bool(let flag): "\(flag)"
        default: ""
        }
    }

    // MARK: In the file

    var path: (object: String?, name: String) {
        let parts = key.split(separator: ".").map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : (nil, key)
    }

    /// Returns the member of a file; `nil` if it has none, or the value null.
    func member(of members: [String: JSONValue]) throws(TodoFieldError) -> JSONValue? {
        var members = members
        let (object, name) = path
        if let object {
            switch members[object] {
            case nil, .null: return nil
            case .object(let inner): members = inner
            default:
                let example = "{\"\(Setting.all.first { $0.path.object == object }?.path.name ?? name)\": 5}"
                throw Setting.error(
                    "\(object): write an object such as \(example)",
                    "\(object): \(example) 같은 객체를 적어 주세요"
                )
            }
        }
        return members[name] == .null ? nil : members[name]
    }

    /// Changes the member of a file; `nil` removes it.
    func put(_ value: JSONValue?, in members: inout [String: JSONValue]) {
        guard let object = path.object else { return members[key] = value }
        var inner: [String: JSONValue] = [:]
        if case .object(let present) = members[object] { inner = present }
        inner[path.name] = value
        members[object] = inner.isEmpty ? nil : .object(inner)
    }

    fileprivate static func error(_ english: String, _ korean: String) -> TodoFieldError {
        TodoFieldError(LocalizedText(english, ko: korean))
    }
}

// MARK: - All settings

extension Setting {
    /// All settings, in the order in which they are listed.
    static let all =
        [
            choice("theme", \.palette), choice("language", \.language), choice("draw", \.draw),
            flag("picture", \.showsPicture), minutes("pictures.interval", \.pictureInterval),
            choice("dates", \.dates.format), choice("week", \.dates.firstWeekday),
            view, sort, minutes("remind", \.reminder), minutes("sync.interval", \.syncInterval), data,
        ] + TodoUrgency.names.map(coefficient)

    /// Returns the setting with a key.
    static func named(_ key: String) throws(TodoFieldError) -> Setting {
        if let setting = all.first(where: { $0.key == key }) { return setting }
        let hint = NearestName.of(key, among: all.map(\.key)).map { "did you mean \($0.quoted())?" }
        throw TodoFieldError(
            message: "there is no setting \(key.quoted(limit: 40)); " + (hint ?? "`config get` lists them")
        )
    }

    private typealias Path<Value> = any WritableKeyPath<Preferences, Value> & Sendable

    private static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
        _ key: String,
        _ path: Path<Value>
    ) -> Setting where Value.RawValue == String {
        Setting(key: key, choices: Value.allCases.map(\.rawValue)) { value, preferences throws(TodoFieldError) in
            preferences[keyPath: path] = try one(value)
        } value: {
            .string($0[keyPath: path].rawValue)
        }
    }

    /// A choice that can be left open.
    private static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
        _ key: String,
        _ path: Path<Value?>
    ) -> Setting where Value.RawValue == String {
        Setting(key: key, choices: Value.allCases.map(\.rawValue)) { value, preferences throws(TodoFieldError) in
            preferences[keyPath: path] = try one(value)
        } value: {
            $0[keyPath: path].map { .string($0.rawValue) }
        }
    }

    private static func one<Value: RawRepresentable & CaseIterable>(_ value: JSONValue) throws(TodoFieldError) -> Value
    where Value.RawValue == String {
        if case .string(let text) = value, let found = Value(rawValue: text) { return found }
        let choices = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw error("write one of \(choices)", "\(choices) 가운데 하나를 적어 주세요")
    }

    private static func flag(_ key: String, _ path: Path<Bool>) -> Setting {
        Setting(key: key, choices: ["true", "false"], isText: false) { value, preferences throws(TodoFieldError) in
            guard case .bool(let flag) = value else { throw error("write true or false", "true나 false를 적어 주세요") }
            preferences[keyPath: path] = flag
        } value: {
            .bool($0[keyPath: path])
        }
    }

    private static func minutes(_ key: String, _ path: Path<Int?>) -> Setting {
        Setting(key: key, isText: false) { value, preferences throws(TodoFieldError) in
            let limit = 10_080
            guard let minutes = number(value).flatMap({ Int(exactly: $0) }), (0...limit).contains(minutes) else {
                throw error("write a number of minutes from 0 to \(limit)", "0부터 \(limit)까지 분을 적어 주세요")
            }
            preferences[keyPath: path] = minutes
        } value: {
            $0[keyPath: path].map { .integer(Int64($0)) }
        }
    }

    private static func coefficient(_ name: String) -> Setting {
        Setting(key: "urgency.\(name)", isText: false) { value, preferences throws(TodoFieldError) in
            guard let number = number(value) else { throw error("write a number", "숫자를 적어 주세요") }
            try preferences.urgency.set(name, number)
        } value: {
            .number($0.urgency.value(name))
        }
    }

    private static let view = Setting(key: "view") { value, preferences throws(TodoFieldError) in
        preferences.view = try text(value)
    } value: {
        $0.view.map { .string($0) }
    }

    private static let data = Setting(key: "data") { value, preferences throws(TodoFieldError) in
        let path = try text(value)
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw error("write the path of a folder, such as /home/me/todos", "/home/me/todos 같은 폴더 경로를 적어 주세요")
        }
        preferences.dataFolder = path
    } value: {
        $0.dataFolder.map { .string($0) }
    }

    private static let sort = Setting(key: "sort") { value, preferences throws(TodoFieldError) in
        preferences.sort = try TodoSort(parsing: try text(value))
    } value: {
        $0.sort.map { .string($0.description) }
    }

    private static func text(_ value: JSONValue) throws(TodoFieldError) -> String {
        guard case .string(let text) = value else { throw error("write a text in quotation marks", "따옴표 안에 적어 주세요") }
        return text
    }

    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}
