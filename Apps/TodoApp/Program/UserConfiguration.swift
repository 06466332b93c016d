import AppLanguage
import EssentialFoundation
import JSONValues
import TextEscaping
import TodoCore

/// The settings of the user: `config.json` in the folder `pawkit` of the XDG configuration folder.
///
///     { "view": "today", "sort": "due", "sync": { "interval": 15 }, "urgency": { "due": 10, "blocked": -20 } }
///
/// | Key | Value |
/// |---|---|
/// | `view` | the view that `todo list` shows without a query, and with which the screen starts |
/// | `sort` | the order of `todo list` and of the screen, as in `--sort` |
/// | `sync.interval` | the minutes between two syncs of the full screen, 5 by default; with 0 it syncs only at the start, after
/// changes and on request |
/// | `urgency.NAME` | a coefficient of ``TodoUrgency`` |
///
/// Members with other names are preserved.
struct UserConfiguration {
    /// The names of the settings.
    static let keys = ["view", "sort", "sync.interval"] + TodoUrgency.names.map { "urgency." + $0 }

    /// The view that a list without a query shows.
    private(set) var view: String?
    /// The order of a list.
    private(set) var sort: TodoSort?
    /// The time between two syncs; `nil` for none.
    private(set) var syncInterval: Duration? = .seconds(300)
    /// The coefficients of the display order.
    private(set) var urgency = TodoUrgency()
    /// What is wrong with the file. What it says is then not used.
    private(set) var problem: LocalizedText?
    /// The members of the file.
    private var members: [String: JSONValue] = [:]

    /// Reads the file.
    ///
    /// - Parameter environment: the environment variables.
    init(_ environment: [String: String]) {
        let content = ConfigurationFile.read(
            Preferences.fileName,
            as: [String: JSONValue].self,
            example: Preferences.example,
            environment
        )
        switch content {
        case .absent: break
        case .problem(let text): report(text)
        case .value(let members):
            do throws(TodoFieldError) {
                try apply(members)
            } catch {
                report(error.text)
            }
        }
    }

    private mutating func report(_ text: LocalizedText) {
        problem = LocalizedText(
            "\(Preferences.fileName): \(text(.english))",
            ko: "\(Preferences.fileName): \(text(.korean))"
        )
    }

    private mutating func apply(_ members: [String: JSONValue]) throws(TodoFieldError) {
        func text(_ key: String) throws(TodoFieldError) -> String? {
            switch members[key] {
            case nil: nil
            case .string(let text): text
            default: throw TodoFieldError(message: "\(key) is not a text in quotation marks")
            }
        }
        var coefficients: [String: Double] = [:]
        switch members["urgency"] {
        case nil: break
        case .object(let values):
            for (name, value) in values {
                switch value {
                case .integer(let number): coefficients[name] = Double(number)
                case .number(let number): coefficients[name] = number
                default: throw TodoFieldError(message: "urgency.\(name.quoted(limit: 40)) is not a number")
                }
            }
        default: throw TodoFieldError(message: "urgency is not an object such as {\"due\": 10}")
        }
        let interval = try Self.interval(members["sync"])
        let urgency = try TodoUrgency(changing: coefficients)
        let sort = try text("sort").map { text throws(TodoFieldError) in try TodoSort(parsing: text) }
        (view, self.sort, self.urgency, self.members) = (try text("view"), sort, urgency, members)
        syncInterval = interval
    }

    private static func interval(_ value: JSONValue?) throws(TodoFieldError) -> Duration? {
        var minutes: Int?
        switch value {
        case nil: minutes = 5
        case .object(let members):
            switch members["interval"] {
            case nil: minutes = 5
            case .integer(let number): minutes = Int(exactly: number)
            case .number(let number): minutes = Int(exactly: number)
            default: break
            }
        default: break
        }
        guard let minutes, (0...10_080).contains(minutes) else {
            throw TodoFieldError(message: "sync.interval is not a number of minutes from 0 to 10080")
        }
        return minutes == 0 ? nil : .seconds(minutes * 60)
    }

    // MARK: Values by name

    /// The settings of the file by name.
    var values: [String: String] {
        var values: [String: String] = [:]
        func add(_ key: String, _ value: JSONValue) {
            switch value {
            case .string(let text): values[key] = text
            case .integer(let number): values[key] = "\(number)"
            case .number(let number): values[key] = "\(number)"
            case .object(let members): for (name, value) in members { add("\(key).\(name)", value) }
            default: break
            }
        }
        for (name, value) in members { add(name, value) }
        return values.filter { Self.keys.contains($0.key) }
    }

    /// Checks that a setting exists.
    static func check(_ key: String) throws(TodoFieldError) {
        guard !keys.contains(key) else { return }
        let hint = NearestName.of(key, among: keys).map { "did you mean \($0.quoted())?" }
        throw TodoFieldError(
            message: "there is no setting \(key.quoted(limit: 40)); " + (hint ?? "`config get` lists them")
        )
    }

    /// Changes a setting; `nil` restores its default.
    mutating func set(_ key: String, _ value: String?) throws(TodoFieldError) {
        try Self.check(key)
        var members = members
        let parts = key.split(separator: ".").map(String.init)
        if parts.count == 1 {
            members[key] = value.map(JSONValue.string)
        } else {
            var values: [String: JSONValue] = [:]
            if case .object(let present) = members[parts[0]] { values = present }
            let number = value.flatMap { Double($0) }
            guard value == nil || number != nil else {
                throw TodoFieldError(message: "\(key): \((value ?? "").quoted(limit: 40)) is not a number")
            }
            values[parts[1]] = number.map(JSONValue.number)
            members[parts[0]] = values.isEmpty ? nil : .object(values)
        }
        try apply(members)
    }

    /// Writes the settings to the file. Its other members stay.
    ///
    /// - Throws: `ConfigurationFile.WriteError`; the file is unchanged then.
    func write(_ environment: [String: String]) throws(ConfigurationFile.WriteError) {
        try ConfigurationFile.update(Preferences.fileName, environment) { file in
            for key in ["view", "sort", "sync", "urgency"] { file[key] = members[key] }
        }
    }
}
