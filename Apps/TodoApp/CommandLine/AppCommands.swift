import CommandKit
import TodoCore

/// A valid command line of the app.
typealias AppCommand = ParsedCommand<AppVerb>

/// The commands of the app.
enum AppVerb: String, Hashable, Sendable, CaseIterable {
    case screen
    case list, view, due, show, tree, count, add, edit, annotate, done, undone, start, stop, remove, batch
    case undo, redo, archive, log, restore
    case queries, context, importTodos, exportTodos, names, configGet, configSet
    case lists, listAdd, listRename, listRemove
    case sync, syncAdd, syncStatus, syncRemove
    case accountStatus, accountSignUp, accountLogin, accountPassword, accountLogout, accountWithdraw
    case favouriteList, favouriteAdd, favouriteRemove
    case picture, breeds, doctor, screenshot, open
}

/// The table of the app's commands.
enum AppCommands {
    /// Returns the table for a flavour.
    static func table(program: String, animal: String, version: String) -> CommandTable<AppVerb> {
        CommandTable(
            program: program,
            summary: "your todos, and a picture of a \(animal) beside them",
            version: version,
            commands: [screen] + todos + lists + syncs + accounts + favourites + others,
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
        CommandOption("color", value: "WHEN", help: "auto, always or never", choices: ["auto", "always", "never"]),
        CommandOption(
            "language",
            value: "LANG",
            help: "the language of the screens: en or ko",
            choices: ["en", "ko"]
        ),
        CommandOption("plain", help: "plain lines, without colour: the screens are read and controlled as lines"),
        CommandOption("no-animation", help: "no animations on the screen"),
    ]

    /// Returns a command line in which `-home` of `todo edit` is the option `--without=home`, and `-20` of `config set` is a
    /// value.
    static func expandingRemovals(_ arguments: [String], _ table: CommandTable<AppVerb>) -> [String] {
        let words = zip([""] + arguments, arguments).compactMap { before, word in
            let isValue = table.options.contains { $0.value != nil && "--\($0.name)" == before }
            return isValue || word.hasPrefix("-") ? nil : word
        }
        if words.starts(with: ["config", "set"]), let last = arguments.last, last.hasPrefix("-"),
            Double(last) != nil || (try? TodoSort(parsing: last)) != nil, !arguments.contains("--")
        {
            return arguments.dropLast() + ["--", last]
        }
        guard words.starts(with: ["todo", "edit"]), let command = table.commands.first(where: { $0.verb == .edit })
        else { return arguments }
        let known = table.options(of: command)
        var result: [String] = []
        var isValue = false
        for (index, word) in arguments.enumerated() {
            if word == "--" { return result + arguments[index...] }
            let bare = word.dropFirst()
            let isRemoval =
                !isValue && word.hasPrefix("-") && !bare.isEmpty && bare.first != "-"
                && !known.contains { $0.name == bare || $0.letter.map { "-\($0)" } == word }
            result.append(isRemoval ? "--without=\(bare)" : word)
            isValue = !isValue && known.contains { $0.value != nil && "--" + $0.name == word }
        }
        return result
    }

    static let quiet = CommandOption("quiet", letter: "q", help: "print only what a script needs: the IDs")

    static let json = CommandOption("json", help: "one JSON document instead of text")

    private static let inspect = CommandOption("inspect", help: "F12 shows the frames and constraints of the layout")

    private static let screen = Command(
        AppVerb.screen,
        options: [inspect, PictureChoice.option],
        summary: "the full-screen app; on a pipe, the open todos in lines"
    )

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
            summary: "create an account and stay signed in; what is missing, and the password, is read",
            examples: ["account signup --phone 010-1234-5678 --id jisu2026"]
        ),
        Command(
            .accountLogin,
            words: ["account", "login"],
            operands: .optional("ID"),
            options: [
                CommandOption("provider", value: "NAME", help: "google or facebook: by a code on another device")
            ],
            summary: "sign in and stay signed in; the password is read without echo",
            examples: ["account login jisu2026", "account login --provider google"]
        ),
        Command(
            .accountPassword,
            words: ["account", "password"],
            summary: "change the password; both are read, and every other session ends",
            examples: ["account password"]
        ),
        Command(
            .accountLogout,
            words: ["account", "logout"],
            options: [
                CommandOption(
                    "remove-todos",
                    help: "also remove the todos from this machine; those on a server stay there"
                )
            ],
            summary: "sign out, here and on the server",
            examples: ["account logout", "account logout --remove-todos"]
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
            .configGet,
            words: ["config", "get"],
            operands: .optional("KEY", completion: .words(Setting.all.map(\.key))),
            options: [json],
            summary: "print a setting of config.json, or all",
            examples: ["config get", "config get urgency.due"]
        ),
        Command(
            .configSet,
            words: ["config", "set"],
            operands: .any("KEY VALUE"),
            summary: "change a setting of config.json; none restores the default, and auto that of draw",
            examples: ["config set view today", "config set urgency.blocked -20", "config set view none"]
        ),
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
            options: [
                CommandOption("layout", help: "also check the layout of the screens at several sizes"),
                CommandOption("write", help: "also add a todo to a synced list of the server, and remove it"), json,
            ],
            summary: "check the stored data, the terminal and the services",
            examples: ["doctor", "doctor --layout", "doctor --write"]
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
                    help: "the screen to open; list by default, and one of \(ScreenStage.names)",
                    choices: ScreenStage.all.map(\.name)
                ),
            ],
            summary: "write a screen of the app to a file, .svg or .txt",
            examples: ["screenshot dog.svg --size 100x30", "screenshot login.svg --screen login --language ko"]
        ),
    ]
}
