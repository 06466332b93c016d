import AccountCore
import AppLanguage
import AppTestSupport
import RIBs
import TestSupport
import Testing

@testable import ProfileFeature

@Suite("The account's logic")
@MainActor
struct AccountInteractorTests {
    @MainActor
    final class Screen: AccountPresentable {
        weak var listener: (any AccountPresentableListener)?
        var drafts: [AccountDraft] = []
        var models: [AccountModel] = []
        var questions = 0
        var asked: [AccountQuestion] = []

        func show(_ draft: AccountDraft) { drafts.append(draft) }
        func show(_ model: AccountModel) { models.append(model) }
        func confirmDiscard(_ discard: @escaping @MainActor () -> Void) { questions += 1 }
        func ask(_ question: AccountQuestion, problem: LocalizedText) { asked.append(question) }
    }

    @MainActor
    final class Listener: AccountListener {
        var closed = 0
        var withdrawn: [LocalizedText] = []
        var logins = 0
        var otherOwners: [LocalizedText] = []

        func accountDidClose() { closed += 1 }
        func accountDidWithdraw(_ notice: LocalizedText) { withdrawn.append(notice) }
        func accountDidChooseLogin() { logins += 1 }
        func accountDidChangeOwner(_ notice: LocalizedText) { otherOwners.append(notice) }
    }

    private let account: FakeAccount
    private let screen = Screen()
    private let listener = Listener()
    private let interactor: AccountInteractor

    init() {
        let profile = Profile(id: "maxdog", nickname: "Max", birth: "2001-03-09")
        account = FakeAccount(branch: .main(profile))
        account.profile = profile
        interactor = AccountInteractor(presenter: screen, account: account, profile: profile)
        interactor.listener = listener
    }

    private func activate() async throws {
        interactor.activate()
        try await eventually { screen.models.last?.queue != nil && screen.models.last?.isBusy == false }
    }

    @Test("A changed nickname and a changed profile are sent to their endpoints, unchanged values to none")
    func saves() async throws {
        try await activate()
        var draft = try #require(screen.drafts.last)
        draft.nickname = "멍멍"
        draft.email = "max@example.com"
        interactor.didChange(draft)
        #expect(interactor.unsavedText == ["멍멍", "max@example.com"])
        interactor.didChooseSave()
        try await eventually { screen.models.last?.message == ProfileText.accountSaved }
        #expect(
            account.takeCalls() == [.changeNickname("멍멍"), .updateProfile(ProfileChange(email: "max@example.com"))]
        )
        #expect(interactor.unsavedText.isEmpty)
        interactor.didChange(try #require(screen.drafts.last))
        #expect(screen.models.last?.message == nil, "it was about the text before")
        interactor.didChooseClose()
        #expect(listener.closed == 1 && screen.questions == 0)
    }

    @Test("What is saved before a failure counts as saved, and what is typed during a save stays")
    func partlySaved() async throws {
        try await activate()
        var draft = try #require(screen.drafts.last)
        (draft.nickname, draft.email) = ("멍멍", "max@example.com")
        interactor.didChange(draft)
        account.isHeld = true
        interactor.didChooseSave()
        try await eventually { account.waitingCount == 1 }
        account.release()
        account.isHeld = true
        try await eventually { account.calls.count == 2 && account.waitingCount == 1 }
        account.failure = .offline
        account.release()
        try await eventually { screen.models.last?.problem == AccountError.offline.text }
        #expect(interactor.unsavedText == ["max@example.com"])
        (account.failure, account.isHeld) = (nil, true)
        draft.nickname = "Max"
        interactor.didChange(draft)
        interactor.didChooseSave()
        try await eventually { account.waitingCount == 1 }
        draft.birth = "2001-03-10"
        interactor.didChange(draft)
        account.release()
        try await eventually { screen.models.last?.message == ProfileText.accountSaved }
        let update = FakeAccount.Call.updateProfile(ProfileChange(email: "max@example.com"))
        #expect(account.takeCalls() == [.changeNickname("멍멍"), update, .changeNickname("Max"), update])
        #expect(screen.drafts.last == draft && interactor.unsavedText == ["2001-03-10"])
    }

    @Test("The push token is updated, and the queue is entered and left with its status")
    func pushTokenAndQueue() async throws {
        try await activate()
        var draft = try #require(screen.drafts.last)
        // Without a token nothing is sent.
        interactor.didChoosePushToken()
        draft.pushToken = "token-1"
        interactor.didChange(draft)
        interactor.didChoosePushToken()
        try await eventually { screen.models.last?.message == ProfileText.pushTokenSaved }
        interactor.didChooseQueue()
        #expect(screen.models.last?.isBusy == true && screen.models.last?.message == nil)
        try await eventually { screen.models.last?.queue?.position == 3 }
        interactor.didChooseQueue()
        try await eventually { screen.models.last?.queue?.isQueued == false }
        #expect(account.takeCalls() == [.updatePushToken("token-1"), .setQueued(true), .setQueued(false)])
    }

    @Test("A typed push token that is not sent yet stays in its field when the profile is saved")
    func typedPushToken() async throws {
        try await activate()
        var draft = try #require(screen.drafts.last)
        draft.pushToken = "token-1"
        draft.nickname = "멍멍"
        interactor.didChange(draft)
        interactor.didChooseSave()
        try await eventually { screen.models.last?.message == ProfileText.accountSaved }
        #expect(screen.drafts.last?.nickname == "멍멍" && screen.drafts.last?.pushToken == "token-1")
        interactor.didChoosePushToken()
        try await eventually { screen.models.last?.message == ProfileText.pushTokenSaved }
        #expect(account.takeCalls() == [.changeNickname("멍멍"), .updatePushToken("token-1")])
    }

    @Test("A withdrawal sends the password and reports that the todos stay; a wrong password changes nothing")
    func withdraws() async throws {
        try await activate()
        account.failure = .wrongCredentials
        interactor.didConfirmWithdrawal(password: "wrong1")
        try await eventually { screen.models.last?.problem == AccountError.wrongCredentials.text }
        #expect(listener.withdrawn.isEmpty)
        account.failure = nil
        interactor.didConfirmWithdrawal(password: "secret")
        try await eventually { !listener.withdrawn.isEmpty }
        #expect(listener.withdrawn == [ProfileText.withdrawn])
        #expect(account.takeCalls() == [.withdraw("wrong1"), .withdraw("secret")])
    }

    @Test("A refused password is asked for again, and a changed one is reported")
    func passwords() async throws {
        try await activate()
        account.failure = .wrongPassword
        interactor.didConfirmWithdrawal(password: "wrong1")
        try await eventually { screen.asked == [.withdrawal] }
        let failures: [(AccountError, Bool)] = [
            (.wrongPassword, true), (.commonPassword, true), (.invalid(.password), true), (.offline, false),
        ]
        for (failure, isAsked) in failures {
            screen.asked = []
            account.failure = failure
            interactor.didChangePassword(from: "secret", to: "secret7")
            try await eventually { screen.models.last?.problem == failure.text }
            #expect(screen.asked == (isAsked ? [.password] : []))
        }
        account.failure = nil
        interactor.didChangePassword(from: "secret", to: "secret7")
        try await eventually { screen.models.last?.message == ProfileText.passwordChanged }
        let change = FakeAccount.Call.changePassword("secret", "secret7")
        #expect(account.takeCalls() == [.withdraw("wrong1")] + Array(repeating: change, count: 5))
    }

    @Test("Without a session nothing is sent; the same user continues with the typed text, another one does not see it")
    func endedSession() async throws {
        try await activate()
        var draft = try #require(screen.drafts.last)
        draft.nickname = "멍멍"
        interactor.didChange(draft)
        interactor.show(.signedOut)
        #expect(screen.models.last?.isSignedIn == false)
        #expect(screen.models.last?.problem == AccountError.sessionEnded.text)
        interactor.didChooseSave()
        interactor.didChooseQueue()
        interactor.didConfirmWithdrawal(password: "secret")
        interactor.didChooseLogin()
        #expect(screen.models.last?.isBusy == false && listener.logins == 1)
        // The address was changed elsewhere.
        account.profile.email = "max@example.com"
        interactor.show(.signedIn(account.profile))
        #expect(screen.models.last?.isSignedIn == true && screen.models.last?.problem == nil)
        #expect(screen.drafts.last?.nickname == "멍멍" && screen.drafts.last?.email == "max@example.com")
        #expect(account.takeCalls().isEmpty && listener.otherOwners.isEmpty)
        for other in [Profile(id: "minji26", nickname: "Max"), Profile(id: "", nickname: "Max", provider: "Google")] {
            interactor.show(.signedIn(other))
            #expect(listener.otherOwners.last == ProfileText.otherAccount("Max"))
        }
        #expect(listener.otherOwners.count == 2)
    }

    @Test("An invalid value is explained by the rule of its field, and nothing is sent")
    func invalid() async throws {
        try await activate()
        var draft = try #require(screen.drafts.last)
        draft.gender = .other
        interactor.didChange(draft)
        #expect(screen.models.last?.problem == nil, "the address is unknown, as it was before")
        #expect(interactor.unsavedText == ["other"])
        interactor.didChooseClose()
        #expect(screen.questions == 1 && listener.closed == 0)
        for birth in ["", "2001-13-09"] {
            draft.birth = birth
            interactor.didChange(draft)
            #expect(screen.models.last?.problem == AccountField.birth.rule)
        }
        interactor.didChooseSave()
        #expect(account.takeCalls().isEmpty)
        interactor.didChooseQueue()
        try await eventually { screen.models.last?.queue?.position == 3 }
        #expect(screen.models.last?.problem == AccountField.birth.rule, "the value is still invalid")
        #expect(account.takeCalls() == [.setQueued(true)])
        interactor.didChooseClose()
        #expect(screen.questions == 2 && listener.closed == 0)
    }

    @Test("What is chosen while a request is under way follows it, and nothing waits for the first status")
    func waiting() async throws {
        account.isQueueHeld = true
        interactor.activate()
        try await eventually { account.waitingCount == 1 }
        interactor.didChooseQueue()
        try await eventually { screen.models.last?.queue?.position == 3 }
        account.isHeld = true
        var draft = try #require(screen.drafts.last)
        draft.nickname = "멍멍"
        interactor.didChange(draft)
        interactor.didChooseSave()
        try await eventually { account.waitingCount == 2 }
        interactor.didConfirmWithdrawal(password: "wrong1")
        account.failure = .wrongPassword
        account.release()
        let all: [FakeAccount.Call] = [.setQueued(true), .changeNickname("멍멍"), .withdraw("wrong1")]
        try await eventually { account.calls == all && screen.models.last?.isBusy == false }
        #expect(screen.models.last?.queue?.position == 3 && account.takeCalls() == all)
    }
}
