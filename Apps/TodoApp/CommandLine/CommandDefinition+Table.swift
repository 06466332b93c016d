extension CommandDefinition {
    private static let fields: [CommandOption] = [
        CommandOption(
            name: "due",
            value: "DATE",
            help: "2026-03-09, today, tomorrow, fri, 3d, 2w; none takes it away"
        ),
        CommandOption(name: "priority", value: "A-Z", help: "A is the most pressing; none takes it away"),
        CommandOption(name: "project", value: "P", help: "one word; none takes it away"),
        CommandOption(
            name: "context",
            value: "C",
            help: "one word, may be repeated; none takes all away",
            isRepeatable: true
        ),
        CommandOption(name: "note", value: "N", help: "further text; none takes it away"),
    ]

    /// Everything the program can be told to do.
    static let all: [CommandDefinition] = [
        CommandDefinition(
            verb: .screen,
            words: [],
            operands: .none,
            options: [],
            summary: "the full-screen app; on a pipe, the open todos in lines",
            examples: [""]
        ),
        CommandDefinition(
            verb: .list,
            words: ["todo", "list"],
            operands: .none,
            options: [
                CommandOption(name: "all", value: nil, help: "completed and archived ones too"),
                CommandOption(
                    name: "filter",
                    value: "Q",
                    help: "only those with these words; +project, @context"
                ),
                .json,
            ],
            summary: "list the open todos",
            examples: ["todo list --filter '+home milk'", "todo list --all --json"]
        ),
        CommandDefinition(
            verb: .add,
            words: ["todo", "add"],
            operands: .some("TEXT..."),
            options: fields + [.json],
            summary: "add a todo; - reads its text from standard input",
            examples: ["todo add Buy milk --due tomorrow --priority B", "todo add 우유 사기 --context shop"]
        ),
        CommandDefinition(
            verb: .edit,
            words: ["todo", "edit"],
            operands: .some("ID"),
            options: [CommandOption(name: "title", value: "TEXT", help: "the new text")] + fields + [.json],
            summary: "change a todo",
            examples: ["todo edit k7f2 --due fri", "todo edit k7 --title 'Buy oat milk'"]
        ),
        CommandDefinition(
            verb: .done,
            words: ["todo", "done"],
            operands: .some("ID..."),
            options: [.json],
            summary: "mark todos done",
            examples: ["todo done k7f2 9q"]
        ),
        CommandDefinition(
            verb: .undone,
            words: ["todo", "undone"],
            operands: .some("ID..."),
            options: [.json],
            summary: "mark todos open again",
            examples: ["todo undone k7f2"]
        ),
        CommandDefinition(
            verb: .remove,
            words: ["todo", "rm"],
            operands: .some("ID..."),
            options: [.json],
            summary: "delete todos",
            examples: ["todo rm k7f2"]
        ),
        CommandDefinition(
            verb: .undo,
            words: ["todo", "undo"],
            operands: .none,
            options: [.json],
            summary: "take the last change back",
            examples: ["todo undo"]
        ),
        CommandDefinition(
            verb: .redo,
            words: ["todo", "redo"],
            operands: .none,
            options: [.json],
            summary: "make it again",
            examples: ["todo redo"]
        ),
        CommandDefinition(
            verb: .archive,
            words: ["todo", "archive"],
            operands: .none,
            options: [.json],
            summary: "put the completed todos away",
            examples: ["todo archive"]
        ),
        CommandDefinition(
            verb: .picture,
            words: ["picture"],
            operands: .none,
            options: [
                CommandOption(name: "breed", value: "B", help: "of this breed; `breeds` lists them"),
                CommandOption(name: "save", value: "FILE", help: "keep the picture as the server sent it"),
                CommandOption(name: "size", value: "COLUMNSxROWS", help: "how large to draw it"),
                CommandOption(
                    name: "draw",
                    value: "HOW",
                    help: "auto, half, quarter, ascii or none",
                    choices: ["auto", "half", "quarter", "ascii", "none"]
                ),
                .json,
            ],
            summary: "fetch a picture and draw it",
            examples: ["picture", "picture --size 60x20 --draw half", "picture --save friend.jpg --draw none"]
        ),
        CommandDefinition(
            verb: .breeds,
            words: ["breeds"],
            operands: .none,
            options: [.json],
            summary: "list the breeds that have pictures",
            examples: ["breeds --json"]
        ),
        CommandDefinition(
            verb: .doctor,
            words: ["doctor"],
            operands: .none,
            options: [.json],
            summary: "look at paths, the terminal and the services",
            examples: ["doctor"]
        ),
        CommandDefinition(
            verb: .screenshot,
            words: ["screenshot"],
            operands: .some("FILE"),
            options: [CommandOption(name: "size", value: "COLUMNSxROWS", help: "how large a screen")],
            summary: "write what the full screen shows to a file, .svg or .txt",
            examples: ["screenshot dog.svg --size 100x30"]
        ),
    ]
}
