import CommandKit
import TodoCore

/// The commands of the todos.
extension AppCommands {
    private static let openIDs = Completion.output(["todo", "names", "open"])
    private static let allIDs = Completion.output(["todo", "names", "all"])

    private static let listing: [CommandOption] = [
        CommandOption("all", help: "completed and archived ones too"),
        CommandOption("filter", value: "Q", help: "a query, such as '+home due<fri not is:waiting'"),
        CommandOption("saved", value: "NAME", help: "a query saved by todo query"),
        CommandOption(
            "in",
            value: "LIST",
            help: "only the todos of a list; none for those without one",
            completion: listNames
        ),
        noContext,
    ]

    private static let noContext = CommandOption("no-context", help: "also what the context of todo context hides")

    private static let templates: [CommandOption] = [
        CommandOption("format", value: "TEMPLATE", help: "a line for each, such as '{id} {title}'"),
        CommandOption("columns", value: "FIELDS", help: "columns with tabs between them, such as id,due,title"),
    ]

    private static let fields: [CommandOption] = [
        CommandOption("due", value: "DATE", help: "2026-03-09, fri 15:00, 3d, next week, 내일; none removes it"),
        CommandOption("threshold", value: "DATE", help: "hidden until this day; none removes it"),
        CommandOption(
            "recurrence",
            value: "R",
            help: "daily, 2w, +1w from the due day, every mon,thu; none removes it"
        ),
        CommandOption("priority", value: "A-Z", help: "A is the most urgent; none removes it"),
        label("project", "P"), label("context", "C"), label("tag", "T"),
        CommandOption(
            "parent",
            value: "ID",
            help: "the todo of which it is a part; none removes it",
            completion: openIDs
        ),
        CommandOption(
            "in",
            value: "LIST",
            help: "the list it belongs to; none makes it local",
            completion: listNames
        ),
        CommandOption(
            "after",
            value: "ID",
            help: "it waits for this todo, may be repeated; none removes all",
            completion: openIDs,
            isRepeatable: true
        ),
        CommandOption("literal", help: "take the text as it is: no field in it has a meaning"),
        CommandOption("note", value: "N", help: "further text; none removes it"),
    ]

    private static func label(_ name: String, _ value: String) -> CommandOption {
        CommandOption(
            name,
            value: value,
            help: "one word, may be repeated; none removes all",
            completion: .output(["todo", "names", "\(name)s"]),
            isRepeatable: true
        )
    }

    static let todos: [Command<AppVerb>] = [
        Command(
            .list,
            words: ["todo", "list"],
            operands: .any("QUERY"),
            options: listing + [
                CommandOption("sort", value: "FIELDS", help: "such as due,-priority,title; urgency by default"),
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
            .view,
            words: ["todo", "view"],
            operands: .optional("NAME", completion: .output(["todo", "names", "views"])),
            options: [noContext, quiet, json],
            summary: "list a view: today, next, review or a saved query; all views with their numbers",
            examples: ["todo view", "todo view today", "todo view next"]
        ),
        Command(
            .due,
            words: ["todo", "due"],
            options: [
                CommandOption(
                    "within",
                    value: "TIME",
                    help: "15m, 2h, 3d or 1w from now; the rest of the day by default"
                ),
                CommandOption("upcoming", help: "without overdue ones"),
                CommandOption("exit-code", help: "exit with 1 if nothing is due"),
                quiet, json,
            ],
            summary: "list what is overdue or due soon, for scripts and cron",
            examples: ["todo due --within 15m --exit-code", "todo due --within 2h --upcoming"]
        ),
        Command(
            .show,
            words: ["todo", "show"],
            operands: .oneOrMore("ID", completion: allIDs),
            options: [CommandOption("urgency", help: "the terms of the urgency, and their sum")] + templates + [
                quiet, json,
            ],
            summary: "print everything about todos",
            examples: ["todo show k7f2", "todo show k7f2 --urgency"]
        ),
        Command(
            .tree,
            words: ["todo", "tree"],
            operands: .oneOrMore("ID", completion: allIDs),
            options: [json],
            summary: "print todos with their subtasks, and what waits for what",
            examples: ["todo tree k7f2"]
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
            operands: .any("TEXT"),
            options: [
                CommandOption(
                    "template",
                    value: "NAME",
                    help: "adds each line of templates/NAME.txt in the folder of config.json, with TEXT behind it",
                    completion: .output(["todo", "names", "templates"])
                )
            ] + fields + [quiet, json],
            summary: "add a todo; - adds one for each line of standard input",
            examples: [
                "todo add '(A) Buy milk +home @shop due:fri 15:00 rec:1w'", "todo add 우유 사기 --context shop",
                "todo add Buy milk --due tomorrow --priority B", "todo add --template packing +busan due:fri",
            ]
        ),
        Command(
            .edit,
            words: ["todo", "edit"],
            operands: .oneOrMore("ID", usage: "ID [TEXT...]", completion: openIDs),
            options: [
                CommandOption("title", value: "TEXT", help: "the new text"),
                CommandOption(
                    "without",
                    value: "LABEL",
                    help: "removes +home, @shop or #cheap; also -home, may be repeated",
                    isRepeatable: true
                ),
                CommandOption(
                    "not-after",
                    value: "ID",
                    help: "it no longer waits for this todo, may be repeated",
                    completion: openIDs,
                    isRepeatable: true
                ),
                CommandOption("editor", help: "edits all fields and the note as text in VISUAL or EDITOR"),
            ] + fields + [quiet, json],
            summary: "change the todo ID; further words are read as in todo add",
            examples: [
                "todo edit k7f2 due:fri +home -work", "todo edit k7 --title 'Buy oat milk'",
                "todo edit k7f2 --after 9q3x", "todo edit k7f2 --editor",
            ]
        ),
        Command(
            .done,
            words: ["todo", "done"],
            operands: .oneOrMore("ID", completion: openIDs),
            options: [CommandOption("force", help: "also todos that wait for open ones"), quiet, json],
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
            .start,
            words: ["todo", "start"],
            operands: .oneOrMore("ID", completion: openIDs),
            options: [quiet, json],
            summary: "begin to work on todos; todo show prints the time spent",
            examples: ["todo start k7f2"]
        ),
        Command(
            .stop,
            words: ["todo", "stop"],
            operands: .oneOrMore("ID", completion: openIDs),
            options: [quiet, json],
            summary: "stop working on todos; todo done does it, too",
            examples: ["todo stop k7f2"]
        ),
        Command(
            .annotate,
            words: ["todo", "annotate"],
            operands: .oneOrMore("ID TEXT", usage: "ID TEXT...", completion: openIDs),
            options: [quiet, json],
            summary: "add a line with the present time to the note of a todo",
            examples: ["todo annotate k7f2 called, they ring back on Monday"]
        ),
        Command(
            .batch,
            words: ["todo", "batch"],
            options: [CommandOption("force", help: "also complete todos that wait for open ones"), quiet, json],
            summary:
                "run add, edit, annotate, done, undone, start, stop and rm from standard input, one a line, as one change",
            examples: ["todo batch --quiet"]
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
            options: [CommandOption("force", help: "also a change of another program that is running"), quiet, json],
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
                CommandOption("change", value: "N", help: "the number of the change in todo log", isRequired: true),
                quiet, json,
            ],
            summary: "return a todo to its state before a change",
            examples: ["todo restore k7f2 --change 12"]
        ),
        Command(
            .queries,
            words: ["todo", "query"],
            operands: .any("NAME QUERY", usage: "[NAME [QUERY...]]"),
            options: [CommandOption("remove", help: "remove the saved query"), json],
            summary: "save a query under a name, or list the saved ones",
            examples: ["todo query urgent 'pri:A or due<=today'", "todo query", "todo query urgent --remove"]
        ),
        Command(
            .context,
            words: ["todo", "context"],
            operands: .optional("NAME", completion: .output(["todo", "names", "queries"])),
            options: [json],
            summary: "restrict every list to a saved query, whose labels new todos get; none leaves it",
            examples: ["todo context work", "todo context none", "todo context"]
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
            operands: .optional("KIND", completion: .words(NameKind.allCases.map(\.rawValue))),
            summary: "print words for scripts and completions; KIND is one of \(NameKind.list), the first by default",
            examples: ["todo names projects"]
        ),
    ]
}
