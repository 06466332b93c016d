import AccountCore
import AppLanguage
import AppUI
import RIBs

/// The logic of the account: sends one change at a time, and shows its result or what to do next.
@MainActor
final class AccountInteractor: PresentableInteractor<any AccountPresentable>, AccountPresentableListener {
    weak var listener: (any AccountListener)?

    private let account: any AccountServing
    private let language: AppLanguage
    private var model: AccountModel
    private var draft: AccountDraft
    /// What was chosen last while a request was under way, to be sent after it.
    private var waiting: (@MainActor () -> Void)?

    init(
        presenter: any AccountPresentable,
        account: any AccountServing,
        profile: Profile,
        language: AppLanguage = .english
    ) {
        self.account = account
        self.language = language
        model = AccountModel(profile: profile)
        draft = AccountDraft(profile)
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        presenter.show(draft)
        presenter.show(model)
        loadQueue()
    }

    private func loadQueue() {
        let account = account
        // Nothing waits for it.
        task { [weak self] in
            do throws(AccountError) { self?.show(try await account.queueStatus()) } catch { self?.show(error) }
        }
    }

    private func show(_ status: QueueStatus) {
        // The user may have entered the queue since.
        guard isActive, model.queue == nil else { return }
        model.queue = status
        presenter.show(model)
    }

    /// Follows the session. What was typed stays while the user logs in again; another user does not see it.
    func show(_ session: AccountSession) {
        guard isActive else { return }
        guard let profile = session.profile else {
            model.isSignedIn = false
            waiting = nil
            model.message = nil
            model.problem = standingProblem
            return presenter.show(model)
        }
        guard profile.isSameAccount(as: model.profile) else {
            listener?.accountDidChangeOwner(ProfileText.otherAccount(model.profile.displayName))
            return
        }
        guard !model.isSignedIn else { return }
        draft.replace(AccountDraft(model.profile), by: AccountDraft(profile))
        model.profile = profile
        model.isSignedIn = true
        model.problem = standingProblem
        presenter.show(draft)
        presenter.show(model)
        loadQueue()
    }

    /// What is to be done before anything can be saved.
    private var standingProblem: LocalizedText? {
        draft.invalidField(of: model.profile)?.rule ?? (model.isSignedIn ? nil : AccountError.sessionEnded.text)
    }

    private func show(_ error: AccountError) {
        guard isActive, !model.isBusy, error != .cancelled else { return }
        model.problem = error.text
        presenter.show(model)
    }

    /// The changed values that are not saved, as the user sees them.
    var unsavedText: [String] {
        let saved = AccountDraft(model.profile)
        let gender = draft.gender == saved.gender ? [] : [draft.gender.name(language)]
        return [(draft.nickname, saved.nickname), (draft.birth, saved.birth), (draft.email, saved.email)]
            .filter { $0.0 != $0.1 }.map(\.0) + gender
    }

    /// The changed values and whose they are, for a start after a kill; never the push token. Empty if nothing was changed.
    var changedTexts: [String: String] {
        let saved = AccountDraft(model.profile)
        var texts: [String: String] = [:]
        if draft.nickname != saved.nickname { texts["nickname"] = draft.nickname }
        if draft.birth != saved.birth { texts["birth"] = draft.birth }
        if draft.email != saved.email { texts["email"] = draft.email }
        if draft.gender != saved.gender { texts["gender"] = draft.gender.rawValue }
        if !texts.isEmpty { texts["id"] = model.profile.id }
        return texts
    }

    /// Fills the fields with ``changedTexts``, unless they are those of another account.
    func restore(_ texts: [String: String]) {
        guard texts["id"] == model.profile.id else { return }
        draft.nickname = texts["nickname"] ?? draft.nickname
        draft.birth = texts["birth"] ?? draft.birth
        draft.email = texts["email"] ?? draft.email
        draft.gender = texts["gender"].flatMap(Profile.Gender.init(rawValue:)) ?? draft.gender
        presenter.show(draft)
        didChange(draft)
        if DiscardQuestion.isOpen(in: texts) { leave() }
    }

    func didChange(_ draft: AccountDraft) {
        self.draft = draft
        model.message = nil
        model.problem = standingProblem
        presenter.show(model)
    }

    func didChooseSave() {
        if let field = draft.invalidField(of: model.profile) {
            model.problem = field.rule
            return presenter.show(model)
        }
        let (profile, draft) = (model.profile, draft)
        run { [weak self] account throws(AccountError) in
            if draft.nickname != profile.nickname {
                self?.model.profile = try await account.changeNickname(draft.nickname).value
            }
            let change = draft.change(from: profile)
            // The nickname is saved already if this fails.
            if change != ProfileChange() { self?.model.profile = try await account.updateProfile(change).value }
        } then: { interactor, _ in
            interactor.model.message = ProfileText.accountSaved
            interactor.draft.replace(draft, by: AccountDraft(interactor.model.profile))
            interactor.presenter.show(interactor.draft)
        }
    }

    func didChoosePushToken() {
        let token = draft.pushToken
        guard !token.isEmpty else { return }
        run { account throws(AccountError) in
            try await account.updatePushToken(token)
        } then: { interactor, _ in
            interactor.model.message = ProfileText.pushTokenSaved
        }
    }

    func didChooseQueue() {
        let isQueued = model.queue?.isQueued ?? false
        run { account throws(AccountError) in
            try await account.setQueued(!isQueued)
        } then: { interactor, status in
            interactor.model.queue = status
        }
    }

    func didConfirmWithdrawal(password: String) {
        run { [weak self] account throws(AccountError) in
            do throws(AccountError) {
                try await account.withdraw(password: password)
            } catch {
                if error == .wrongPassword, let self, isActive { presenter.ask(.withdrawal, problem: error.text) }
                throw error
            }
        } then: { interactor, _ in
            interactor.listener?.accountDidWithdraw(ProfileText.withdrawn)
        }
    }

    func didChangePassword(from old: String, to new: String) {
        run { [weak self] account throws(AccountError) in
            do throws(AccountError) {
                try await account.changePassword(from: old, to: new)
            } catch {
                let isAboutPassword = [.wrongPassword, .commonPassword, .invalid(.password)].contains(error)
                if isAboutPassword, let self, isActive { presenter.ask(.password, problem: error.text) }
                throw error
            }
        } then: { interactor, _ in
            interactor.model.message = ProfileText.passwordChanged
        }
    }

    func didChooseLogin() { listener?.accountDidChooseLogin() }

    func didChooseClose() { leave() }

    /// Closes the account, after asking if anything was changed, and then calls a closure.
    func leave(then completion: @escaping @MainActor () -> Void = {}) {
        let close: @MainActor () -> Void = { [weak self] in
            self?.listener?.accountDidClose()
            completion()
        }
        if unsavedText.isEmpty { close() } else { presenter.confirmDiscard(close) }
    }

    /// Runs a request without blocking the screen, after the one under way. Closing the screen cancels it.
    private func run<Value: Sendable>(
        keepingProblem keepsProblem: Bool = false,
        _ request: @escaping @MainActor (any AccountServing) async throws(AccountError) -> Value,
        then succeed: @escaping @MainActor (AccountInteractor, Value) -> Void
    ) {
        guard model.isSignedIn else { return }
        guard !model.isBusy else {
            waiting = { [weak self] in self?.run(keepingProblem: true, request, then: succeed) }
            return
        }
        model.isBusy = true
        if !keepsProblem { model.problem = standingProblem }
        model.message = nil
        presenter.show(model)
        let account = account
        task { [weak self] in
            do throws(AccountError) {
                let value = try await request(account)
                guard let self, isActive else { return }
                model.isBusy = false
                succeed(self, value)
                presenter.show(model)
                sendWaiting()
            } catch {
                guard let self, isActive else { return }
                model.isBusy = false
                model.problem = error == .cancelled ? standingProblem : error.text
                presenter.show(model)
                sendWaiting()
            }
        }
    }

    private func sendWaiting() {
        if isActive { waiting.take()?() }
    }
}

/// The values of the fields.
struct AccountDraft: Hashable, Sendable {
    var nickname: String
    var birth: String
    var email: String
    var gender: Profile.Gender
    var pushToken: String

    /// Creates the values of a profile.
    init(_ profile: Profile, pushToken: String = "") {
        nickname = profile.nickname
        birth = profile.birth
        email = profile.email
        gender = profile.gender
        self.pushToken = pushToken
    }

    /// Returns the first changed field that breaks its rule. An empty value is an unknown one: what is known cannot become
    /// unknown, and the nickname is always known.
    func invalidField(of profile: Profile) -> AccountField? {
        if !AccountValidator.validity(of: nickname, as: .nickname).isValid { return .nickname }
        if birth != profile.birth, !AccountValidator.validity(of: birth, as: .birth).isValid { return .birth }
        return email == profile.email || AccountValidator.validity(of: email, as: .email).isValid ? nil : .email
    }

    /// Replaces the values that were sent by those that are saved; what was typed since then stays.
    mutating func replace(_ sent: AccountDraft, by saved: AccountDraft) {
        if nickname == sent.nickname { nickname = saved.nickname }
        if birth == sent.birth { birth = saved.birth }
        if email == sent.email { email = saved.email }
        if gender == sent.gender { gender = saved.gender }
    }

    /// Returns the changes of a profile besides the nickname.
    func change(from profile: Profile) -> ProfileChange {
        ProfileChange(
            birth: birth == profile.birth ? nil : birth,
            email: email == profile.email ? nil : email,
            gender: gender == profile.gender ? nil : gender
        )
    }
}

/// The values that the account shows besides its fields.
struct AccountModel: Hashable, Sendable {
    /// The profile as the server knows it.
    var profile: Profile
    /// The status of the queue; `nil` until it is known.
    var queue: QueueStatus?
    /// Whether a request is under way.
    var isBusy = false
    /// Whether the user is signed in, without which nothing can be sent.
    var isSignedIn = true
    /// What was done last.
    var message: LocalizedText?
    /// Why the last request failed, which value is invalid, or that the session has ended.
    var problem: LocalizedText?
}

/// A question over the account that is answered with a password.
enum AccountQuestion: Hashable, Sendable {
    /// Whether to delete the account.
    case withdrawal
    /// The present password and the new one.
    case password
}

/// The screen of the account, as its interactor uses it.
@MainActor
protocol AccountPresentable: Presentable {
    var listener: (any AccountPresentableListener)? { get set }

    /// Fills the fields.
    func show(_ draft: AccountDraft)

    /// Shows everything besides the fields.
    func show(_ model: AccountModel)

    /// Asks a question again, after an answer that was refused.
    func ask(_ question: AccountQuestion, problem: LocalizedText)

    /// Asks whether to discard the changed text, and calls a closure if the user agrees.
    func confirmDiscard(_ discard: @escaping @MainActor () -> Void)
}

/// The user's actions on the account.
@MainActor
protocol AccountPresentableListener: AnyObject {
    /// A field was changed.
    func didChange(_ draft: AccountDraft)

    /// The profile is to be saved.
    func didChooseSave()

    /// The push token is to be updated.
    func didChoosePushToken()

    /// The queue is to be entered or left.
    func didChooseQueue()

    /// The user has agreed to delete the account.
    func didConfirmWithdrawal(password: String)

    /// The password is to be changed.
    func didChangePassword(from old: String, to new: String)

    /// The user wants to log in again after the session has ended.
    func didChooseLogin()

    /// The screen is to be closed.
    func didChooseClose()
}
