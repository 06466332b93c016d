import CommandKit
import EssentialFoundation
import GalleryExamples
import Pictures
import SystemCalls
import TerminalUI

/// `gallery`: shows every view of TerminalUI with its code.
@main
@MainActor
enum GalleryCommand {
    private static let example = CommandOption(
        "example",
        value: "NAME",
        help: "begin with an example; --list prints them"
    )
    private static let list = CommandOption("list", help: "print the names of the examples")
    private static let text = CommandOption("text", value: "SIZE", help: "print the example's screen, such as 60x20")
    private static let plain = CommandOption("plain", help: "no screen: print lines, and read commands as lines")
    private static let pictures = CommandOption(
        "pictures",
        value: "DIR",
        help: "write the pictures of the documentation into a folder",
        completion: .folders
    )
    private static let theme = CommandOption(
        "theme",
        value: "FILE",
        help: "dark, light, high-contrast, or a file that overrides roles",
        completion: .files
    )
    private static let draw = CommandOption(
        "draw",
        value: "auto|kitty|iterm|sixel|half",
        help: "how pictures are shown; auto uses what the terminal supports",
        completion: .words(["auto", "kitty", "iterm", "sixel", "half"])
    )
    private static let noAnimation = CommandOption("no-animation", help: "nothing moves by itself")

    private static let table = CommandTable<Int>(
        program: "gallery",
        summary: "every view of TerminalUI with its code",
        commands: [
            Command(
                0,
                options: [example, list, text, plain, pictures, theme, draw, noAnimation],
                summary: "show the gallery",
                examples: ["", "--example calendar", "--text 60x20 --example fields", "--plain"]
            )
        ],
        topics: [
            .init(
                "Keys",
                """
                Tab moves between the list of examples, the example and its code; F12 shows the
                frames and constraints of the layout; q leaves.
                """
            )
        ],
        exitStatuses: [
            .init(0, "done"), .init(1, "the terminal or a file cannot be used"), .init(2, "invalid arguments"),
        ]
    )

    static func main() async {
        do {
            switch try table.parse(Array(CommandLine.arguments.dropFirst())) {
            case .print(let text): try POSIX.writeAll(text, to: STDOUT_FILENO)
            case .run(let command): exit(try await run(command))
            }
        } catch {
            try? POSIX.writeAll("gallery: \(error)\n", to: STDERR_FILENO)
            exit(error is UsageError ? 2 : 1)
        }
    }

    private static func run(_ command: ParsedCommand<Int>) async throws -> Int32 {
        let chosen = command.value(example.name) ?? "text"
        guard GalleryExample.all.contains(where: { $0.id == chosen }) else {
            let names = GalleryExample.all.map(\.id).joined(separator: ", ")
            throw UsageError.invalidValue(example, value: chosen, hint: "the examples are \(names)")
        }
        let theme = try theme(command)
        if command.has(list.name) {
            try POSIX.writeAll(GalleryExample.all.map { $0.id + "\n" }.joined(), to: STDOUT_FILENO)
        } else if let folder = command.value(pictures.name) {
            for picture in GalleryPictures.all {
                let file = URL(fileURLWithPath: folder).appendingPathComponent(picture.name)
                try Data(await GalleryPictures.svg(picture).utf8).write(to: file, options: .atomic)
            }
        } else if let size = command.value(text.name) {
            let sides = size.split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2, sides.allSatisfy({ (1...1000).contains($0) }) else {
                throw UsageError.invalidValue(text, value: size, hint: "write COLUMNSxROWS, such as 60x20")
            }
            let wanted = GridSize(width: sides[0], height: sides[1])
            let screen = await GalleryPictures.screen(of: GalleryController(chosen), wanted, theme: theme)
            guard screen.size == wanted else {
                let hint = "with \(wanted.width) columns a screen has at most \(screen.size.height) rows"
                throw UsageError.invalidValue(text, value: size, hint: hint)
            }
            try POSIX.writeAll(screen.text + "\n", to: STDOUT_FILENO)
        } else if command.has(plain.name) {
            try await runPlain(chosen)
        } else {
            let application = Application(
                terminal: Terminal(),
                rootViewController: GalleryController(chosen),
                theme: theme,
                animations: !command.has(noAnimation.name)
            )
            application.inspectionKey = Key(.function(12))
            application.window.preferredGraphics = try graphics(command)
            return try await application.run()
        }
        return 0
    }

    /// Prints lines and reads commands until "quit" or the end of the input.
    private static func runPlain(_ chosen: String) async throws {
        let session = PlainSession(root: GalleryController(chosen))
        func say(_ lines: [String]) throws {
            try POSIX.writeAll(lines.map { $0 + "\n" }.joined() + "> ", to: STDOUT_FILENO)
        }
        try say(await session.start() + ["help lists the commands"])
        while !session.hasEnded, let line = readLine() {
            let lines = await session.perform(line)
            if !session.hasEnded { try say(lines) }
        }
        try POSIX.writeAll("\n", to: STDOUT_FILENO)
    }

    /// Returns the protocol for pictures; `nil` for the one that the terminal supports.
    private static func graphics(_ command: ParsedCommand<Int>) throws -> TerminalGraphics? {
        switch command.value(draw.name) {
        case nil, "auto": return nil
        case "kitty": return .kitty
        case "iterm": return .iterm
        // The common size of a cell; a terminal that is detected reports its own.
        case "sixel": return .sixel(cell: PixelSize(width: 10, height: 20))
        case "half": return TerminalGraphics.none
        case let other?:
            throw UsageError.invalidValue(draw, value: other, hint: "use auto, kitty, iterm, sixel or half")
        }
    }

    private static func theme(_ command: ParsedCommand<Int>) throws -> Theme {
        guard let name = command.value(theme.name) else { return Theme() }
        switch name {
        case "dark": return Theme()
        case "light": return Theme(appearance: .light)
        case "high-contrast": return Theme(appearance: .highContrast)
        default: return try Theme().overridden(by: String(contentsOfFile: name, encoding: .utf8))
        }
    }
}
