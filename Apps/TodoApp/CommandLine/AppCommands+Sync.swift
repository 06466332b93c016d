import CommandKit
import TodoCore

/// The commands of lists and of their sync.
extension AppCommands {
    static let listNames = Completion.output(["lists", "--quiet"])

    static let lists: [Command<AppVerb>] = [
        Command(
            .lists,
            words: ["lists"],
            options: [quiet, json],
            summary: "print the lists with their numbers of open todos",
            examples: ["lists", "lists --json"]
        ),
        Command(
            .listAdd,
            words: ["lists", "add"],
            operands: .oneOrMore("NAME", usage: "NAME"),
            options: [quiet, json],
            summary: "add a list; several words are one name",
            examples: ["lists add Work"]
        ),
        Command(
            .listRename,
            words: ["lists", "rename"],
            operands: .oneOrMore("NAME", usage: "NAME", completion: listNames),
            options: [CommandOption("to", value: "NAME", help: "the new name", isRequired: true), quiet, json],
            summary: "rename a list that is not synced",
            examples: ["lists rename Work --to Office"]
        ),
        Command(
            .listRemove,
            words: ["lists", "rm"],
            operands: .oneOrMore("NAME", usage: "NAME", completion: listNames),
            options: [quiet, json],
            summary: "remove a list that is not synced; its todos become local",
            examples: ["lists rm Work"]
        ),
    ]

    private static let deletions = CommandOption(
        "allow-deletions",
        help: "also delete more than half of a list, here or on the server"
    )

    private static let restoration = CommandOption(
        "restore-deletions",
        help: "bring the todos back if more than half of a list was deleted"
    )

    static let syncs: [Command<AppVerb>] = [
        Command(
            .sync,
            words: ["sync"],
            options: [deletions, restoration, quiet, json],
            summary: "sync the lists with their server now",
            examples: ["sync", "sync --json"]
        ),
        Command(
            .syncAdd,
            words: ["sync", "add"],
            operands: .one("URL"),
            options: [
                CommandOption("user", value: "USER", help: "the user; the password is read without echo"),
                CommandOption(
                    "list",
                    value: "NAME",
                    help: "a list to sync, may be repeated; all by default",
                    isRepeatable: true
                ),
                CommandOption(
                    "local-to",
                    value: "NAME",
                    help: "the list to which the local todos move; created if missing"
                ),
                quiet, json,
            ],
            summary: "sync todos with a CalDAV server, such as Nextcloud or Radicale, or replace the password",
            examples: ["sync add https://cloud.example.com --user jisu", "sync add jisu@example.com --local-to Todos"]
        ),
        Command(
            .syncStatus,
            words: ["sync", "status"],
            options: [json],
            summary: "show the server, the lists, what waits, what was refused and what was done",
            examples: ["sync status --json"]
        ),
        Command(
            .syncRemove,
            words: ["sync", "rm"],
            options: [json],
            summary: "end the sync; the todos stay here and on the server",
            examples: ["sync rm"]
        ),
    ]
}
