import CommandKit

/// Lists the targets that the changes since a revision can break.
struct AffectedCommand {
    let command: GraphCommand.Parsed
    let path: String

    func run() throws -> GraphCommand.Result {
        guard let revision = command.value("since") else {
            throw UsageError.missingOperand(command: "affected", operand: "--since REV")
        }
        let entries = try AffectedTargets(package: path, since: revision).entries
        let reasons = entries.map { "\($0.name): \($0.because)\n" }.joined()
        if command.has("test-targets") {
            let names = entries.filter(\.isTest).map { $0.name + "\n" }.joined()
            var result = try GraphCommand.write(Array(names.utf8), command)
            result.errors = reasons
            return result
        }
        let isJSON = command.value("format") == "json"
        return try GraphCommand.write(Array(isJSON ? try JSONDocument.encode(entries).utf8 : reasons.utf8), command)
    }
}

extension AffectedCommand {
    static let command = Command<GraphCommand.Verb>(
        .affected,
        words: ["affected"],
        operands: GraphCommand.package,
        options: [
            CommandOption("since", value: "REV", help: "the git revision to compare with; required"),
            CommandOption("test-targets", help: "only the names of test targets, one a line"), GraphCommand.format,
            GraphCommand.output,
        ],
        summary: "list the targets that the changes since a git revision can break, and why",
        examples: ["affected --since main"]
    )
}
