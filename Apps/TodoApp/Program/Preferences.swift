import AppLanguage
import EssentialFoundation
import JSONValues
import TerminalUI
import TodoCore

/// The settings of the user: members of the file `config.json` in the folder `pawkit` of the XDG configuration folder.
///
///     { "theme": "blue", "language": "ko", "sync": { "interval": 15 }, "urgency": { "due": 10 } }
///
/// What the file does not name has its default. ``Setting/all`` lists the members; others are reported and preserved.
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
    /// The minutes between two new pictures; `nil` or 0 for a new one only at the start and on request.
    var pictureInterval: Int?
    /// The folder of the stored data, unless the command line or the environment names one.
    var dataFolder: String?
    /// How days are written, and the first day of a week.
    var dates = DateStyle()
    /// The view that a list without a query shows, and with which the screen starts.
    var view: String?
    /// The order of a list; `nil` for the display order.
    var sort: TodoSort?
    /// How many minutes before a todo is due the screen reminds of it; `nil` for no reminders.
    var reminder: Int?
    /// The minutes between two syncs; with 0 the screen syncs only at the start, after changes and on request.
    var syncInterval: Int? = 5
    /// The coefficients of the display order.
    var urgency = TodoUrgency()
    /// What is wrong with the file. An invalid member has its default.
    private(set) var problems: [LocalizedText] = []

    /// Creates the default choices.
    init() {}

    /// Reads the file.
    init(_ environment: [String: String]) {
        let content = ConfigurationFile.read(
            Self.fileName,
            as: [String: JSONValue].self,
            example: Self.example,
            environment
        )
        switch content {
        case .absent: break
        case .problem(let text): report(text)
        case .value(let members):
            for setting in Setting.all {
                do throws(TodoFieldError) {
                    if let value = try setting.member(of: members) { try set(setting, value) }
                } catch {
                    report(error.text)
                }
            }
            reportUnknown(members)
        }
    }

    /// The time between two syncs; `nil` for none.
    var syncPause: Duration? { Self.pause(syncInterval) }
    /// The time between two new pictures; `nil` for none.
    var picturePause: Duration? { Self.pause(pictureInterval) }

    private static func pause(_ minutes: Int?) -> Duration? { minutes.flatMap { $0 == 0 ? nil : .seconds($0 * 60) } }

    /// Changes a setting to a typed value; `nil` restores its default.
    mutating func set(_ setting: Setting, _ text: String?) throws(TodoFieldError) {
        if let text { return try set(setting, setting.value(parsing: text)) }
        var others = Preferences()
        for other in Setting.all where other.key != setting.key {
            if let value = other.value(self) { try others.set(other, value) }
        }
        self = others
    }

    private mutating func set(_ setting: Setting, _ value: JSONValue) throws(TodoFieldError) {
        do throws(TodoFieldError) {
            try setting.read(value, &self)
        } catch {
            throw TodoFieldError(Self.text(error.text, of: setting.key))
        }
    }

    /// The keys whose values differ from those of other settings.
    func keys(changedFrom before: Preferences) -> [String] {
        Setting.all.filter { $0.value(self) != $0.value(before) }.map(\.key)
    }

    /// Stores settings in the file, whose other members stay. A default value is removed.
    ///
    /// - Parameters:
    ///   - keys: the keys of the settings.
    ///   - environment: the environment variables.
    /// - Throws: `ConfigurationFile.WriteError`; the file is unchanged then.
    func save(_ keys: [String], _ environment: [String: String]) throws(ConfigurationFile.WriteError) {
        let standard = Preferences()
        try ConfigurationFile.update(Self.fileName, environment) { members in
            for setting in Setting.all where keys.contains(setting.key) {
                let value = setting.value(self)
                setting.put(value == setting.value(standard) ? nil : value, in: &members)
            }
        }
    }

    /// Returns the theme of the palette, without the changes of `theme.json`.
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

    /// Reports members without a setting: they would be ignored without a word.
    private mutating func reportUnknown(_ members: [String: JSONValue]) {
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            var keys = [name]
            if Setting.all.contains(where: { $0.path.object == name }) {
                guard case .object(let inner) = value else { continue }
                keys = inner.keys.sorted().map { "\(name).\($0)" }
            } else if case (let object?, let inner)? = Setting.all.first(where: { $0.key == name })?.path {
                let example = "{\"\(object)\": {\"\(inner)\": 5}}"
                report(LocalizedText("\(name): write \(example)", ko: "\(name): \(example)처럼 적어 주세요"))
                continue
            }
            for key in keys {
                do throws(TodoFieldError) { _ = try Setting.named(key) } catch { report(error.text) }
            }
        }
    }

    private mutating func report(_ text: LocalizedText) {
        let text = Self.text(text, of: Self.fileName)
        if !problems.contains(text) { problems.append(text) }
    }

    private static func text(_ text: LocalizedText, of place: String) -> LocalizedText {
        LocalizedText("\(place): \(text.english)", ko: "\(place): \(text.korean)")
    }
}
