import CommandKit

/// A valid command line of the app.
typealias AppCommand = ParsedCommand<AppVerb>

/// The commands of the app.
enum AppVerb: String, Hashable, Sendable, CaseIterable {
    case screen
    case list, show, count, add, edit, done, undone, remove, undo, redo, archive, log, restore
    case queries, importTodos, exportTodos, names
    case accountStatus, accountSignUp, accountLogin, accountLogout, accountWithdraw
    case favouriteList, favouriteAdd, favouriteRemove
    case picture, breeds, doctor, screenshot, open
}

/// The table of the app's commands.
enum AppCommands {
    /// Returns the table for a flavour.
    ///
    /// - Parameters:
    ///   - program: the name of the program, as it is typed.
    ///   - animal: the animal of the flavour's pictures.
    ///   - version: the version of the program.
    /// - Returns: the table.
    static func table(program: String, animal: String, version: String) -> CommandTable<AppVerb> {
        CommandTable(
            program: program,
            summary: "your todos, and a picture of a \(animal) beside them",
            version: version,
            commands: [screen] + todos + accounts + favourites + others,
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
        CommandOption("plain", help: "plain lines, without colour: the screens are read and controlled as lines"),
        CommandOption("no-animation", help: "no animations on the screen"),
    ]

    private static let openIDs = Completion.output(["todo", "names", "open"])
    private static let allIDs = Completion.output(["todo", "names", "all"])

    private static let quiet = CommandOption("quiet", letter: "q", help: "print only what a script needs: the IDs")

    private static let listing: [CommandOption] = [
        CommandOption("all", help: "completed and archived ones too"),
        CommandOption("filter", value: "Q", help: "a query, such as '+home due<fri not is:waiting'"),
        CommandOption("saved", value: "NAME", help: "a query saved by todo query"),
    ]

    private static let templates: [CommandOption] = [
        CommandOption("format", value: "TEMPLATE", help: "a line for each, such as '{id} {title}'"),
        CommandOption("columns", value: "FIELDS", help: "columns with tabs between them, such as id,due,title"),
    ]

    private static let json = CommandOption("json", help: "one JSON document instead of text")

    private static let fields: [CommandOption] = [
        CommandOption("due", value: "DATE", help: "2026-03-09, fri 15:00, 3d, next week, 내일; none removes it"),
        CommandOption("threshold", value: "DATE", help: "hidden until this day; none removes it"),
        CommandOption(
            "recurrence",
            value: "R",
            help: "daily, 2w, 1m; +1w counts from the due day; none removes it"
        ),
        CommandOption("priority", value: "A-Z", help: "A is the most urgent; none removes it"),
        CommandOption(
            "project",
            value: "P",
            help: "one word, may be repeated; none removes all",
            completion: .output(["todo", "names", "projects"]),
            isRepeatable: true
        ),
        CommandOption(
            "context",
            value: "C",
            help: "one word, may be repeated; none removes all",
            completion: .output(["todo", "names", "contexts"]),
            isRepeatable: true
        ),
        CommandOption(
            "tag",
            value: "T",
            help: "one word, may be repeated; none removes all",
            completion: .output(["todo", "names", "tags"]),
            isRepeatable: true
        ),
        CommandOption(
            "parent",
            value: "ID",
            help: "the todo of which it is a part; none removes it",
            completion: .output(["todo", "names", "open"])
        ),
        CommandOption("literal", help: "take the text as it is: no field in it has a meaning"),
        CommandOption("note", value: "N", help: "further text; none removes it"),
    ]

    private static let inspect = CommandOption("inspect", help: "F12 shows the frames and constraints of the layout")

    private static let screen = Command(
        AppVerb.screen,
        options: [inspect, PictureChoice.option],
        summary: "the full-screen app; on a pipe, the open todos in lines"
    )

    private static let todos: [Command<AppVerb>] = [
        Command(
            .list,
            words: ["todo", "list"],
            operands: .any("QUERY"),
            options: listing + [
                CommandOption("sort", value: "FIELDS", help: "such as due,-priority,title"),
                CommandOption(
                    "group",
                    value: "FIELD",
                    help: "headings by project, context, tag, priority or due",
                    choices: ["project", "context", "tag", "priority", "due"]
                ),
                CommandOption("tree", help: "subtasks below their todo"),
            ] + templates + [quiet, json],
            summary: "list the open todos, or those that match a query",
            examples: [
                "todo list '+home (milk or bread) due<fri'", "todo list is:done --sort -completed",
                "todo list --all --json", "todo list --format '{id} {title}'",
            ]
        ),
        Command(
            .show,
            words: ["todo", "show"],
            operands: .oneOrMore("ID", completion: allIDs),
            options: templates + [quiet, json],
            summary: "print everything about todos",
            examples: ["todo show k7f2"]
        ),
        Command(
            .count,
            words: ["todo", "count"],
            operands: .any("QUERY"),
            options: listing + [json],
            summary: "print the number of todos",
            examples: ["todo count is:overdue", "todo count --all"]
        ),
        Command(
            .add,
            words: ["todo", "add"],
            operands: .oneOrMore("TEXT"),
            options: fields + [quiet, json],
            summary: "add a todo; - reads its text from standard input",
            examples: [
                "todo add '(A) Buy milk +home @shop due:fri 15:00 rec:1w'", "todo add 우유 사기 --context shop",
                "todo add Buy milk --due tomorrow --priority B",
            ]
        ),
        Command(
            .edit,
            words: ["todo", "edit"],
            operands: .oneOrMore("ID", completion: openIDs),
            options: [CommandOption("title", value: "TEXT", help: "the new text")] + fields + [quiet, json],
            summary: "change the todo ID; further words are read as in todo add",
            examples: ["todo edit k7f2 due:fri +home", "todo edit k7 --title 'Buy oat milk'"]
        ),
        Command(
            .done,
            words: ["todo", "done"],
            operands: .oneOrMore("ID", completion: openIDs),
            options: [quiet, json],
            summary: "mark todos done",
            examples: ["todo done k7f2 9q"]
        ),
        Command(
            .undone,
            words: ["todo", "undone"],
            operands: .oneOrMore("ID", completion: .output(["todo", "names", "done"])),
            options: [quiet, json],
            summary: "mark todos open again",
            examples: ["todo undone k7f2"]
        ),
        Command(
            .remove,
            words: ["todo", "rm"],
            operands: .oneOrMore("ID", completion: allIDs),
            options: [quiet, json],
            summary: "delete todos",
            examples: ["todo rm k7f2"]
        ),
        Command(
            .undo,
            words: ["todo", "undo"],
            options: [quiet, json],
            summary: "undo the last change",
            examples: ["todo undo"]
        ),
        Command(
            .redo,
            words: ["todo", "redo"],
            options: [quiet, json],
            summary: "redo the change that was undone last",
            examples: ["todo redo"]
        ),
        Command(
            .archive,
            words: ["todo", "archive"],
            options: [quiet, json],
            summary: "archive the completed todos",
            examples: ["todo archive"]
        ),
        Command(
            .log,
            words: ["todo", "log"],
            operands: .optional("ID", completion: allIDs),
            options: [CommandOption("limit", value: "N", help: "the latest N changes"), json],
            summary: "print what was changed, when and by which process",
            examples: ["todo log", "todo log k7f2 --limit 5"]
        ),
        Command(
            .restore,
            words: ["todo", "restore"],
            operands: .one("ID", completion: allIDs),
            options: [
                CommandOption("change", value: "N", help: "the number of the change in todo log"), quiet, json,
            ],
            summary: "return a todo to its state before a change",
            examples: ["todo restore k7f2 --change 12"]
        ),
        Command(
            .queries,
            words: ["todo", "query"],
            operands: .any("NAME QUERY"),
            options: [CommandOption("remove", help: "remove the saved query"), json],
            summary: "save a query under a name, or list the saved ones",
            examples: ["todo query urgent 'pri:A or due<=today'", "todo query", "todo query urgent --remove"]
        ),
        Command(
            .importTodos,
            words: ["todo", "import"],
            operands: .optional("FILE", completion: .files),
            options: [
                CommandOption(
                    "format",
                    value: "FORMAT",
                    help: "todotxt, taskwarrior, ics, markdown or json",
                    choices: ["todotxt", "taskwarrior", "ics", "markdown", "json"]
                ),
                CommandOption("update", help: "change the todos that exist; this is the default"),
                CommandOption("new", help: "add every todo as a new one"),
                CommandOption("dry-run", help: "print what would be done, and change nothing"),
                CommandOption("skip-invalid", help: "import the rest if parts of the file are invalid"),
                quiet, json,
            ],
            summary: "import todos from a file or standard input",
            examples: ["todo import todo.txt --dry-run", "todo import --format taskwarrior"]
        ),
        Command(
            .exportTodos,
            words: ["todo", "export"],
            operands: .optional("FILE", completion: .files),
            options: [
                CommandOption(
                    "format",
                    value: "FORMAT",
                    help: "todotxt, taskwarrior, ics, markdown, csv or json",
                    choices: ["todotxt", "taskwarrior", "ics", "markdown", "csv", "json"]
                ),
                CommandOption("filter", value: "QUERY", help: "only the todos that match"),
                quiet,
            ],
            summary: "export todos to a file or standard output",
            examples: ["todo export todo.txt", "todo export --format ics --filter due:any"]
        ),
        Command(
            .names,
            words: ["todo", "names"],
            operands: .optional(
                "KIND",
                completion: .words(["open", "done", "all", "projects", "contexts", "tags"])
            ),
            summary: "print IDs with titles, projects, contexts or tags, for scripts and completions",
            examples: ["todo names projects"]
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

    private static let favourites: [Command<AppVerb>] = [
        Command(
            .favouriteList,
            words: ["favourite", "list"],
            options: [CommandOption("quiet", letter: "q", help: "print only the addresses"), json],
            summary: "list the favourite pictures, the newest first",
            examples: ["favourite list --json"]
        ),
        Command(
            .favouriteAdd,
            words: ["favourite", "add"],
            operands: .optional("URL"),
            options: [CommandOption("breed", value: "NAME", help: "the breed to save with it"), json],
            summary: "save a picture as a favourite: the last one, or that of an address",
            examples: ["favourite add", "favourite add https://example.com/1.jpg --breed Pug"]
        ),
        Command(
            .favouriteRemove,
            words: ["favourite", "rm"],
            operands: .oneOrMore("URL", completion: .output(["favourite", "list", "--quiet"])),
            options: [json],
            summary: "remove pictures from the favourites",
            examples: ["favourite rm https://example.com/1.jpg"]
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
                PictureChoice.option,
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
            .open,
            words: ["open"],
            operands: .one("LINK"),
            options: [inspect, PictureChoice.option],
            summary: "start the full-screen app at todo/ID, profile or picture/BREED",
            examples: ["open todo/k7f2", "open profile", "open picture/hound/afghan"]
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
            options: [
                CommandOption("size", value: "COLUMNSxROWS", help: "the size of the screen"),
                CommandOption(
                    "screen",
                    value: "NAME",
                    help: "the screen to open; list by default",
                    choices: ScreenStage.all.map(\.name)
                ),
            ],
            summary: "write a screen of the app to a file, .svg or .txt",
            examples: ["screenshot dog.svg --size 100x30", "screenshot login.svg --screen login --language ko"]
        ),
    ]
}
