import AccountCore
import AppLanguage
import AppTestSupport
import AppUI
import LocalProvider
import RIBs
import TestSupport
import Testing
import TodoCore
import TodoSync

@testable import ProfileFeature

@Suite("The profile's logic")
@MainActor
struct ProfileInteractorTests {
    enum Call: Equatable {
        case close
        case login
        case logout
        case signUp
        case ended(LocalizedText)
        case save(Settings)
    }

    @MainActor
    final class Listener: ProfileListener {
        let calls: CallJournal<Call> = journal()

        func profileDidClose() { calls.record(.close) }
        func profileDidChooseLogin() { calls.record(.login) }
        func profileDidChooseLogout() { calls.record(.logout) }
        func profileDidChooseSignUp() { calls.record(.signUp) }
        func profileDidEndSession(_ notice: LocalizedText) { calls.record(.ended(notice)) }
        func profileDidSave(_ settings: Settings) { calls.record(.save(settings)) }
    }

    /// Lends the profile what it needs.
    @MainActor
    private final class Fixture {
        let services: ProfileServices
        let presenter = ProfilePresenterDouble()
        let listener = Listener()
        let interactor: ProfileInteractor

        init(_ todos: [String] = [], _ settings: Settings = Settings()) throws {
            services = try ProfileServices(todos: todos, settings: settings)
            interactor = ProfileInteractor(presenter: presenter, dependency: services)
            interactor.listener = listener
        }
    }

    @Test("It shows the settings, the numbers of todos, where they are synced, and the folder")
    func shows() async throws {
        let profile = try Fixture(["a", "b", "c", "d"], Settings(name: "지수", favouriteBreed: "pug"))
        profile.services.store.changeOutside { todos in
            todos[0].completed = .sample
            todos[1].completed = .sample
            todos[1].isArchived = true
        }
        profile.interactor.activate()
        try await eventually { profile.presenter.models.count == 2 }
        #expect(profile.presenter.models.first?.counts == nil, "unknown numbers are not shown as 0")
        let model = try #require(profile.presenter.models.last)
        #expect(model.settings == Settings(name: "지수", favouriteBreed: "pug"))
        #expect(model.counts == ProfileModel.Counts(open: 2, done: 1, archived: 1))
        #expect(model.dataDirectory == "/data/dog")
        #expect(model.version == "Dog 0.1.0")
        #expect(model.problem == nil && model.syncAccount == nil)
        let account = SyncState.Account(address: "https://a.test", user: "dog", lists: [])
        profile.services.syncFake.state.account = account
        try await eventually { profile.presenter.models.last?.syncAccount == account }
    }

    @Test("Typed settings are saved and reported, blank ones as missing")
    func saves() async throws {
        let profile = try Fixture([], Settings(name: "old", favouriteBreed: "pug"))
        profile.interactor.activate()
        profile.interactor.didChooseSave(name: " 지수 ", breed: "  ")
        try await profile.listener.calls.expectNext(.close, .save(Settings(name: "지수", favouriteBreed: nil)))
        #expect(profile.services.kept.saved == [Settings(name: "지수", favouriteBreed: nil)])
        // A save that ends late does not close the next profile.
        profile.interactor.didChooseSave(name: "민지", breed: "")
        profile.interactor.deactivate()
        try await profile.listener.calls.expectNext(.save(Settings(name: "민지")))
        profile.listener.calls.finish()
    }

    @Test("The nickname that is shown without a name is not stored as one, and another text is")
    func nickname() async throws {
        for (old, typed, saved) in [
            (nil, "Max", nil), (nil, "Maxie", "Maxie"), ("Moritz", "Max", "Max"),
        ] as [(String?, String, String?)] {
            let profile = try Fixture([], Settings(name: old))
            profile.services.accountFake.profile = Profile(id: "maxdog", nickname: "Max")
            _ = try await profile.services.accountFake.login(id: "maxdog", password: "secret")
            profile.interactor.activate()
            try await eventually {
                let model = profile.presenter.models.last
                return model?.session.profile?.nickname == "Max" && model?.settings.name == old && model?.counts != nil
            }
            profile.interactor.didChooseSave(name: typed, breed: "")
            try await profile.listener.calls.expectNext(.close, .save(Settings(name: saved, favouriteBreed: nil)))
        }
    }

    @Test("Settings that cannot be saved are reported, and the typed text stays")
    func notKept() async throws {
        let profile = try Fixture()
        profile.interactor.activate()
        try await eventually { profile.presenter.models.count == 2 }
        let failure = LocalError.notPermitted(path: "/data", errno: 13)
        profile.services.kept.failure = failure
        profile.interactor.didChooseSave(name: "지수", breed: "")
        try await eventually { profile.presenter.models.count > 2 || !profile.presenter.problems.isEmpty }
        #expect(profile.presenter.problems == ["not saved: \(failure)"])
        // Showing the model again would put the old name over the typed one.
        #expect(profile.presenter.models.count == 2)
        // Without a text, the report has the reason alone.
        profile.interactor.didChooseSave(name: "", breed: "")
        #expect(await profile.services.pendingChanges.finish() == ["save the profile: \(failure)"])
        profile.listener.calls.finish()
    }

    @Test("Todos that cannot be counted are reported, and the settings are shown")
    func uncounted() async throws {
        let profile = try Fixture(["a"], Settings(name: "지수"))
        profile.services.store.failure = .storage(.locked(path: "/data"))
        profile.interactor.activate()
        try await eventually { profile.presenter.models.count == 2 }
        #expect(profile.presenter.models.last?.settings.name == "지수")
        #expect(profile.presenter.models.last?.counts == nil)
        #expect(profile.presenter.models.last?.problem?.isEmpty == false)
    }

    @Test("Settings that cannot be decoded are replaced only after a second Save")
    func unreadable() async throws {
        let profile = try Fixture()
        let failure = LocalError.undecodable(identifier: "settings", path: "/data", detail: "x")
        profile.services.kept.readFailure = failure
        profile.interactor.activate()
        try await eventually { profile.presenter.models.count == 2 }
        #expect(profile.presenter.models.last?.problem == "\(failure)")
        profile.interactor.didChooseSave(name: "지수", breed: "")
        #expect(profile.presenter.problems.first?.contains("press Save again") == true)
        #expect(profile.services.kept.saved.isEmpty)
        profile.interactor.didChooseSave(name: "지수", breed: "")
        try await profile.listener.calls.expectNext(.close, .save(Settings(name: "지수")))
    }

    @Test("Going back asks if text was changed")
    func discards() async throws {
        let profile = try Fixture([], Settings(name: "지수"))
        profile.interactor.activate()
        try await eventually { profile.presenter.models.count == 2 }
        profile.interactor.didChange(name: "지수", breed: "")
        #expect(profile.interactor.unsavedText.isEmpty)
        profile.interactor.didChange(name: "민지", breed: "")
        #expect(profile.interactor.unsavedText == ["민지"])
        profile.interactor.didChooseClose()
        #expect(profile.presenter.questions.count == 1)
        #expect(profile.listener.calls.unasserted.isEmpty)
        profile.presenter.questions[0]()
        profile.listener.calls.expect(.close)
    }

    @Test("The session decides between login and logout, and a login is shown at once")
    func session() async throws {
        let profile = try Fixture()
        profile.interactor.activate()
        try await eventually { profile.presenter.models.count == 2 }
        #expect(profile.presenter.models.last?.session == .signedOut)
        profile.interactor.didChooseLogin()
        profile.listener.calls.expect(.login)
        _ = try await profile.services.accountFake.login(id: "maxdog", password: "secret")
        try await eventually { profile.presenter.models.last?.session.profile?.nickname == "Max" }
        profile.interactor.didChooseLogout()
        profile.listener.calls.expect(.logout)
        profile.interactor.accountDidWithdraw(ProfileText.withdrawn)
        profile.listener.calls.expect(.ended(ProfileText.withdrawn))
        profile.listener.calls.finish()
    }

    @Test("Going back is reported and saves nothing")
    func closes() throws {
        let profile = try Fixture()
        profile.interactor.activate()
        profile.interactor.didChooseClose()
        profile.listener.calls.expect(.close)
        #expect(profile.services.kept.saved.isEmpty)
    }
}

/// The dependencies of the profile, as fakes.
@MainActor
final class ProfileServices: ProfileDependency {
    let store: FakeTodoStore
    let kept: FakeSettings
    let syncFake = FakeSync()
    let accountFake = FakeAccount(branch: .login)
    let pendingChanges = PendingChanges()
    let dataDirectory = "/data/dog"
    let version = "Dog 0.1.0"
    let appearance = Appearance.dog()

    init(todos: [String], settings: Settings) throws {
        store = try FakeTodoStore(todos)
        kept = FakeSettings(settings)
    }

    var account: any AccountServing { accountFake }
    var todoStore: any TodoStoring { store }
    var sync: any SyncServing { syncFake }
    var settings: any SettingsStoring { kept }
}

/// Stands where the profile's screen would.
@MainActor
final class ProfilePresenterDouble: ProfilePresentable {
    weak var listener: (any ProfilePresentableListener)?
    private(set) var models: [ProfileModel] = []
    private(set) var problems: [String] = []
    private(set) var questions: [@MainActor () -> Void] = []
    private(set) var restored: [String] = []

    func show(_ model: ProfileModel) { models.append(model) }
    func show(problem: LocalizedText) { problems.append(problem(.english)) }
    func restore(name: String, breed: String) { restored.append(name + "/" + breed) }
    func confirmDiscard(_ discard: @escaping @MainActor () -> Void) { questions.append(discard) }
}
