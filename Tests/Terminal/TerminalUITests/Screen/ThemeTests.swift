import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Themes")
struct ThemeTests {
    /// The backgrounds of common terminals: xterm, GNOME, Solarized dark and light, a light grey.
    static let backgrounds: [Color] = [
        .hex(0x000000), .hex(0x1E1E1E), .hex(0x002B36), .hex(0xFDF6E3), .hex(0xFFFFFF), .hex(0xEEEEEE),
    ]
    static let tints: [UInt32] = [0x3D7EFF, 0x9A5B13, 0x2E7D5B, 0xFFD700, 0x101010, 0xF5F5F5]

    @Test("Contrasts are those of WCAG's examples")
    func contrast() throws {
        #expect(Color.hex(0x000000).contrast(with: .hex(0xFFFFFF)) == 21)
        let grey = try #require(Color.hex(0x767676).contrast(with: .hex(0xFFFFFF)))
        #expect(abs(grey - 4.54) < 0.01)
        #expect(Color.standard.contrast(with: .black) == nil)
    }

    @Test(
        "All text of each theme is readable: 4.5 to 1, or 7 to 1 with high contrast",
        arguments: Theme.Appearance.allCases,
        [ColorDepth.trueColor, .indexed256, .indexed16]
    )
    func readable(_ appearance: Theme.Appearance, _ depth: ColorDepth) throws {
        for tint in Self.tints {
            for background in Self.backgrounds {
                let theme = Theme(tint: .hex(tint), appearance: appearance).suited(to: depth, background: background)
                let least = theme.minimumContrast
                // A disabled control has no minimum in WCAG 2.2, but here it has.
                for (name, path) in Theme.surfaces {
                    let style = theme[keyPath: path].lowered(to: depth)
                    let ratio = try #require(style.foreground.contrast(with: style.background), "\(name)")
                    #expect(ratio >= least - 0.01, "\(name) \(tint) \(appearance) \(depth) \(background): \(ratio)")
                }
                for (name, path) in Theme.texts {
                    let color = theme[keyPath: path].foreground.lowered(to: depth)
                    for behind in theme.backgrounds(of: path, on: background) where color != .standard {
                        let ratio = try #require(color.contrast(with: behind))
                        // Among 16 colours no red may be readable on all surfaces; then the text has the default colour.
                        #expect(ratio >= least - 0.01, "\(name) \(tint) \(appearance) \(depth) on \(behind): \(ratio)")
                    }
                }
            }
        }
    }

    @MainActor
    @Test("A light background turns the theme into a light one, and an unknown one leaves it as it is")
    func background() async {
        let app = await show(Label("x", role: .error), width: 10, height: 2)
        #expect(app.application.window.suitedTheme.appearance == .dark)
        app.terminal.send(bytes: "\u{1B}]11;rgb:ffff/ffff/f0f0\u{1B}\\".utf8)
        await app.settle()
        try? await app.wait("a light theme") { _ in app.application.window.suitedTheme.appearance == .light }
        #expect(app.application.window.suitedTheme.appearance == .light)
        #expect(app.application.window.terminalBackground == .rgb(255, 255, 240))
        #expect(app.screen[0, 0].style.foreground == app.application.window.suitedTheme.error.foreground)
    }

    @Test("A file overrides roles, also after the background has changed the theme")
    func file() throws {
        let theme = try Theme().overridden(
            by: """
                # my colours
                tint = #FFD75C

                error = #FF8080 bold underline
                selection = 0 on 11
                text = default
                """
        )
        #expect(theme.tint == .hex(0xFFD75C))
        #expect(theme.error == TextStyle(foreground: .hex(0xFF8080), attributes: [.bold, .underline]))
        #expect(theme.selection == TextStyle(foreground: .palette(0), background: .palette(11)))
        let light = theme.suited(to: .trueColor, background: .hex(0xFFFFFF))
        #expect(light.appearance == .light && light.selection == theme.selection)
    }

    @Test(
        "An invalid line of a theme file is reported with its number",
        arguments: [
            ("error = #12", 1, "#12"), ("tint = #FFFFFF\nnothing = 1", 2, "no role nothing"),
            ("error #FFFFFF", 1, "= and"),
            ("\n\nbar = 300", 3, "300"), ("bar =", 1, "="),
        ]
    )
    func invalid(_ text: String, _ line: Int, _ problem: String) throws {
        let error = try #require(throws: ThemeFileError.self) { try Theme().overridden(by: text) }
        #expect(error.line == line && error.problem.contains(problem))
    }
}
