import CommandKit

/// A table with groups, a command without a name, choices, several values and text that needs escaping.
enum Sample {
    enum Verb: String, Hashable, Sendable { case screen, list, add, done, draw, path }

    static let table = CommandTable<Verb>(
        program: "pets-2",
        summary: "pets, and 'todos' beside them: 100% \\ tested",
        version: "0.1.0",
        commands: [
            Command(.screen, summary: "show the screen", examples: [""]),
            Command(
                .list,
                words: ["todo", "list"],
                options: [
                    CommandOption("all", help: "include completed ones"),
                    CommandOption("filter", value: "Q", help: "only those with these words; +project, @context"),
                ],
                summary: "list the todos",
                examples: ["todo list --filter '+home milk'", "todo list --all"]
            ),
            Command(
                .add,
                words: ["todo", "add"],
                operands: .oneOrMore("TEXT"),
                options: [
                    CommandOption("due", value: "DATE", help: "the day"),
                    CommandOption("context", value: "C", help: "one word", isRepeatable: true),
                ],
                summary: "add a todo",
                examples: ["todo add Buy milk --due tomorrow", ".hidden is text"]
            ),
            Command(
                .done,
                words: ["todo", "done"],
                operands: .oneOrMore("ID"),
                options: [CommandOption("style", help: "with style")],
                summary: "complete todos"
            ),
            Command(
                .draw,
                words: ["draw"],
                operands: .optional("FILE", completion: .files),
                options: [
                    CommandOption("style", value: "STYLE", help: "the style", choices: ["plain", "bold"]),
                    CommandOption("secret", help: "for tests", isHidden: true),
                ],
                summary: "draw a picture"
            ),
            Command(
                .path,
                words: ["path"],
                options: [
                    CommandOption("between", value: "FROM TO", help: "the ends", isRequired: true),
                    CommandOption("style", value: "KIND", help: "the kind", choices: ["short", "long"]),
                ],
                summary: "find a path"
            ),
        ],
        options: [
            CommandOption("data", value: "DIR", help: "the folder", variable: "PETS_DATA", completion: .folders),
            CommandOption("secret-trace", help: "for tests", isHidden: true),
            CommandOption("color", value: "WHEN", help: "auto, always or never", choices: ["auto", "always", "never"]),
        ],
        topics: [.init("Format", "{\"a\": 1}   a line\n\n.dots are text")],
        exitStatuses: [.init(0, "done"), .init(2, "invalid arguments")]
    )
}
