import CommandKit

/// A valid command line of the app.
typealias AppCommand = ParsedCommand<AppVerb>

/// The commands of the app.
enum AppVerb: String, Hashable, Sendable, CaseIterable {
    case screen
    case list, add, edit, done, undone, remove, undo, redo, archive
    case picture, breeds, doctor, screenshot
}

/// The table of the app's commands.
enum AppCommands {
    /// Returns the table for a flavour.
    ///
    /// - Parameters:
    ///   - program: the name of the flavour's program.
    ///   - version: the version of the program.
    /// - Returns: the table.
    static func table(program: String, version: String) -> CommandTable<AppVerb> {
        CommandTable(
            program: program,
            summary: "your todos, and a picture of a \(program.lowercased()) beside them",
            version: version,
            commands: [screen] + todos + others,
            options: options,
            exitStatuses: [
                .init(0, "done"), .init(1, "nothing matched"), .init(2, "invalid arguments"), .init(3, "data"),
                .init(4, "network"), .init(5, "terminal"), .init(130, "interrupted"),
            ]
        )
    }

    /// The options that every command accepts.
    static let options: [CommandOption] = [
        CommandOption(
            "data-dir",
            value: "DIR",
            help: "the folder of all stored data",
            variable: "PAWKIT_DATA_DIR",
            completion: .folders
        ),
        CommandOption(
            "image-api",
            value: "URL",
            help: "another address of the picture API",
            variable: "PAWKIT_IMAGE_API"
        ),
        CommandOption("backend", value: "URL", help: "the account server, for doctor", variable: "PAWKIT_BACKEND"),
        CommandOption(
            "color",
            value: "WHEN",
            help: "auto, always or never",
            choices: ["auto", "always", "never"]
        ),
        CommandOption("language", value: "LANG", help: "the language of the screens", choices: ["en", "ko"]),
        CommandOption("plain", help: "plain lines: no full screen, no colour"),
        CommandOption("no-animation", help: "no animations on the screen"),
    ]

    private static let json = CommandOption("json", help: "one JSON document instead of text")

    private static let fields: [CommandOption] = [
        CommandOption("due", value: "DATE", help: "2026-03-09, today, tomorrow, fri, 3d, 2w; none removes it"),
        CommandOption("priority", value: "A-Z", help: "A is the most urgent; none removes it"),
        CommandOption("project", value: "P", help: "one word; none removes it"),
        CommandOption(
            "context",
            value: "C",
            help: "one word, may be repeated; none removes all",
            isRepeatable: true
        ),
        CommandOption("note", value: "N", help: "further text; none removes it"),
    ]

    private static let screen = Command(
        AppVerb.screen,
        summary: "the full-screen app; on a pipe, the open todos in lines"
    )

    private static let todos: [Command<AppVerb>] = [
        Command(
            .list,
            words: ["todo", "list"],
            options: [
                CommandOption("all", help: "completed and archived ones too"),
                CommandOption("filter", value: "Q", help: "only those with these words; +project, @context"),
                json,
            ],
            summary: "list the open todos",
            examples: ["todo list --filter '+home milk'", "todo list --all --json"]
        ),
        Command(
            .add,
            words: ["todo", "add"],
            operands: .oneOrMore("TEXT"),
            options: fields + [json],
            summary: "add a todo; - reads its text from standard input",
            examples: ["todo add Buy milk --due tomorrow --priority B", "todo add 우유 사기 --context shop"]
        ),
        Command(
            .edit,
            words: ["todo", "edit"],
            operands: .one("ID"),
            options: [CommandOption("title", value: "TEXT", help: "the new text")] + fields + [json],
            summary: "change a todo",
            examples: ["todo edit k7f2 --due fri", "todo edit k7 --title 'Buy oat milk'"]
        ),
        Command(
            .done,
            words: ["todo", "done"],
            operands: .oneOrMore("ID"),
            options: [json],
            summary: "mark todos done",
            examples: ["todo done k7f2 9q"]
        ),
        Command(
            .undone,
            words: ["todo", "undone"],
            operands: .oneOrMore("ID"),
            options: [json],
            summary: "mark todos open again",
            examples: ["todo undone k7f2"]
        ),
        Command(
            .remove,
            words: ["todo", "rm"],
            operands: .oneOrMore("ID"),
            options: [json],
            summary: "delete todos",
            examples: ["todo rm k7f2"]
        ),
        Command(
            .undo,
            words: ["todo", "undo"],
            options: [json],
            summary: "undo the last change",
            examples: ["todo undo"]
        ),
        Command(.redo, words: ["todo", "redo"], options: [json], summary: "redo it", examples: ["todo redo"]),
        Command(
            .archive,
            words: ["todo", "archive"],
            options: [json],
            summary: "archive the completed todos",
            examples: ["todo archive"]
        ),
    ]

    private static let others: [Command<AppVerb>] = [
        Command(
            .picture,
            words: ["picture"],
            options: [
                CommandOption("breed", value: "B", help: "of this breed; `breeds` lists them"),
                CommandOption(
                    "save",
                    value: "FILE",
                    help: "save the picture as the server sent it",
                    completion: .files
                ),
                CommandOption("size", value: "COLUMNSxROWS", help: "the size of the drawing"),
                CommandOption(
                    "draw",
                    value: "HOW",
                    help: "auto, kitty, sixel, half, quarter, ascii or none",
                    choices: ["auto", "kitty", "sixel", "half", "quarter", "ascii", "none"]
                ),
                json,
            ],
            summary: "fetch a picture and draw it",
            examples: ["picture", "picture --size 60x20 --draw half", "picture --save friend.jpg --draw none"]
        ),
        Command(
            .breeds,
            words: ["breeds"],
            options: [json],
            summary: "list the breeds that have pictures",
            examples: ["breeds --json"]
        ),
        Command(
            .doctor,
            words: ["doctor"],
            options: [CommandOption("layout", help: "also check the layout of the screens at several sizes"), json],
            summary: "check the stored data, the terminal and the services",
            examples: ["doctor", "doctor --layout"]
        ),
        Command(
            .screenshot,
            words: ["screenshot"],
            operands: .one("FILE", completion: .files),
            options: [CommandOption("size", value: "COLUMNSxROWS", help: "the size of the screen")],
            summary: "write the full screen to a file, .svg or .txt",
            examples: ["screenshot dog.svg --size 100x30"]
        ),
    ]
}
