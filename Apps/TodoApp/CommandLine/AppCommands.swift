import CommandKit

/// A valid command line of the app.
typealias AppCommand = ParsedCommand<AppVerb>

/// The commands of the app.
enum AppVerb: String, Hashable, Sendable, CaseIterable {
    case screen
    case list, add, edit, done, undone, remove, undo, redo, archive
    case accountStatus, accountSignUp, accountLogin, accountLogout, accountWithdraw
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
            commands: [screen] + todos + accounts + others,
            options: options,
            exitStatuses: [
                .init(0, "done"), .init(1, "nothing matched, or refused"), .init(2, "invalid arguments"),
                .init(3, "data"),
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
        CommandOption(
            "backend",
            value: "URL",
            help: "the account server; one in the app by default",
            variable: "PAWKIT_BACKEND"
        ),
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

    private static let accounts: [Command<AppVerb>] = [
        Command(
            .accountStatus,
            words: ["account", "status"],
            options: [json],
            summary: "show who is signed in",
            examples: ["account status --json"]
        ),
        Command(
            .accountSignUp,
            words: ["account", "signup"],
            options: [
                CommandOption("phone", value: "NUMBER", help: "the telephone number, which is verified by a code"),
                CommandOption("id", value: "ID", help: "6 to 12 characters without spaces"),
                CommandOption("nickname", value: "NAME", help: "1 to 10 characters"),
                CommandOption("birth", value: "DATE", help: "the date of birth, 2001-03-09"),
                CommandOption("email", value: "ADDRESS", help: "the email address"),
                CommandOption(
                    "gender",
                    value: "G",
                    help: "female, male, other or unspecified",
                    choices: ["female", "male", "other", "unspecified"]
                ),
            ],
            summary: "create an account; what is missing, and the password, is read",
            examples: ["account signup --phone 010-1234-5678 --id jisu2026"]
        ),
        Command(
            .accountLogin,
            words: ["account", "login"],
            operands: .optional("ID"),
            options: [
                CommandOption("provider", value: "NAME", help: "google or facebook: by a code on another device")
            ],
            summary: "sign in; the password is read without echo",
            examples: ["account login jisu2026", "account login --provider google"]
        ),
        Command(
            .accountLogout,
            words: ["account", "logout"],
            summary: "sign out, here and on the server",
            examples: ["account logout"]
        ),
        Command(
            .accountWithdraw,
            words: ["account", "withdraw"],
            options: [CommandOption("yes", help: "do not ask for confirmation; the password is read in any case")],
            summary: "delete the account; the todos stay",
            examples: ["account withdraw"]
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
