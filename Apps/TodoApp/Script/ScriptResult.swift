/// What a command has to say: its results, notices, and how the program ends.
struct ScriptResult: Sendable {
    /// For standard output, line ends included.
    var output = ""
    /// Lines for standard error.
    var notices: [String] = []
    /// How the program ends.
    var exitCode = ExitCode.done
}

extension ScriptResult {
    /// A result of one JSON document.
    static func json(_ document: some Encodable) -> ScriptResult {
        do {
            return ScriptResult(output: try jsonDocument(document))
        } catch {
            return ScriptResult(notices: ["the JSON document cannot be written: \(error)"], exitCode: .data)
        }
    }
}
