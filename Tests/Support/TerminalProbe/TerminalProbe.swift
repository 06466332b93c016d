import NeedleKit
import SystemCalls
import TerminalUI

/// The modes of the probe.
@MainActor
enum TerminalProbe {
    /// The file to which events are written too, where the terminal's output is not read.
    private static var log: String?

    /// Runs a mode.
    ///
    /// - Parameters:
    ///   - way: the mode.
    ///   - arguments: its argument, or options: `reply=` and `restore=` with the milliseconds of the terminal's time
    ///     limits, `log=` with a file for the events.
    static func run(_ way: String, _ arguments: [String]) async {
        switch way {
        case "demo": await demo()
        case "saving": await ApplicationProbe.saving(Int(arguments.first ?? "") ?? 0)
        case "graphics": await ApplicationProbe.graphics(within: Int(arguments.first ?? "") ?? 2)
        case "late-graphics": await ApplicationProbe.lateGraphics()
        case "handlers": await ApplicationProbe.handlers()
        case "secret":
            print("SECRET [\((try? SecretLine.read("PASSWORD\n")) ?? "failed")]")
            exit(0)
        default: break
        }
        let terminal = Terminal()
        for pair in arguments.map({ $0.split(separator: "=", maxSplits: 1).map(String.init) }) where pair.count == 2 {
            let limit = Duration.milliseconds(Int(pair[1]) ?? 0)
            switch pair[0] {
            case "reply": terminal.replyLimit = limit
            case "restore": terminal.restoreLimit = limit
            default: log = pair[1]
            }
        }
        let events: AsyncStream<TerminalEvent>
        do {
            events = try terminal.start()
        } catch {
            print("refused: \(error)")
            exit(9)
        }
        terminal.write(Array("READY \(terminal.size)\r\n".utf8))
        switch way {
        case "exit": exit(3)
        case "hang": while true { sleep(1) }
        case "flood", "flood-and-hang":
            while terminal.write(Array(repeating: UInt8(ascii: "x"), count: 1 << 16)) {}
            append("refused")
            if way == "flood-and-hang" { while true { sleep(1) } }
            await echo(terminal, events)
        case "crash": crash(arguments.first ?? "")
        default: await echo(terminal, events)
        }
    }

    /// Runs an application with a field below a toolbar until it ends.
    private static func demo() async {
        let page = ViewController()
        let views = [TextField(placeholder: "ID"), Label("로그인하면 어디서나 할 일을 볼 수 있습니다.")]
        for view in views { page.view.addSubview(view) }
        page.view.ndl.stack(views, distribution: .start)
        let toolbar = ToolbarController(content: page, title: "PRESS START")
        toolbar.toolbar.setRight("Settings")
        let application = Application(terminal: Terminal(), rootViewController: toolbar)
        do {
            exit(try await application.run())
        } catch {
            print("refused: \(error)")
            exit(9)
        }
    }

    /// Writes each event as a line, until "q" is typed or a signal ends the process.
    private static func echo(_ terminal: Terminal, _ events: AsyncStream<TerminalEvent>) async {
        for await event in events {
            terminal.write(Array("[\(describe(event))]\r\n".utf8))
            append("[\(describe(event))]")
            switch event {
            case .input(.key(Key(.character("q")))):
                terminal.stop()
                exit(0)
            case .input(.key(.control("z"))): terminal.suspend()
            case .terminated(let signal):
                terminal.stop()
                exit(128 + signal)
            case .closed:
                terminal.stop()
                exit(7)
            default: break
            }
        }
    }

    private static func append(_ line: String) {
        guard let log, let file = fopen(log, "a") else { return }
        fputs(line + "\n", file)
        fclose(file)
    }

    private static func describe(_ event: TerminalEvent) -> String {
        switch event {
        case .input(.key(let key)): "key \(key)"
        case .input(.paste(let paste)): "paste \(paste.text.utf8.count) \(paste.completeness)"
        case .input(.mouse(let mouse)): "mouse \(mouse.kind) \(mouse.location)"
        case .input(.focus(let focused)): "focus \(focused)"
        case .input(.reply(let reply)): "reply \(reply)"
        case .resized(let size): "resized \(size)"
        case .resumed: "resumed"
        case .writable: "writable"
        case .terminated(let signal): "terminated \(signal)"
        case .closed: "closed"
        }
    }

    private static func crash(_ kind: String) {
        switch kind {
        case "segv":
            // An address that the optimizer does not know to be invalid.
            UnsafeMutablePointer<Int>(bitPattern: 8 + CommandLine.arguments.count)?.pointee = 1
        case "overflow": _ = descend(1)
        case "ill": raise(SIGILL)
        case "trap":
            let empty: [Int] = []
            _ = empty[CommandLine.arguments.count]
        case "abrt": abort()
        case "bus": raise(SIGBUS)
        default: raise(SIGFPE)
        }
    }

    private static func descend(_ depth: Int) -> Int { depth == .max ? 0 : descend(depth + 1) + 1 }
}
