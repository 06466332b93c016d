import AccountCore
import AppLanguage
import AppTestSupport
import AppUI
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import SignUpFeature

@Suite("The sign-up", .timeLimit(.minutes(3)))
@MainActor
struct SignUpTests {
    /// The sign-up on a screen, over a fake account.
    @MainActor
    final class Fixture: SignUpDependency, SignUpListener {
        let accountFake = FakeAccount(branch: .verification)
        let manualClock = ManualClock()
        let appearance: Appearance
        let app: TestApplication
        let snackbars: SnackbarController
        let root = Router(interactor: Interactor())
        private(set) var events: [String] = []

        init(
            _ size: GridSize = GridSize(width: 80, height: 24),
            language: AppLanguage = .english,
            isVerified: Bool = false
        ) async {
            appearance = .dog(language)
            let navigation = NavigationController()
            snackbars = SnackbarController(content: navigation)
            app = TestApplication(root: snackbars, size: size)
            root.interactor.activate()
            root.load()
            let signUp = SignUpBuilder(dependency: self).build(withListener: self, isVerified: isVerified)
            root.attachChild(signUp)
            if let controller = signUp.viewControllable as? ViewController {
                navigation.setViewControllers([controller])
            }
            await app.settle()
        }

        var account: any AccountServing { accountFake }
        var clock: any Clock<Duration> { manualClock }
        var unsavedText: [String] { (root.children.first as? any SignUpRouting)?.unsavedText ?? [] }

        func signUpDidFinish(_ profile: Profile) { events.append("finished \(profile.id)") }
        func signUpDidCancel() { events.append("cancelled") }

        func wait(for text: String) async throws { try await app.wait(for: text, within: .seconds(60)) }

        func type(_ text: String, waitingFor shown: String) async throws {
            await app.type(text)
            try await wait(for: shown)
        }
    }

    @Test("Number, code and details lead to the account, and the code of the embedded backend is a notice")
    func wholeWay() async throws {
        let fixture = await Fixture()
        try await fixture.type("010-1234-5678\n", waitingFor: "Your code is 123456")
        try await fixture.type("123456\n", waitingFor: "Your number is verified")
        #expect(!fixture.app.text.contains("Your code is"), "the message has served its purpose")
        #expect(fixture.app.text.contains("The app stores a token"), "the sign-in is kept")
        await fixture.app.type("maxdog\tsecret7\t멍멍\t2001-03-09\tmax@example.com\t")
        #expect(!fixture.app.text.contains("secret7"))
        // The gender is chosen from a list.
        await fixture.app.press(.enter)
        #expect(fixture.app.text.contains("● not specified") && fixture.app.text.contains("other"))
        await fixture.app.type("f\n")
        #expect(fixture.app.text.contains("female") && !fixture.app.text.contains("other"))
        #expect(fixture.unsavedText == ["010-1234-5678", "maxdog", "멍멍", "2001-03-09", "max@example.com"])
        #expect(await fixture.app.click(on: "Create account"))
        try await eventually { fixture.events == ["finished maxdog"] }
        let form = SignUpForm(
            id: "maxdog",
            password: "secret7",
            nickname: "멍멍",
            birth: "2001-03-09",
            email: "max@example.com",
            gender: .female
        )
        #expect(
            fixture.accountFake.takeCalls()
                == [.requestCode("010-1234-5678"), .verify("123456"), .signUp(form), .setConsent(true)]
        )
    }

    @Test("The button of each step is enabled only while its fields are valid, and the rule is shown otherwise")
    func rules() async throws {
        let fixture = await Fixture()
        await fixture.app.type("12\n")
        #expect(fixture.app.text.contains(AccountField.phone.rule(.english).prefix(30)))
        #expect(fixture.accountFake.takeCalls().isEmpty)
    }

    @Test("A wrong code and a failed server say what to do next, and the typed text stays")
    func failures() async throws {
        let fixture = await Fixture()
        fixture.accountFake.failure = .offline
        try await fixture.type("01012345678\n", waitingFor: "The server cannot be reached")
        #expect(fixture.app.text.contains("01012345678"))
        fixture.accountFake.failure = nil
        await fixture.app.press(.enter)
        try await fixture.wait(for: "The code is valid for 10:00")
        #expect(!fixture.app.text.contains("The server cannot be reached"))
        await fixture.app.type("999999")
        #expect(fixture.app.text.contains("✓"))
        await fixture.app.press(.enter)
        try await fixture.wait(for: "The code is wrong")
        #expect(AccountError.wrongCode.status == 422)
        #expect(!fixture.app.text.contains("✓"))
        await fixture.app.press(.backspace)
        await fixture.app.type("8")
        #expect(fixture.app.text.contains("✓"), "another code has not been refused")
        #expect(!fixture.app.text.contains("The code is wrong"), "it was about the code before")
        // The problem of a step is not shown in the step before it.
        await fixture.app.press(.enter)
        try await fixture.wait(for: "The code is wrong")
        await fixture.app.press(.escape)
        try await fixture.app.wait(within: .seconds(60)) { !$0.contains("The code is wrong") }
        #expect(fixture.app.text.contains("01012345678"))
    }

    @Test("In the smallest window, what is wrong with the code is visible below it")
    func smallest() async throws {
        let fixture = await Fixture(GridSize(width: 20, height: 3))
        await fixture.app.type("01012345678\n")
        try await eventually { fixture.accountFake.calls.count == 1 && fixture.manualClock.sleepers == 1 }
        fixture.snackbars.close()
        try await fixture.type("999999\n", waitingFor: "The code is wrong.")
        #expect(fixture.app.text.contains("999999") && fixture.app.caret != nil)
    }

    @Test("A text that was refused, or a code that has expired, is not marked as valid")
    func refused() {
        var input = SignUpPresenter.Input(step: .code, texts: [.code: "123456"])
        #expect(SignUpPresenter.transform(input).validity(.code) == .valid)
        input.refused = [.code: "123456"]
        #expect(SignUpPresenter.transform(input).validity(.code) == .invalid)
        input.refused = [.code: "999999", .id: "123456"]
        #expect(SignUpPresenter.transform(input).validity(.code) == .valid)
        input.isCodeExpired = true
        let output = SignUpPresenter.transform(input)
        #expect(output.validity(.code) == .invalid)
        #expect(output.invalidField == nil, "its form is valid: the rule is not shown")
        input.texts[.code] = "12"
        #expect(!SignUpPresenter.transform(input).isEnabled)
        let details = SignUpPresenter.Input(
            step: .details,
            texts: [.id: "maxdog", .password: "secret7"],
            refused: [.id: "maxdog", .password: "secret"]
        )
        #expect(SignUpPresenter.transform(details).validity(.id) == .invalid)
        #expect(SignUpPresenter.transform(details).validity(.password) == .valid)
    }

    @Test(
        "The field whose text was refused has the focus and is not marked as valid, until it is changed",
        arguments: [
            (AccountError.idTaken, "maxdog"), (.commonPassword, "secret7"), (.invalid(.email), "max@example.com"),
        ]
    )
    func refusedDetails(error: AccountError, text: String) async throws {
        let fixture = await Fixture(isVerified: true)
        fixture.accountFake.failure = error
        await fixture.app.type("maxdog\tsecret7\tMax\t2001-03-09\tmax@example.com")
        #expect(fixture.app.text.count { $0 == "✓" } == 5)
        await fixture.app.press(.enter)
        let problem = String(error.text(.english).prefix(20))
        try await fixture.wait(for: problem)
        #expect((fixture.app.application.window.firstResponder as? TextField)?.text == text)
        #expect(fixture.app.text.count { $0 == "✓" } == 4)
        await fixture.app.press(.end)
        await fixture.app.type("x")
        #expect(!fixture.app.text.contains(problem) && fixture.app.text.count { $0 == "✓" } == 5)
    }

    @Test(
        "The code's time is counted down, another code can be requested after the wait, and Back returns to the number"
    )
    func countdown() async throws {
        let fixture = await Fixture()
        try await fixture.type("01012345678\n", waitingFor: "Send again (30 s)")
        // A while after the pause of 30 seconds another code can still be requested.
        for _ in 0..<32 {
            try await eventually { fixture.manualClock.sleepers == 1 }
            fixture.manualClock.advance(by: .seconds(1))
        }
        try await fixture.wait(for: "The code is valid for 9:28")
        #expect(await fixture.app.click(on: "Send again"))
        try await eventually { fixture.accountFake.calls.count == 2 }
        try await fixture.wait(for: "The code is valid for 10:00")
        #expect(fixture.app.application.window.firstResponder is TextField, "the field of the code has the focus")
        await fixture.app.type("12")
        #expect((fixture.app.application.window.firstResponder as? TextField)?.text == "12")
        // The first countdown has ended: two of them would count twice a second.
        for left in [30, 29, 28] {
            try await fixture.wait(for: "Send again (\(left) s)")
            try await eventually { fixture.manualClock.sleepers == 1 }
            fixture.manualClock.advance(by: .seconds(1))
        }
        await fixture.app.press(.escape)
        #expect(fixture.app.text.contains("01012345678") && fixture.events.isEmpty)
        await fixture.app.press(.escape)
        #expect(fixture.events == ["cancelled"])
    }

    @Test("A launch with a verified number begins at the details; an expired verification returns to the number")
    func verified() async throws {
        let fixture = await Fixture(isVerified: true)
        #expect(fixture.app.text.contains("Your number is verified"))
        fixture.accountFake.failure = .notVerified
        await fixture.app.type("maxdog\tsecret7\tMax\t2001-03-09\tmax@example.com\n")
        try await fixture.wait(for: "Enter your telephone number")
        #expect(fixture.app.text.contains("is not verified"))
    }

    @Test("In a small window the form scrolls, and the focused field is always visible")
    func scrolls() async throws {
        let fixture = await Fixture(GridSize(width: 40, height: 10), isVerified: true)
        for text in ["maxdog\t", "secret7\t", "Max\t", "2001-03-09\t", "m@e.org"] {
            await fixture.app.type(text)
            #expect(text.hasSuffix("\t") || fixture.app.text.contains("m@e.org"))
            #expect(fixture.app.caret != nil)
        }
    }

    @Test("Every step is shown in Korean")
    func korean() async throws {
        let fixture = await Fixture(language: .korean)
        #expect(fixture.app.text.contains("인증번호를 받을 전화번호를 입력하세요."))
        try await fixture.type("01012345678\n", waitingFor: "남은 시간 10:00")
        try await fixture.type("123456\n", waitingFor: "전화번호가 인증되었습니다.")
        #expect(fixture.app.text.contains("선택 안 함"))
    }
}

@Suite("The sign-up's logic", .timeLimit(.minutes(3)))
@MainActor
struct SignUpInteractorTests {
    @MainActor
    private final class Screen: SignUpPresentable {
        weak var listener: (any SignUpPresentableListener)?
        var model = SignUpModel()
        var messages: [LocalizedText] = []

        func show(_ model: SignUpModel) { self.model = model }
        func focusFirstField() {}
        func focus(_ field: AccountField) {}
        func confirmDiscard(_ discard: @escaping @MainActor () -> Void) {}
        func show(message: LocalizedText) { messages.append(message) }
    }

    @Test("A code ends with its time, another one begins anew, and leaving the step ends the countdown")
    func code() async throws {
        let (account, clock, screen) = (FakeAccount(branch: .verification), ManualClock(), Screen())
        let interactor = SignUpInteractor(presenter: screen, account: account, clock: clock, step: .phone)
        interactor.activate()
        func enter(_ field: AccountField, _ text: String) async throws {
            interactor.didChange(field, to: text)
            interactor.didSubmit()
            try await eventually { screen.model.activity == nil }
        }
        try await enter(.phone, "01012345678")
        interactor.didChooseResend()
        #expect(screen.model.activity == nil, "it is too early")
        interactor.didChange(.code, to: "123456")
        for left in (0..<screen.model.wholeSeconds).reversed() {
            try await eventually { clock.sleepers == 1 }
            clock.advance(by: .seconds(1))
            try await eventually { screen.model.validSeconds == left }
            #expect(screen.model.input.isCodeExpired == (left == 0))
        }
        interactor.didChooseResend()
        try await eventually { screen.model.activity == nil }
        #expect(!screen.model.input.isCodeExpired && screen.model.input.text(.code).isEmpty)
        account.failure = .codeEnded
        try await enter(.code, "123456")
        #expect(screen.model.problem == AccountError.codeEnded.text && screen.model.input.refused == [.code: "123456"])
        #expect(screen.model.validSeconds == 0 && screen.model.input.isCodeExpired && screen.model.resendSeconds == 30)
        try await eventually { clock.sleepers == 1 }
        clock.advance(by: .seconds(1))
        try await eventually { screen.model.resendSeconds == 29 }
        #expect(screen.model.validSeconds == 0 && screen.model.input.isCodeExpired)
        account.failure = nil
        interactor.didChooseBack()
        try await eventually { clock.sleepers == 0 }
        try await enter(.phone, "01012345678")
        try await eventually { clock.sleepers == 1 }
        try await enter(.code, "123456")
        #expect(screen.model.step == .details)
        try await eventually { clock.sleepers == 0 }
        let (request, verify) = (FakeAccount.Call.requestCode("01012345678"), FakeAccount.Call.verify("123456"))
        #expect(account.takeCalls() == [request, request, verify, request, verify])
    }

    @Test("The times of a restored code are the clock's, each with its own end, and a verified number stays verified")
    func times() async throws {
        let (account, clock, screen) = (FakeAccount(branch: .verification), ManualClock(), Screen())
        account.pendingCode = CodeRequest(length: 6, validSeconds: 20, resendSeconds: 30)
        let interactor = SignUpInteractor(presenter: screen, account: account, clock: clock, step: .phone)
        interactor.activate()
        interactor.restore(["phone": "01012345678", "step": "code"])
        // A process that was stopped awakes once.
        for (passed, left) in [(15, (5, 15)), (8, (0, 7)), (7, (0, 0))] {
            try await eventually { clock.sleepers == 1 }
            clock.advance(by: .seconds(passed))
            try await eventually { (screen.model.validSeconds, screen.model.resendSeconds) == left }
        }
        try await eventually { clock.sleepers == 0 }
        interactor.didChange(.code, to: account.code)
        interactor.didSubmit()
        try await eventually { screen.model.step == .details }
        let next = SignUpInteractor(presenter: screen, account: account, clock: clock, step: .phone)
        next.restore(interactor.draft)
        #expect(screen.model.step == .details && screen.model.input.text(.phone) == "01012345678")
        interactor.deactivate()
    }

    @Test("A code that is still valid is not requested again for the same number, but for another one")
    func sameNumber() async throws {
        let (account, screen) = (FakeAccount(branch: .verification), Screen())
        let interactor = SignUpInteractor(presenter: screen, account: account, clock: ManualClock(), step: .phone)
        interactor.activate()
        for (phone, request) in [
            ("01012345678", FakeAccount.Call.requestCode("01012345678")), ("010-1234-5678", nil),
            ("01012345679", .requestCode("01012345679")),
        ] {
            interactor.didChange(.phone, to: phone)
            interactor.didSubmit()
            try await eventually { screen.model.step == .code && screen.model.validSeconds > 0 }
            #expect(screen.model.validSeconds == (request == nil ? 500 : 600))
            #expect(account.takeCalls() == [request].compactMap(\.self))
            account.pendingCode = CodeRequest(length: 6, validSeconds: 500, resendSeconds: 0)
            interactor.didChooseBack()
            #expect(screen.model.step == .phone)
        }
        #expect(screen.messages.count == 3, "the message with the code is shown again")
        interactor.deactivate()
    }

    @Test("The details of a user who is signed in do not say that a number is verified")
    func unverified() async throws {
        let screen = Screen()
        let account = FakeAccount(branch: .main(Profile(id: "maxdog", nickname: "Max")))
        let interactor = SignUpInteractor(presenter: screen, account: account, clock: ManualClock(), step: .details)
        interactor.activate()
        try await eventually { !screen.model.hasVerifiedNumber }
        interactor.deactivate()
    }

    @Test("Going back from the code ends its request, which does not disturb the next one")
    func back() async throws {
        let (account, screen) = (FakeAccount(branch: .verification), Screen())
        let interactor = SignUpInteractor(presenter: screen, account: account, clock: ManualClock(), step: .phone)
        interactor.activate()
        interactor.didChange(.phone, to: "01012345678")
        interactor.didSubmit()
        try await eventually { screen.model.step == .code }
        account.isHeld = true
        interactor.didChange(.code, to: "123456")
        interactor.didSubmit()
        try await eventually { account.waitingCount == 1 }
        interactor.didChooseBack()
        #expect(screen.model.activity == nil)
        interactor.didSubmit()
        try await eventually { account.cancellations == 1 && account.calls.count == 3 }
        #expect(screen.model.step == .phone && screen.model.activity == SignUpText.requesting)
        account.release()
        try await eventually { screen.model.step == .code }
        let request = FakeAccount.Call.requestCode("01012345678")
        #expect(account.takeCalls() == [request, .verify("123456"), request])
        interactor.deactivate()
    }
}
