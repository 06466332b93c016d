import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("The capabilities of a terminal")
struct TerminalCapabilitiesTests {
    @Test(
        "The environment variables decide the colours",
        arguments: [
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], ColorDepth.trueColor),
            (["TERM": "xterm-256color", "COLORTERM": "24bit"], .trueColor), (["TERM": "xterm-256color"], .indexed256),
            (["TERM": "xterm"], .indexed16), (["TERM": "xterm-kitty"], .trueColor),
            (["TERM": "xterm-direct"], .trueColor),
            (["TERM": "vt100"], .none), (["TERM": "dumb", "COLORTERM": "truecolor"], .none), ([:], .none),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
            (["TERM": "xterm-256color", "NO_COLOR": ""], .indexed256),
            // GNU screen 4 has 256 colours, whatever it inherits.
            (["TERM": "screen", "COLORTERM": "truecolor", "TMUX": ""], .indexed256),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor", "STY": "1.tty"], .indexed256),
            (["TERM": "screen.xterm-kitty"], .indexed256), (["TERM": "screen", "STY": "1.tty"], .indexed16),
            (["TERM": "screen-256color", "COLORTERM": "truecolor", "TMUX": "/tmp/1"], .trueColor),
        ]
    )
    func colors(_ environment: [String: String], _ depth: ColorDepth) {
        #expect(TerminalCapabilities(environment: environment).colorDepth == depth)
    }

    @Test("A dumb terminal and a pipe have no full screen; a terminal with NO_COLOR has")
    func fullScreen() {
        #expect(!TerminalCapabilities(environment: ["TERM": "dumb"]).isFullScreen)
        #expect(!TerminalCapabilities(environment: ["TERM": "xterm"], isTerminal: false).isFullScreen)
        #expect(TerminalCapabilities(environment: ["TERM": "xterm", "NO_COLOR": "1"]).isFullScreen)
    }

    @Test("Images of iTerm2 are used where the terminal is known to have them, and not inside of a multiplexer")
    func images() {
        for program in ["iTerm.app", "WezTerm", "other"] {
            for inside in [[:], ["TMUX": "/tmp/1"], ["STY": "1.tty"], ["STY": "", "TMUX": ""]] {
                let environment = inside.merging(["TERM": "xterm", "TERM_PROGRAM": program]) { $1 }
                let expected = program != "other" && inside.values.allSatisfy(\.isEmpty)
                #expect(TerminalCapabilities(environment: environment).itermGraphics == expected, "\(environment)")
            }
        }
    }

    @Test("Control strings are short inside of GNU screen, which prints the rest of a long one")
    func controlStrings() {
        for (environment, limit) in [
            (["STY": "1.tty"], 250), (["STY": ""], Int.max), (["TERM": "screen", "TMUX": "/tmp/1"], .max),
        ] {
            #expect(TerminalCapabilities(environment: environment).controlStringLimit == limit, "\(environment)")
        }
    }

    @Test("Replies update the capabilities, and DA1 is the last one")
    func answers() {
        var capabilities = TerminalCapabilities(environment: ["TERM": "xterm"])
        let last1 = capabilities.update(from: .mode(number: 2026, state: 2))
        #expect(!last1)
        #expect(capabilities.synchronizedOutput == true)
        let last2 = capabilities.update(from: .graphics("Gi=31;OK"))
        #expect(!last2)
        #expect(capabilities.kittyGraphics)
        let last3 = capabilities.update(from: .deviceAttributes([62, 4, 22]))
        #expect(last3)
        #expect(capabilities.sixelGraphics)
        for (state, isSupported) in [(0, false), (1, true), (2, true), (3, true), (4, false)] {
            var asked = TerminalCapabilities(environment: ["TERM": "xterm"])
            _ = asked.update(from: .mode(number: 2026, state: state))
            _ = asked.update(from: .deviceAttributes([1]))
            #expect(asked.synchronizedOutput == isSupported, "state \(state)")
        }
        var silent = TerminalCapabilities(environment: ["TERM": "xterm"])
        let last4 = silent.update(from: .deviceAttributes([1]))
        #expect(last4)
        #expect(silent.synchronizedOutput == false)
    }
}
