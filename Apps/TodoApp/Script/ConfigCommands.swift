import AppLanguage
import CommandKit
import TextEscaping
import TodoCore

/// The commands `config get` and `config set`.
struct ConfigCommands {
    let preferences: Preferences
    let environment: [String: String]
    /// Returns the todos, among whose views the default one must be.
    let store: any TodoStoring

    func run(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        command.verb == .configGet ? try get(command) : try await set(command)
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
            do throws(TodoError) {
                _ = try await store.view(view)
            } catch {
                throw ScriptFailure(error)
            }
        }
        do throws(ConfigurationFile.WriteError) {
            try preferences.save([setting.key], environment)
        } catch {
            throw ScriptFailure(.data, error.text(.english))
        }
        return ScriptResult()
    }

    private func get(_ command: AppCommand) throws(ScriptFailure) -> ScriptResult {
        var settings = Setting.all
        do throws(TodoFieldError) {
            if let key = command.operands.first { settings = [try Setting.named(key)] }
        } catch {
            throw ScriptFailure(.usage, "\(error)")
        }
        var result = ScriptResult()
        if command.has("json") {
            let values = settings.map { ($0.key, $0.value(preferences) == nil ? nil : $0.text(preferences)) }
            result = .json(["settings": Dictionary(uniqueKeysWithValues: values)])
        } else {
            for setting in settings {
                let value = setting.text(preferences).escapingControls()
                if command.operands.isEmpty {
                    result.output += "\(setting.key)\t\(value)\n"
                } else if !value.isEmpty {
                    result.output += "\(value)\n"
                }
            }
        }
        result.notices = preferences.problems.map(\.english)
        return result
    }
}
