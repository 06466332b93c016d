import LocalProvider
import RIBs
import TodoCore

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
        model.version = "\(dependency.appearance.title) \(Program.version)"
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
