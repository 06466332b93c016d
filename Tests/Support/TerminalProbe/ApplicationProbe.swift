import NeedleKit
import SystemCalls
import TerminalUI

/// Applications and terminals in states that tests of a real terminal need.
@MainActor
enum ApplicationProbe {
    /// Runs an application that needs `milliseconds` in `onWillEnd`, then prints how it ended.
    static func saving(_ milliseconds: Int) async {
        let label = Label("RUNNING")
        let root = ViewController()
        root.view.addSubview(label)
        label.ndl.makeConstraints { $0.top.left.equalTo(root.view) }
        let application = Application(terminal: Terminal(), rootViewController: root)
        var outcome = "LOST"
        application.onWillEnd = { _ in
            label.text = "SAVING"
            do {
                try await Task.sleep(for: .milliseconds(milliseconds))
                outcome = "SAVED"
            } catch {}
        }
        let code = try? await application.run()
        print(outcome)
        exit(code ?? 1)
    }

    /// Prints the terminal's graphics protocol, detected within a number of seconds.
    static func graphics(within seconds: Int) async {
        print("ASKING")
        let graphics = await Terminal.detectGraphics(timeLimit: .seconds(seconds))
        print("GRAPHICS \(graphics)")
        exit(0)
    }

    /// Prints the protocol and the time that its detection took. Then waits for input, as of a late reply, discards it and
    /// prints how much is left.
    static func lateGraphics() async {
        let begin = ContinuousClock.now
        let graphics = await Terminal.detectGraphics()
        print("GRAPHICS \(graphics) MILLISECONDS \((ContinuousClock.now - begin) / .milliseconds(1))")
        fflush(nil)
        var settings = termios()
        tcgetattr(0, &settings)
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        settings.c_cc.6 = 0
        tcsetattr(0, TCSANOW, &settings)
        var waiting = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        print("ARRIVED \(poll(&waiting, 1, 20_000))")
        Terminal.discardUnreadInput()
        print("LEFT \(poll(&waiting, 1, 0))")
        exit(0)
    }

    /// Prints whether the handlers of all signals after `stop` are those before `start`.
    static func handlers() async {
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH, SIGSEGV, SIGABRT, SIGFPE]
        signal(SIGINT, SIG_IGN)
        signal(SIGWINCH) { _ in }
        let before = signals.map(handler)
        let terminal = Terminal()
        do {
            _ = try terminal.start()
        } catch {
            exit(9)
        }
        let during = signals.map(handler)
        terminal.stop()
        print("DIFFERENT \(zip(before, during).filter { $0 != $1 }.count)")
        print("SAME \(before == signals.map(handler))")
        exit(0)
    }

    private static func handler(of number: Int32) -> UInt {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
            return unsafeBitCast(action.__sigaction_u.__sa_sigaction, to: UInt.self)
        #else
            return unsafeBitCast(action.__sigaction_handler.sa_sigaction, to: UInt.self)
        #endif
    }
}
