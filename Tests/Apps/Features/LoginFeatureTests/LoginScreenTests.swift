import AccountCore
import AppLanguage
import AppTestSupport
import AppUI
import Foundation
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import LoginFeature

@Suite("The login on a screen", .timeLimit(.minutes(3)))
@MainActor
struct LoginScreenTests {
    /// The logged-out screen in a navigation stack, over a fake account.
    @MainActor
    final class Fixture: LoginDependency, LoggedOutListener {
        let accountFake: FakeAccount
        let clock: any Clock<Duration> = ManualClock()
        let appearance: Appearance
        let app: TestApplication
        let navigation = NavigationController()
        let root = Router(interactor: Interactor())
        private(set) var events: [String] = []

        init(
            _ size: GridSize = GridSize(width: 100, height: 30),
            language: AppLanguage = .english,
            account: FakeAccount = FakeAccount(branch: .login),
            depth: ColorDepth = .trueColor
        ) async {
            accountFake = account
            appearance = .dog(language)
            app = TestApplication(root: navigation, size: size, depth: depth)
            root.interactor.activate()
            root.load()
            let loggedOut = LoggedOutBuilder(dependency: self).build(withListener: self)
            root.attachChild(loggedOut)
            if let controller = loggedOut.viewControllable as? ViewController {
                navigation.setViewControllers([controller])
            }
            await app.settle()
        }

        var account: any AccountServing { accountFake }

        func loggedOutDidLogIn(_ profile: Profile) { events.append("logged in \(profile.id)") }
        func loggedOutDidChooseGuest() { events.append("guest") }
        func loggedOutDidChooseSignUp() { events.append("sign up") }
        func loggedOutDidQuit() { events.append("quit") }

        func wait(for text: String) async throws { try await app.wait(for: text, within: .seconds(60)) }

        func type(_ text: String, waitingFor shown: String) async throws {
            await app.type(text)
            try await wait(for: shown)
        }
    }

    @Test(
        "The providers are below the main choices, as wide and in the order of their keys, and only their icons have own colours"
    )
    func providers() async throws {
        let fixture = await Fixture()
        let google = try #require(fixture.app.screen.find("G Google Login"))
        let facebook = try #require(fixture.app.screen.find("f Facebook Login"))
        #expect(facebook.y - google.y == 1, "together, as the main choices are")
        #expect(fixture.app.screen.line(google.y).hasSuffix("1") && fixture.app.screen.line(facebook.y).hasSuffix("2"))
        let row = Array(fixture.app.screen.row(google.y))
        let logIn = try #require(fixture.app.screen.find("Log in"))
        let signUp = try #require(fixture.app.screen.find("Sign up"))
        #expect(google.y - signUp.y == 2, "an empty row between the two groups")
        let surface = fixture.app.screen[16, logIn.y].style.background
        let colored = row.indices.filter { row[$0].style.background == surface || $0 == google.x }
        #expect(colored.first == 16 && colored.last == 83)
        #expect(row.indices.filter { row[$0].style.background == .hex(0xF1F3F4) } == [google.x])
        let guest = try #require(fixture.app.screen.find("Continue as a guest"))
        #expect(fixture.app.screen[16, guest.y].style.background == fixture.app.screen[83, guest.y].style.background)
        #expect(fixture.app.screen[15, guest.y].style.background == .standard && guest.y < google.y)
        #expect(fixture.app.screen[facebook.x, facebook.y].style.background == .hex(0x3B5998))
        for (width, inset) in [(27, 0), (28, 2), (27, 0)] {
            await fixture.app.resize(GridSize(width: width, height: 30))
            let y = try #require(fixture.app.screen.find("Google Login")).y
            let backgrounds = fixture.app.screen.row(y).map(\.style.background)
            #expect(backgrounds.firstIndex(of: surface) == inset)
        }
        await fixture.app.resize(GridSize(width: 200, height: 60))
        let wide = try #require(fixture.app.screen.find("G Google Login"))
        #expect(fixture.app.screen.line(wide.y).count == 132, "the keys are near the titles")
        await fixture.app.resize(GridSize(width: 40, height: 12))
        #expect(fixture.app.text.contains("G Google Login") && fixture.app.text.contains("Continue as a guest"))
    }

    @Test("The room of a code is its modules with a margin of four, two rows of them in a line")
    func codeSize() throws {
        let view = QRCodeView()
        #expect(view.cellSize == .zero)
        for text in ["a", String(repeating: "https://example.com/", count: 9)] {
            view.text = text
            let side = try #require(QRCode(text)).size + 8
            #expect(view.cellSize == GridSize(width: side, height: (side + 1) / 2))
        }
    }

    @Test("The logged-out screen works by keys alone and by the mouse alone")
    func choices() async throws {
        let fixture = await Fixture()
        await fixture.app.type("gsq")
        #expect(await fixture.app.click(on: "Continue as a guest"))
        #expect(await fixture.app.click(on: "Sign up"))
        #expect(fixture.events == ["guest", "sign up", "quit", "guest", "sign up"])
    }

    @Test("Colour, underline and a mark show the validity as it is typed, and the button follows")
    func validity() async throws {
        let fixture = await Fixture()
        await fixture.app.type("lmax")
        let place = try #require(fixture.app.screen.find("max"))
        #expect(fixture.app.screen[place.x, place.y].style.attributes.contains(.underline))
        #expect(fixture.app.text.contains(AccountField.id.rule(.english)))
        await fixture.app.type("dog")
        // The rule below the field is gone, so that the form moves.
        let valid = try #require(fixture.app.screen.find("maxdog"))
        #expect(!fixture.app.screen[valid.x, valid.y].style.attributes.contains(.underline))
        #expect(fixture.app.screen.line(valid.y).contains("✓"))
        await fixture.app.type("\tsecret")
        #expect(!fixture.app.text.contains("secret") && fixture.app.text.contains("••••••"))
        await fixture.app.press(.tab)
        await fixture.app.press(.tab)
        await fixture.app.press(.enter)
        #expect(fixture.app.text.contains("Stay logged in on this machine?"))
    }

    @Test("Without the consent an alert asks; later visits show the terms below the button")
    func layouts() async throws {
        let fixture = await Fixture()
        await fixture.app.type("l")
        #expect(fixture.app.text.contains("I agree to automatic login"))
        await fixture.app.type("maxdog\tsecret\n")
        #expect(fixture.app.text.contains("Stay logged in on this machine?"))
        await fixture.app.press(.enter)
        try await eventually { fixture.events == ["logged in maxdog"] }
        #expect(fixture.root.children.first?.children.isEmpty == true, "the login is detached")

        try await fixture.type("l", waitingFor: "Terms of automatic login")
        #expect(!fixture.app.text.contains("I agree to automatic login"))
        let button = try #require(fixture.app.screen.find("Back"))
        let terms = try #require(fixture.app.screen.find("Terms of automatic login"))
        #expect(terms.y > button.y)
    }

    @Test("A login under way says so in words, and Escape cancels it")
    func spinner() async throws {
        let fixture = await Fixture()
        fixture.accountFake.hasConsent = true
        try await fixture.type("l", waitingFor: "Terms of automatic login")
        fixture.accountFake.isHeld = true
        try await fixture.type("maxdog\tsecret\n", waitingFor: "Logging in…")
        await fixture.app.press(.escape)
        try await eventually { fixture.accountFake.cancellations == 1 }
        #expect(fixture.app.text.contains("Continue as a guest") && fixture.events.isEmpty)
    }

    @Test("At 40 x 12 and with a shorter window the focused field stays visible")
    func small() async throws {
        let fixture = await Fixture(GridSize(width: 40, height: 12))
        await fixture.app.type("lmaxdog\tsecret")
        for height in [12, 8, 6, 5, 20] {
            await fixture.app.resize(GridSize(width: 40, height: height))
            #expect(fixture.app.caret != nil && fixture.app.text.contains("••••••"), "at \(height) rows")
        }
        // So does what is wrong with it, above the terms.
        fixture.accountFake.failure = .wrongCredentials
        await fixture.app.resize(GridSize(width: 40, height: 6))
        await fixture.app.type("\n")
        await fixture.app.press(.enter)
        try await fixture.wait(for: "The id or the password is wrong.")
        #expect(fixture.app.caret != nil && fixture.app.text.contains("••••••"))
        await fixture.app.type("7")
        #expect(!fixture.app.text.contains("The id or the password is wrong."), "it was about another password")
    }

    @Test("A provider's address and code are shown; a refusal is explained, and a new code can be requested")
    func device() async throws {
        let account = FakeAccount(branch: .login)
        let code = DeviceCode(
            userCode: "WDJB-MJHT",
            address: "https://provider.test/device",
            completeAddress: nil,
            expires: .distantFuture
        )
        account.deviceSteps = [.requesting, .waiting(code, problem: nil)]
        let fixture = await Fixture(account: account)
        try await fixture.type("1", waitingFor: "WDJB-MJHT")
        #expect(fixture.app.text.contains("https://provider.test/device"))
        #expect(fixture.app.text.contains("Waiting for your approval"))
        #expect(fixture.app.text.contains("The app stores a token"), "the sign-in is kept")
        await fixture.app.press(.escape)
        #expect(fixture.app.text.contains("Continue as a guest"))
        account.deviceSteps = [.requesting, .denied]
        try await fixture.type("1", waitingFor: "The sign-in was refused")
        account.deviceSteps = [.finished(account.profile)]
        await fixture.app.type("n")
        try await eventually { fixture.events == ["logged in maxdog"] }
        let signIn = FakeAccount.Call.signIn("Google")
        #expect(account.takeCalls() == [signIn, signIn, signIn, .setConsent(true)])
    }

    @Test("A new code ends the polls of the old one: its approval does not sign in, and its steps are not shown")
    func newCode() async throws {
        let account = FakeAccount(branch: .login)
        let screen = DeviceScreen()
        let interactor = DeviceInteractor(presenter: screen, account: account, provider: FakeAccount.both[0])
        account.deviceSteps = [.requesting]
        interactor.activate()
        try await eventually { account.devicePolls.count == 1 && screen.steps == [.requesting] }
        interactor.didChooseNewCode()
        try await eventually { account.devicePolls.count == 2 && screen.steps == [.requesting, .requesting] }
        account.devicePolls[0].yield(.denied)
        account.devicePolls[1].yield(.expired)
        try await eventually { screen.steps.last == .expired }
        #expect(screen.steps == [.requesting, .requesting, .expired])
        #expect(account.deviceCancellations == 1)
        interactor.deactivate()
        try await eventually { account.deviceCancellations == 2 }
    }

    /// Records the steps that are shown.
    @MainActor
    private final class DeviceScreen: DevicePresentable {
        weak var listener: (any DevicePresentableListener)?
        var steps: [DeviceSignIn] = []

        func show(_ step: DeviceSignIn) { steps.append(step) }
        func showLostCode() { Issue.record("showLostCode was not expected") }
    }

    @Test(
        "A program that reads QR codes reads the code on the screen, in colours and without, also inverted",
        .enabled(if: QRCode("x") != nil && Programs.find("zbarimg") != nil, "needs libqrencode4 and zbar-tools"),
        arguments: [(ColorDepth.trueColor, false), (.none, false), (.none, true)]
    )
    func qrCode(depth: ColorDepth, isInverted: Bool) async throws {
        let account = FakeAccount(branch: .login)
        let address = "https://provider.test/device?user_code=WDJB-MJHT"
        let code = DeviceCode(
            userCode: "WDJB-MJHT",
            address: "https://provider.test/device",
            completeAddress: address,
            expires: .distantFuture
        )
        account.deviceSteps = [.requesting, .waiting(code, problem: nil)]
        let fixture = await Fixture(GridSize(width: 100, height: 36), account: account, depth: depth)
        try await fixture.type("1", waitingFor: "WDJB-MJHT")
        #expect(fixture.app.text.contains("https://provider.test/device"), "address and code stay beside the QR code")
        if isInverted { await fixture.app.type("i") }
        #expect(try read(fixture.app.screen, isLight: isInverted) == address + "\n")

        // Where there is no room, address and code are enough.
        await fixture.app.resize(GridSize(width: 60, height: 20))
        #expect(!fixture.app.text.contains("▀▀▀") && fixture.app.text.contains("WDJB-MJHT"))
    }

    /// Renders the half-blocks of a screen, each half of a cell as 4 by 4 pixels, and returns what zbarimg reads; the terminal
    /// has dark letters on a light background if it is light.
    private func read(_ screen: ScreenBuffer, isLight: Bool) throws -> String {
        let scale = 4
        let (ink, paper): (UInt8, UInt8) = isLight ? (0, 255) : (255, 0)
        func value(_ color: Color, _ fallback: UInt8) -> UInt8 {
            color == .hex(0x000000) ? 0 : color == .hex(0xFFFFFF) ? 255 : fallback
        }
        var pixels: [UInt8] = []
        for y in 0..<screen.size.height {
            for half in 0..<2 {
                var row: [UInt8] = []
                for cell in screen.row(y) {
                    let symbol = cell.glyph.text
                    let isInk = symbol == "█" || symbol == (half == 0 ? "▀" : "▄")
                    let color = isInk ? cell.style.foreground : cell.style.background
                    row += [UInt8](repeating: value(color, isInk ? ink : paper), count: scale)
                }
                for _ in 0..<scale { pixels += row }
            }
        }
        let folder = try TemporaryDirectory("qr")
        let file = folder.file("screen.pgm")
        let header = "P5 \(screen.size.width * scale) \(screen.size.height * 2 * scale) 255\n"
        try (Data(header.utf8) + Data(pixels)).write(to: file)
        let zbarimg = try #require(Programs.find("zbarimg"))
        let output = try Programs.run(zbarimg, ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", file.path])
        return String(decoding: output, as: UTF8.self)
    }

    @Test("After a kill, the screen of a provider offers a new code and requests none by itself")
    func restoredDevice() async throws {
        let account = FakeAccount(branch: .login)
        account.deviceSteps = [.requesting, .denied]
        let fixture = await Fixture(account: account)
        try await fixture.type("2", waitingFor: "The sign-in was refused")
        let router = try #require(fixture.root.children.first as? any RestorableRouting)
        let snapshot = router.snapshot
        _ = account.takeCalls()

        let next = await Fixture(account: account)
        let nextRouter = try #require(next.root.children.first as? any RestorableRouting)
        #expect(nextRouter.restore(from: snapshot).isEmpty)
        try await next.wait(for: "The app was restarted. Request a new code.")
        #expect(account.takeCalls().isEmpty)
        try await next.type("n", waitingFor: "The sign-in was refused")
        #expect(account.takeCalls() == [.signIn("Facebook")])
        let unknown = RouterSnapshot(
            id: "loggedOut",
            children: [RouterSnapshot(id: "device", state: ["provider": "Unknown"])]
        )
        let other = await Fixture(account: account)
        let otherRouter = try #require(other.root.children.first as? any RestorableRouting)
        #expect(otherRouter.restore(from: unknown) == ["loggedOut/device"])
        // One screen at a time is over the logged-out one.
        let loggedOut = try #require(otherRouter as? LoggedOutRouter)
        loggedOut.routeToLogin()
        loggedOut.routeToDevice(account.providers[0], requestsCode: false)
        #expect(loggedOut.children.count == 1)
        loggedOut.closeLogin()
        loggedOut.routeToDevice(account.providers[0], requestsCode: false)
        loggedOut.routeToLogin()
        #expect(loggedOut.children.count == 1 && loggedOut.children.first is LoginRouter, "the menu leads to the login")
        loggedOut.closeLogin()
    }

    @Test("Nothing of the logged-out screen is retained after the login was opened and closed")
    func leaks() async throws {
        await LeakDetector.reporting {
            Issue.record("\($0)")
        } whileRunning: {
            let fixture = await Fixture()
            await fixture.app.type("lmax")
            await fixture.app.press(.escape)
            await fixture.app.quit()
        }
    }
}
