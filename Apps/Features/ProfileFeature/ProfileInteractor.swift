package import AccountCore
package import AppUI
package import RIBs
package import TodoCore

/// Shows who uses the app, how much is done and where it is kept; keeps what the user sets.
@MainActor
final class ProfileInteractor: PresentableInteractor<any ProfilePresentable>, ProfilePresentableListener {
    weak var listener: (any ProfileListener)?

    private let store: any TodoStoring
    private let settings: any SettingsStoring
    private var model = ProfileModel()

    init(presenter: any ProfilePresentable, dependency: any ProfileDependency) {
        store = dependency.todoStore
        settings = dependency.settings
        model.dataDirectory = dependency.dataDirectory
        model.version = dependency.version
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        task { [weak self] in await self?.load() }
    }

    func didChooseSave(name: String, breed: String) {
        let kept = Settings(
            name: name.isBlank ? nil : name.trimmed,
            favouriteBreed: breed.isBlank ? nil : breed.trimmed
        )
        let settings = settings
        task { [weak self] in
            do {
                try await settings.save(kept)
                self?.listener?.profileDidSave(kept)
            } catch {
                self?.presenter.show(problem: "\(error)")
            }
        }
    }

    func didChooseClose() {
        listener?.profileDidClose()
    }

    private func load() async {
        model.settings = await settings.settings()
        do {
            let todos = try await store.todos()
            model.archivedCount = todos.count(where: \.isArchived)
            model.openCount = todos.count { !$0.isDone && !$0.isArchived }
            model.doneCount = todos.count { $0.isDone && !$0.isArchived }
        } catch {
            model.problem = "\(error)"
        }
        if isActive { presenter.show(model) }
    }
}

/// What the profile tells its parent.
@MainActor
package protocol ProfileListener: AnyObject {
    /// The user goes back.
    func profileDidClose()

    /// Settings were kept.
    func profileDidSave(_ settings: Settings)
}

/// What the profile's interactor asks of what shows it.
@MainActor
protocol ProfilePresentable: Presentable {
    /// Who is told of what the user does.
    var listener: (any ProfilePresentableListener)? { get set }

    /// Shows the profile as it is kept.
    func show(_ model: ProfileModel)

    /// Says why the settings were not kept; what was typed stays.
    func show(problem: String)
}

/// What a user can do with the profile.
@MainActor
protocol ProfilePresentableListener: AnyObject {
    /// The settings are to be kept as they were typed.
    func didChooseSave(name: String, breed: String)

    /// The profile is to be closed.
    func didChooseClose()
}

/// What the profile needs of its parent.
@MainActor
package protocol ProfileDependency: Dependency {
    /// Where todos are kept.
    var todoStore: any TodoStoring { get }
    /// Where the settings are kept.
    var settings: any SettingsStoring { get }
    /// The folder in which everything is kept.
    var dataDirectory: String { get }
    /// The program's name and version.
    var version: String { get }
    /// How things look.
    var appearance: Appearance { get }
}

/// What the profile shows.
struct ProfileModel: Hashable, Sendable {
    /// What the user has set.
    var settings = Settings()
    /// How many todos are open.
    var openCount = 0
    /// How many are completed and not put away.
    var doneCount = 0
    /// How many have been put away.
    var archivedCount = 0
    /// Where everything is kept.
    var dataDirectory = ""
    /// The program's name and version.
    var version = ""
    /// What could not be read or kept; `nil` where all is well.
    var problem: String?
}

/// Makes the profile's RIB.
@MainActor
package final class ProfileBuilder: Builder<any ProfileDependency> {
    /// Makes the RIB.
    package func build(withListener listener: any ProfileListener) -> any ViewableRouting {
        let viewController = ProfileViewController(appearance: dependency.appearance)
        let interactor = ProfileInteractor(presenter: viewController, dependency: dependency)
        interactor.listener = listener
        return ViewableRouter(interactor: interactor, viewController: viewController)
    }
}
