import AppLanguage
import CommandKit
import TextEscaping
import TodoCore

/// The commands `config get` and `config set`.
struct ConfigCommands {
    let environment: [String: String]
    /// Returns the todos, among whose views the default one must be.
    let store: any TodoStoring

    func run(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        var settings = UserConfiguration(environment)
        if let problem = settings.problem?.english { throw ScriptFailure(.usage, problem) }
        do throws(TodoFieldError) {
            if command.verb == .configGet { return try get(command, settings) }
            guard command.operands.count == 2 else {
                throw TodoFieldError(message: "config set needs a KEY and a VALUE, such as config set view today")
            }
            let (key, value) = (command.operands[0], command.operands[1])
            try settings.set(key, value == "none" ? nil : value)
        } catch {
            throw ScriptFailure(.usage, "\(error)")
        }
        if let view = settings.view {
            do throws(TodoError) {
                _ = try await store.view(view)
            } catch {
                throw ScriptFailure(error)
            }
        }
        do throws(ConfigurationFile.WriteError) {
            try settings.write(environment)
        } catch {
            throw ScriptFailure(.data, error.text(.english))
        }
        return ScriptResult()
    }

    private func get(_ command: AppCommand, _ settings: UserConfiguration) throws(TodoFieldError) -> ScriptResult {
        let values = settings.values
        if let key = command.operands.first {
            try UserConfiguration.check(key)
            if command.has("json") { return .json(["settings": [key: values[key]]]) }
            return ScriptResult(output: values[key].map { $0.escapingControls() + "\n" } ?? "")
        }
        let all = Dictionary(uniqueKeysWithValues: UserConfiguration.keys.map { ($0, values[$0]) })
        if command.has("json") { return .json(["settings": all]) }
        return ScriptResult(
            output: UserConfiguration.keys.map { "\($0)\t\((values[$0] ?? "").escapingControls())\n" }.joined()
        )
    }
}
