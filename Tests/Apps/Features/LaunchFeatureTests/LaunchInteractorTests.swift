import AccountCore
import AppLanguage
import AppTestSupport
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import LaunchFeature

@Suite("The launch's logic", .timeLimit(.minutes(3)))
@MainActor
struct LaunchInteractorTests {
    @MainActor
    final class Screen: LaunchPresentable {
        weak var listener: (any LaunchPresentableListener)?
        var states: [SplashState] = []

        func show(_ state: SplashState) { states.append(state) }
    }

    @MainActor
    final class Listener: LaunchListener {
        var branches: [LaunchBranch] = []
        var notices: [LocalizedText] = []
        var quits = 0

        func launchDidFinish(_ branch: LaunchBranch, notices: [LocalizedText]) {
            branches.append(branch)
            self.notices += notices
        }

        func launchDidQuit() { quits += 1 }
    }

    private let account = FakeAccount(branch: .main(nil))
    private let clock = ManualClock()
    private let screen = Screen()
    private let listener = Listener()
    private let interactor: LaunchInteractor

    init() {
        interactor = LaunchInteractor(presenter: screen, account: account, clock: clock)
        interactor.listener = listener
    }

    @Test("The version is checked before anything else, and the same version leads on")
    func current() async throws {
        interactor.activate()
        try await eventually { !listener.branches.isEmpty }
        #expect(account.takeCalls() == [.checkVersion, .restoreSession])
        #expect(screen.states == [.checkingVersion, .restoring])
        #expect(listener.branches == [.main(nil)] && listener.notices.isEmpty)
    }

    @Test("A server that requires a newer version blocks; the user can check again or quit")
    func outdated() async throws {
        let version = OutdatedVersion(
            current: "0.1.0",
            required: "2.0",
            instructions: LocalizedText("Update.", ko: "업데이트하세요.")
        )
        account.version = .outdated(version)
        interactor.activate()
        try await eventually { screen.states.last == .outdated(version) }
        #expect(listener.branches.isEmpty)
        #expect(account.takeCalls() == [.checkVersion], "the session is not restored")
        interactor.didChooseQuit()
        #expect(listener.quits == 1)
        account.version = .current
        interactor.didChooseRetry()
        interactor.didChooseRetry()
        try await eventually { !listener.branches.isEmpty }
        #expect(account.takeCalls() == [.checkVersion, .restoreSession], "the check is under way already")
    }

    @Test("An unknown version leads on with the reason as a notice")
    func unknown() async throws {
        let reason = LocalizedText("The server cannot be reached.", ko: "서버에 연결할 수 없습니다.")
        account.version = .unknown(reason)
        account.decision = LaunchDecision(.main(nil), notices: [LocalizedText(verbatim: "second")])
        interactor.activate()
        try await eventually { !listener.branches.isEmpty }
        #expect(listener.notices == [reason, LocalizedText(verbatim: "second")])
    }

    @Test("A server that does not respond is given up after the stated limits, and its requests are cancelled")
    func slow() async throws {
        account.isHeld = true
        interactor.activate()
        try await eventually { account.waitingCount == 1 && clock.sleepers == 1 }
        clock.advance(by: LaunchInteractor.versionTimeLimit)
        try await eventually { screen.states.last == .restoring && account.waitingCount == 1 && clock.sleepers == 1 }
        clock.advance(by: LaunchInteractor.sessionTimeLimit)
        try await eventually { !listener.branches.isEmpty }
        #expect(listener.branches == [.login])
        #expect(listener.notices == [LaunchText.slowVersion, LaunchText.slowSession])
        try await eventually { account.waitingCount == 0 }
    }

    @Test(
        "Every branch of the stored state reaches the parent as it is",
        arguments: [
            LaunchBranch.tutorial, .verification, .nickname, .login, .main(nil),
            .main(Profile(id: "maxdog", nickname: "Max")),
        ]
    )
    func branches(branch: LaunchBranch) async throws {
        account.decision = LaunchDecision(branch)
        interactor.activate()
        try await eventually { !listener.branches.isEmpty }
        #expect(listener.branches == [branch])
    }

    @Test("The branch is not reported to a parent that has detached the launch")
    func detached() async throws {
        account.isHeld = true
        interactor.activate()
        try await eventually { account.waitingCount == 1 }
        interactor.deactivate()
        try await eventually { account.waitingCount == 0 }
        #expect(listener.branches.isEmpty)
        #expect(account.takeCalls() == [.checkVersion])
    }
}
