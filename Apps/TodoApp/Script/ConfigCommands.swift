import AccountCore
import AppLanguage
import CommandKit
import LocalProvider
import TextEscaping
import TodoCore

/// The commands `config get` and `config set`.
struct ConfigCommands {
    let preferences: Preferences
    let environment: [String: String]
    /// Returns the todos, among whose views the default one must be.
    let store: any TodoStoring
    /// The settings of the profile, whose breed each app has for itself.
    let profile: any SettingsStoring

    /// The key of the breed of the pictures.
    private static let breed = "breed"

    func run(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        if command.verb == .configGet { return try await get(command) }
        guard command.operands.first == Self.breed, command.operands.count == 2 else { return try await set(command) }
        try await attempt { () throws(LocalError) in
            var settings = try await profile.settings()
            settings.favouriteBreed = command.operands[1] == "none" ? nil : command.operands[1]
            try await profile.save(settings)
        }
        return ScriptResult()
    }

    private func set(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        var preferences = preferences
        let setting: Setting
        do throws(TodoFieldError) {
            guard command.operands.count == 2 else {
                throw TodoFieldError(message: "config set needs a KEY and a VALUE, such as config set view today")
            }
            setting = try Setting.named(command.operands[0])
            let value = command.operands[1]
            try preferences.set(setting, value == "none" && !setting.choices.contains(value) ? nil : value)
        } catch {
            throw ScriptFailure(.usage, "\(error)")
        }
        if setting.key == "view", let view = preferences.view {
            _ = try await attempt { () throws(TodoError) in try await store.view(view) }
        }
        do throws(ConfigurationFile.WriteError) {
            try preferences.save([setting.key], environment)
        } catch {
            throw ScriptFailure(.data, error.text(.english))
        }
        return ScriptResult()
    }

    private func get(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        var values: [(key: String, value: String?)] = []
        let wanted = command.operands.first
        do throws(TodoFieldError) {
            var settings = Setting.all
            if let wanted { settings = wanted == Self.breed ? [] : [try Setting.named(wanted)] }
            values = settings.map { ($0.key, $0.value(preferences) == nil ? nil : $0.text(preferences)) }
        } catch {
            throw ScriptFailure(.usage, "\(error)")
        }
        if wanted == nil || wanted == Self.breed {
            let settings = try await attempt { () throws(LocalError) in try await profile.settings() }
            values.append((Self.breed, settings.favouriteBreed))
        }
        var result = ScriptResult()
        if command.has("json") {
            result = .json(["settings": Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.value) })])
        } else {
            for (key, value) in values {
                let value = value?.escapingControls() ?? ""
                if wanted == nil {
                    result.output += "\(key)\t\(value)\n"
                } else if !value.isEmpty {
                    result.output += "\(value)\n"
                }
            }
        }
        result.notices = preferences.problems.map(\.english)
        return result
    }
}
