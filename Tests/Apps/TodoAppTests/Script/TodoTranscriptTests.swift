import AppTestSupport
import CommandKit
import Foundation
import LocalProvider
import TestSupport
import Testing
import Threading
import TodoCore

@testable import TodoApp

/// The commands of the todos without a process: a command, the lines that it prints, and its exit status if it fails. IDs are
/// replaced by the first word of the title.
@Suite("Transcripts of commands")
@MainActor
final class TodoTranscriptTests {
    private let folder: TemporaryDirectory
    private let store: TodoStore
    /// The names of all todos so far.
    private var names: [TodoID: String] = [:]

    init() throws {
        folder = try TemporaryDirectory("transcript")
        let uses = Locked(0.0)
        let now: @Sendable () -> Date = {
            .sample.addingTimeInterval(
                uses.withLock { uses in
                    uses += 0.01
                    return uses
                }
            )
        }
        clock = TodoClock(zone: .utc, now: now)
        let location = FileStoreLocation(directory: folder.path)
        store = TodoStore(directory: location, zone: .utc, process: "test", now: now)
    }

    /// A clock that goes on with each use, so that every todo has its place in an order by age.
    private let clock: TodoClock

    /// The view of a list without a query.
    private var view: String?

    private func run(_ line: String) async throws -> String {
        let table = AppCommands.table(program: "Dog", animal: "dog", version: "1")
        let parse = { (arguments: [String]) throws(UsageError) -> AppCommand in
            guard case .run(let command) = try table.parse(AppCommands.expandingRemovals(arguments, table)) else {
                throw .unexpectedOperand("--help", command: "todo")
            }
            return command
        }
        let line = names.reduce(line) { $0.replacing("{\($1.value)}", with: "\($1.key)") }
        let commands = TodoCommands(
            store: store,
            console: Console(write: { _ in true }, complain: { _ in }, read: { _ in [] }),
            clock: clock,
            isStyled: false,
            defaults: (view, nil),
            openEditor: { _ in 1 },
            parse: parse
        )
        let words = try parse(line.split(separator: " ").map { String($0).replacing("_", with: " ") })
        var output: String
        do throws(ScriptFailure) {
            let result = try await commands.run(words)
            output = result.output + String(decoding: result.bytes, as: UTF8.self)
            if result.exitCode != .done { output += "exit \(result.exitCode.rawValue)\n" }
        } catch {
            output = "\(error.message ?? "")\nexit \(error.exitCode.rawValue)\n"
        }
        for todo in try await store.todos() where names[todo.id] == nil {
            names[todo.id] = String(todo.title.prefix { $0 != " " })
        }
        output = output.replacing("\r\n", with: "\n").replacing(
            /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
            with: "UUID"
        )
        return names.reduce(output) { $0.replacing("\($1.key)", with: "{\($1.value)}") }
    }

    /// Runs the commands of a transcript, each behind `$ `, and expects what is printed there.
    private func check(_ transcript: String) async throws {
        var actual = ""
        for line in transcript.split(separator: "\n") where line.hasPrefix("$ ") {
            actual += line + "\n"
            let output = try await run(String(line.dropFirst(2)).replacing("FOLDER", with: folder.path))
            actual += output.replacing(folder.path, with: "FOLDER")
        }
        #expect(actual == transcript + "\n")
    }

    @Test("Lists, views and the context: the second todo, an equal one, and one that the context hides")
    func views() async throws {
        try await check(
            """
            $ todo add milk +home @shop due:2026-03-20 15:00
            {milk} [ ] milk +home @shop due:2026-03-20 15:00
            $ todo add bread +home @shop #cheap due:2026-03-20 09:00
            {bread} [ ] bread +home @shop #cheap due:2026-03-20 09:00
            $ todo add (B) walk +fit due:2026-03-21
            {walk} [ ] (B) walk +fit due:2026-03-21
            $ todo add report +work t:2026-03-25
            {report} [ ] report +work t:2026-03-25
            $ todo list
            {walk} [ ] (B) walk +fit due:2026-03-21
            {bread} [ ] bread +home @shop #cheap due:2026-03-20 09:00
            {milk} [ ] milk +home @shop due:2026-03-20 15:00
            $ todo names projects
            fit
            home
            work
            $ todo names prjects
            there is no kind "prjects"; did you mean "projects"?
            exit 2
            $ todo names x
            there is no kind "x"; write one of open, done, all, projects, contexts, tags, queries, views, templates, actions
            exit 2
            $ todo list --sort due
            {bread} [ ] bread +home @shop #cheap due:2026-03-20 09:00
            {milk} [ ] milk +home @shop due:2026-03-20 15:00
            {walk} [ ] (B) walk +fit due:2026-03-21
            $ todo list --group project --quiet
            {walk}
            {bread}
            {milk}
            $ todo list +home --format {title} --quiet
            {bread}
            {milk}
            $ todo list +home --format {title}
            bread
            milk
            $ todo list --tree --columns title
            --group and --tree exclude --format and --columns; write one of them
            exit 2
            $ todo list +home not #cheap
            {milk} [ ] milk +home @shop due:2026-03-20 15:00
            $ todo list +nothing
            exit 1
            $ todo query fit +fit
            $ todo query home +home
            $ todo query
            fit	+fit
            home	+home
            $ todo query broken pri:
            the query is invalid, column 5
            pri:
                ^
            a value is missing; write pri:A or pri:A..C
            exit 2
            $ todo view
            today	2	due<=today or is:active
            next	3	due:today..6d
            review	0	modified<=-30d
            fit	1	+fit
            home	2	+home
            $ todo view home
            {bread} [ ] bread +home @shop #cheap due:2026-03-20 09:00
            {milk} [ ] milk +home @shop due:2026-03-20 15:00
            $ todo view nowhere
            there is no view "nowhere"; `todo view` lists them, and `todo query NAME QUERY` saves another one
            exit 1
            $ todo context home
            $ todo context
            home	+home
            $ todo view
            today	2	due<=today or is:active
            next	2	due:today..6d
            review	0	modified<=-30d
            fit	0	+fit
            home	2	+home
            $ todo list
            {bread} [ ] bread +home @shop #cheap due:2026-03-20 09:00
            {milk} [ ] milk +home @shop due:2026-03-20 15:00
            $ todo list --no-context
            {walk} [ ] (B) walk +fit due:2026-03-21
            {bread} [ ] bread +home @shop #cheap due:2026-03-20 09:00
            {milk} [ ] milk +home @shop due:2026-03-20 15:00
            $ todo add eggs
            {eggs} [ ] eggs +home
            $ todo count
            3
            $ todo context none
            $ todo context
            $ todo query fit --remove
            $ todo query
            home	+home
            $ todo due
            {bread} [ ] bread +home @shop #cheap due:2026-03-20 09:00
            {milk} [ ] milk +home @shop due:2026-03-20 15:00
            $ todo due --within 5h
            {bread} [ ] bread +home @shop #cheap due:2026-03-20 09:00
            {milk} [ ] milk +home @shop due:2026-03-20 15:00
            $ todo due --within 3h --upcoming
            $ todo due --within 1d
            {bread} [ ] bread +home @shop #cheap due:2026-03-20 09:00
            {milk} [ ] milk +home @shop due:2026-03-20 15:00
            {walk} [ ] (B) walk +fit due:2026-03-21
            $ todo due --within 5y
            --within: "5y" is not a time; write 15m, 2h, 3d or 1w
            exit 2
            """
        )
        view = "fit"
        try await check(
            """
            $ todo query fit +fit
            $ lists add Work
            Work	0 open of 0
            $ todo edit {milk} --in Work
            {milk} [ ] milk +home @shop list:Work due:2026-03-20 15:00
            $ todo list
            {walk} [ ] (B) walk +fit due:2026-03-21
            $ todo list --in Work
            {milk} [ ] milk +home @shop list:Work due:2026-03-20 15:00
            """
        )
    }

    @Test("The history: several fields, two todos in one change, an old version, and changes that were undone")
    func history() async throws {
        try await check(
            """
            $ todo log
            $ todo add milk
            {milk} [ ] milk
            $ todo add bread
            {bread} [ ] bread
            $ todo edit {milk} t:-2d
            a threshold such as t:-2d counts from a due day; add due: with a day
            exit 2
            $ todo add tea t:-2d
            a threshold such as t:-2d counts from a due day; add due: with a day
            exit 2
            $ todo edit {milk} --threshold fri_15:00
            --threshold: write a day without a time
            exit 2
            $ todo edit {milk} oat_milk +home -+work due:fri
            {milk} [ ] oat milk +home due:2026-03-27
            $ todo done {milk} {bread}
            {milk} [x] oat milk +home due:2026-03-27
            {bread} [x] bread
            $ todo log --limit 2
            3  2026-03-20 10:00  test  complete 2 todos
                {milk} done: none -> "yes"
                {bread} done: none -> "yes"
            2  2026-03-20 10:00  test  edit "oat milk"
                {milk} title: "milk" -> "oat milk"
                {milk} projects: none -> "home"
                {milk} due: none -> "2026-03-27"
            $ todo log --limit 0
            --limit: write a number such as 10
            exit 2
            $ todo log {bread}
            3  2026-03-20 10:00  test  complete 2 todos
                {bread} done: none -> "yes"
            1  2026-03-20 10:00  test  add "bread"
                {bread} title: none -> "bread"
            $ todo undo
            undone: complete 2 todos
            $ todo undo
            undone: edit "oat milk"
            $ todo log {milk}
            3  2026-03-20 10:00  test  (undone) complete 2 todos
                {milk} done: none -> "yes"
            2  2026-03-20 10:00  test  (undone) edit "oat milk"
                {milk} title: "milk" -> "oat milk"
                {milk} projects: none -> "home"
                {milk} due: none -> "2026-03-27"
            0  2026-03-20 10:00  test  add "milk"
                {milk} title: none -> "milk"
            $ todo redo
            redone: edit "oat milk"
            $ todo redo
            redone: complete 2 todos
            $ todo redo
            there is nothing to redo
            exit 1
            $ todo restore {milk} --change 3
            {milk} [ ] oat milk +home due:2026-03-27
            $ todo restore {milk} --change 9
            the history has no change 9 of the todo {milk}; `todo log {milk}` lists its changes
            exit 1
            $ todo restore {milk} --change last
            --change needs the number of a change; `todo log {milk}` lists them
            exit 2
            $ todo show {milk}
            {milk} [ ] oat milk +home due:2026-03-27
              created: 2026-03-20 10:00
              modified: 2026-03-20 10:00
              uuid: UUID
            $ todo undone {bread}
            {bread} [ ] bread
            $ todo start {milk} {bread}
            {milk} [ ] oat milk +home due:2026-03-27
            {bread} [ ] bread
            $ todo stop {bread}
            {bread} [ ] bread
            $ todo list is:active
            {milk} [ ] oat milk +home due:2026-03-27
            $ todo rm {bread}
            {bread} [ ] bread
            $ todo log {bread} --limit 1
            8  2026-03-20 10:00  test  remove "bread"
                {bread} title: "bread" -> none
                {bread} spent: "0 s" -> none
            $ todo rm {bread}
            there is no todo "{bread}"; `todo list --all` shows every ID
            exit 1
            $ todo archive
            $ todo undo
            undone: remove "bread"
            """
        )
    }

    @Test("Relations and lists: two blockers, a todo that is reached twice, and lists with and without todos")
    func relations() async throws {
        try await check(
            """
            $ todo add cake
            {cake} [ ] cake
            $ todo add flour
            {flour} [ ] flour
            $ todo add eggs
            {eggs} [ ] eggs
            $ todo add party
            {party} [ ] party
            $ todo edit {eggs} --project none --project home --project shop
            {eggs} [ ] eggs +home +shop
            $ todo edit {eggs} --project work --project none
            {eggs} [ ] eggs
            $ todo edit {cake} --after {flour} --parent {party}
            {cake} [ ] cake
            $ todo edit {cake} --after {eggs}
            {cake} [ ] cake
            $ todo edit {party} --after {flour}
            {party} [ ] party
            $ todo tree {party}
            {party} [ ] party
              subtask {cake} [ ] cake
                after {flour} [ ] flour
                after {eggs} [ ] eggs
              after {flour} [ ] flour (see above)
            $ todo tree {flour} {eggs}
            {flour} [ ] flour
              before {cake} [ ] cake
              before {party} [ ] party
            {eggs} [ ] eggs
              before {cake} [ ] cake
            $ todo done {cake} {party}
            {cake} waits for {flour} "flour", {eggs} "eggs"
            {party} waits for {flour} "flour"
            nothing was completed; complete what they wait for first, or add --force
            exit 1
            $ todo edit {flour} --after {cake}
            a todo cannot wait for itself: {flour} after {cake} after {flour}; remove one of these dependencies first, with `todo edit ID --not-after ID`
            exit 2
            $ todo edit {cake} --not-after {flour}
            {cake} [ ] cake
            $ todo list is:blocked
            {cake} [ ] cake
            {party} [ ] party
            $ todo done {eggs}
            {eggs} [x] eggs
            $ todo done {cake}
            {cake} [x] cake
            $ todo edit {party} --not-after {eggs}
            {party} [ ] party
            $ todo edit {party}
            nothing to change; add a text or an option such as --title or --due
            exit 2
            $ lists
            (local)	2 open of 4
            $ lists add Work
            Work	0 open of 0
            $ lists add work
            there is a list "work"; choose another name
            exit 1
            $ lists add Home
            Home	0 open of 0
            $ todo edit {party} --in work
            {party} [ ] party list:Work
            $ lists
            (local)	1 open of 3
            Home	0 open of 0
            Work	1 open of 1
            $ lists rename work --to Office
            Office	1 open of 1
            $ todo list list:office
            {party} [ ] party list:Office
            $ lists rm Home
            Home	0 open of 0
            $ lists rm nothing
            there is no list "nothing"; `lists add "nothing"` adds it
            exit 1
            $ lists --quiet
            Office
            $ todo annotate {party}
            todo annotate needs an ID and a text
            exit 2
            $ todo annotate {party} bring_a_cake
            {party} [ ] party list:Office …
            $ todo annotate {party} and candles
            {party} [ ] party list:Office …
            $ todo show {party}
            {party} [ ] party list:Office …
              subtask: {cake} [x] cake
              after: {flour} [ ] flour
              created: 2026-03-20 10:00
              modified: 2026-03-20 10:00
              uuid: UUID
              | 2026-03-20 10:00 bring a cake
              | 2026-03-20 10:00 and candles
            $ todo edit {party} --note none
            {party} [ ] party list:Office
            $ todo show {party}
            {party} [ ] party list:Office
              subtask: {cake} [x] cake
              after: {flour} [ ] flour
              created: 2026-03-20 10:00
              modified: 2026-03-20 10:00
              uuid: UUID
            """
        )
    }

    @Test("Export and import: equal and changed todos, a filter, and lines that are no todos")
    func transfer() async throws {
        try (Data("eggs\n".utf8) + [0xFF, 0x0A] + Data("tea\n".utf8)).write(to: folder.file("c.txt"))
        let ends = Pipe()
        try ends.fileHandleForWriting.write(contentsOf: Data("tea\n".utf8))
        try ends.fileHandleForWriting.close()
        let pipe = "/dev/fd/\(ends.fileHandleForReading.fileDescriptor)"
        try await check(
            """
            $ todo add (A) cake +home due:2026-03-27
            {cake} [ ] (A) cake +home due:2026-03-27
            $ todo add flour +shop rec:1w due:2026-03-20
            {flour} [ ] flour +shop due:2026-03-20 rec:1w
            $ todo edit {cake} --after {flour}
            {cake} [ ] (A) cake +home due:2026-03-27
            $ todo export --format todotxt
            2026-03-20 flour +shop due:2026-03-20 rec:1w
            (A) 2026-03-20 cake +home due:2026-03-27
            $ todo export --format csv
            id,uuid,title,done,archived,priority,projects,contexts,tags,list,due,time,threshold,recurrence,parent,note,created,modified,completed
            {flour},UUID,flour,false,false,,shop,,,,2026-03-20,,,1w,,,2026-03-20T10:00:00Z,2026-03-20T10:00:00Z,
            {cake},UUID,cake,false,false,A,home,,,,2026-03-27,,,,,,2026-03-20T10:00:00Z,2026-03-20T10:00:00Z,
            $ todo export --format markdown --filter +shop
            - [ ] flour +shop due:2026-03-20 rec:1w
            $ todo list flour or cake --filter +home
            {cake} [ ] (A) cake +home due:2026-03-27
            $ todo export FOLDER/a.json --format json
            2 exported
            $ todo export FOLDER/b.txt --quiet
            $ todo export FOLDER/a.unknown
            the format is unknown; add --format with one of todotxt, taskwarrior, ics, markdown, csv, json
            exit 2
            $ todo import FOLDER/a.json --format json
            0 added, 0 changed, 2 unchanged, 0 refused
            $ todo done {flour}
            {flour} [x] flour +shop due:2026-03-20
            {flour} [ ] flour +shop due:2026-03-27 rec:1w
            $ todo import FOLDER/a.json --format json --dry-run
            line 1: changed flour (recurrence, done)
            0 added, 1 changed, 1 unchanged, 0 refused; nothing was changed (--dry-run)
            $ todo import FOLDER/a.json --format json
            line 1: changed flour (recurrence, done)
            0 added, 1 changed, 1 unchanged, 0 refused
            $ todo import FOLDER/b.txt --new
            line 1: added flour
            line 2: added cake
            2 added, 0 changed, 0 unchanged, 0 refused
            $ todo import FOLDER/b.txt --new --quiet
            {flour}
            {cake}
            $ todo import FOLDER/b.txt --new --update
            --update and --new exclude each other
            exit 2
            $ todo import FOLDER/c.txt
            FOLDER/c.txt: line 2, column 1: the text is not UTF-8; convert the file, for example with iconv -t utf-8
            nothing was imported; --skip-invalid imports the rest
            exit 2
            $ todo import FOLDER/c.txt --skip-invalid
            line 1: added eggs
            line 3: added tea
            2 added, 0 changed, 0 unchanged, 1 refused
            exit 1
            $ todo import FOLDER/a.csv
            csv cannot be imported; use json
            exit 2
            $ todo import FOLDER/c.txt.gz
            the format is unknown; add --format with one of todotxt, taskwarrior, ics, markdown, json
            exit 2
            $ todo import FOLDER/missing.txt
            "FOLDER/missing.txt" cannot be read: No such file or directory; is the path right?
            exit 3
            $ todo export FOLDER/missing/a.txt
            "FOLDER/missing/a.txt" cannot be written: No such file or directory; make its folder first
            exit 3
            $ todo export FOLDER/c.txt/a.txt
            "FOLDER/c.txt/a.txt" cannot be written: Not a directory; make its folder first
            exit 3
            $ todo export FOLDER --format json
            "FOLDER" cannot be written: Is a directory; choose another file
            exit 3
            $ todo import FOLDER --format json
            "FOLDER" cannot be read: Is a directory; is the path right?
            exit 3
            $ todo import \(pipe) --format todotxt
            0 added, 0 changed, 1 unchanged, 0 refused
            """
        )
    }
}
