import TerminalUI

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The modes of the probe.
@MainActor
enum TerminalProbe {
    static func run(_ way: String, _ arguments: [String]) async {
        switch way {
        case "demo": await demo()
        case "saving": await ApplicationProbe.saving(Int(arguments.first ?? "") ?? 0)
        case "graphics": await ApplicationProbe.graphics()
        case "late-graphics": await ApplicationProbe.lateGraphics()
        case "handlers": await ApplicationProbe.handlers()
        default: break
        }
        let terminal = Terminal()
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
            if way == "flood-and-hang" { while true { sleep(1) } }
            await echo(terminal, events)
        case "crash": crash(arguments.first ?? "")
        default: await echo(terminal, events)
        }
    }

    /// Runs the demonstration until it ends.
    private static func demo() async {
        let theme = Theme(tint: .hex(0x9A5B13))
        let application = Application(terminal: Terminal(), rootViewController: Demo.root(), theme: theme)
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

    private static func descend(_ depth: Int) -> Int {
        depth == .max ? 0 : descend(depth + 1) + 1
    }
}
