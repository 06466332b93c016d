import AccountCore
import AppLanguage
import AppTestSupport
import Foundation
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import TodoApp

@Suite("Every screen of the app", .timeLimit(.minutes(3)))
@MainActor
struct StageTests {
    private nonisolated static let names = ScreenStage.all.map(\.name)

    private func stage(_ name: String) throws -> ScreenStage { try #require(ScreenStage.named(name)) }

    @Test("The names are unique, and each place is a stored state of the router tree")
    func names() throws {
        #expect(Set(Self.names).count == Self.names.count)
        let stage = try stage("account")
        let expected = RouterSnapshot(
            id: "root",
            children: [
                RouterSnapshot(
                    id: "home",
                    children: [RouterSnapshot(id: "profile", children: [RouterSnapshot(id: "account")])]
                )
            ]
        )
        #expect(stage.snapshot == expected)
        #expect(ScreenStage.list.snapshot == nil)
    }

    @Test(
        "From 40 x 12 to 200 x 60 and back, the layout has no conflict, and the hint line stays at the bottom",
        arguments: names
    )
    func sizes(name: String) async throws {
        let screen = try await AppOnScreen.on(try stage(name), width: 100, height: 30)
        let sizes = [(40, 12), (60, 20), (200, 60), (80, 12), (100, 30)]
        for (width, height) in sizes {
            await screen.app.resize(GridSize(width: width, height: height))
            // The height of an alert that is higher than the screen is ambiguous: it is cut.
            let problems = screen.app.application.window.layoutDiagnostics.filter {
                name != "keys" || !$0.contains("ambiguous")
            }
            #expect(problems.isEmpty, "\(name) at \(width) x \(height): \(problems)")
            #expect(screen.app.screen.size == GridSize(width: width, height: height))
            let rows = (0..<height).filter { !screen.line($0).isEmpty }
            #expect(rows.count > 2, "\(name) at \(width) x \(height) is empty:\n\(screen.text)")
        }
        screen.services.accountFake.release()
    }

    @Test("At 40 x 12, Tab reaches every element, and what has the focus is visible", arguments: names)
    func keyboard(name: String) async throws {
        let size = GridSize(width: 40, height: 12)
        let screen = try await AppOnScreen.on(try stage(name), width: size.width, height: size.height)
        let window = screen.app.application.window
        var reached: [ObjectIdentifier] = []
        for _ in 0..<60 {
            guard let focused = window.firstResponder else { break }
            let top = focused.convertToWindow(.zero).y
            #expect(
                top < size.height && top + focused.bounds.height > 0,
                "\(name) at \(size): what has the focus is at row \(top), outside the screen\n\(screen.text)"
            )
            if reached.contains(ObjectIdentifier(focused)) { break }
            reached.append(ObjectIdentifier(focused))
            await screen.app.press(.tab)
        }
        if !["splash"].contains(name) {
            #expect(!reached.isEmpty, "\(name) has nothing with the focus\n\(screen.text)")
        }
        screen.services.accountFake.release()
    }

    @Test("The titles of the start screen are whole in 20 columns, and the focused button is visible in one row")
    func smallStart() async throws {
        let screen = try await AppOnScreen.on(try stage("start"), width: 20, height: 5)
        #expect(screen.line(4).contains("? keys"))
        for (width, height) in [(20, 5), (400, 1), (400, 2), (20, 1), (20, 5), (80, 24)] {
            await screen.app.resize(GridSize(width: width, height: height))
            #expect(screen.text.contains("Continue as a guest"), "\(width) x \(height):\n\(screen.text)")
            #expect(screen.app.application.window.layoutDiagnostics.isEmpty)
        }
        #expect(screen.line(0).contains("Menu") && screen.line(23).contains("g continue as a guest"))
        let korean = try await AppOnScreen.on(try stage("start"), width: 100, height: 30, language: .korean)
        #expect(korean.line(29).contains("1 Google 로그인"), "a name has its capital letter")
    }

    @Test("The app writes a picture of each screen in both languages, also without colours", arguments: names)
    func pictures(name: String) async throws {
        var texts: [String] = []
        for language in AppLanguage.allCases {
            let screen = try await AppOnScreen.on(
                try stage(name),
                width: 100,
                height: 30,
                language: language,
                depth: language == .korean ? .none : .trueColor
            )
            texts.append(screen.text)
            let svg = screen.app.screen.svg()
            #expect(svg.hasPrefix("<svg") && svg.hasSuffix("</svg>\n"))
            screen.services.accountFake.release()
        }
        #expect(texts[0] != texts[1])
        #expect(texts[1].unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) })
    }
}
