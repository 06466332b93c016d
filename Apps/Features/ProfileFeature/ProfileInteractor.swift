import AccountCore
import AppUI
import LocalProvider
import RIBs
import TodoCore

/// The logic of the profile: shows the user's settings and the number of todos, and saves changed settings.
@MainActor
final class ProfileInteractor: PresentableInteractor<any ProfilePresentable>, ProfilePresentableListener {
    weak var listener: (any ProfileListener)?

    private let store: any TodoStoring
    private let settings: any SettingsStoring
    private let pending: PendingChanges
    private var model = ProfileModel()
    /// The text in the fields, once the user has changed it.
    private var typed: Settings?
    private var isSaving = false
    /// Whether the saved settings cannot be decoded, and saving has to ask before it replaces them.
    private var mustConfirmReplacing = false

    init(presenter: any ProfilePresentable, dependency: any ProfileDependency) {
        store = dependency.todoStore
        settings = dependency.settings
        pending = dependency.pendingChanges
        model.dataDirectory = dependency.dataDirectory
        model.version = dependency.version
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        presenter.show(model)
        task { [weak self] in await self?.load() }
    }

    /// The changed text that is not saved.
    var unsavedText: [String] {
        guard let typed, typed != model.settings else { return [] }
        return [typed.name, typed.favouriteBreed].compactMap(\.self)
    }

    func didChange(name: String, breed: String) {
        typed = Self.settings(name: name, breed: breed)
    }

    func didChooseSave(name: String, breed: String) {
        guard !isSaving else { return }
        guard !mustConfirmReplacing else {
            mustConfirmReplacing = false
            return presenter.show(problem: "the saved settings cannot be read; press Save again to replace them")
        }
        let new = Self.settings(name: name, breed: breed)
        typed = new
        isSaving = true
        pending.perform("save the profile") { [self] in
            defer { isSaving = false }
            do {
                try await settings.save(new)
                listener?.profileDidSave(new)
                return .done
            } catch {
                presenter.show(problem: "not saved: \(error)")
                return .failed("\(error)")
            }
        }
    }

    func didChooseClose() {
        let isChanged = typed.map { $0 != model.settings } ?? false
        if isChanged { presenter.confirmDiscard() } else { listener?.profileDidClose() }
    }

    func didConfirmDiscard() {
        listener?.profileDidClose()
    }

    private func load() async {
        var problems: [String] = []
        do {
            model.settings = try await settings.settings()
        } catch {
            if case LocalError.undecodable = error { mustConfirmReplacing = true }
            problems.append("\(error)")
        }
        do {
            let todos = try await store.todos()
            model.counts = ProfileModel.Counts(
                open: todos.count { !$0.isDone && !$0.isArchived },
                done: todos.count { $0.isDone && !$0.isArchived },
                archived: todos.count(where: \.isArchived)
            )
        } catch {
            problems.append("\(error)")
        }
        model.problem = problems.isEmpty ? nil : problems.joined(separator: "; ")
        if isActive { presenter.show(model) }
    }

    private static func settings(name: String, breed: String) -> Settings {
        Settings(name: name.isBlank ? nil : name.trimmed, favouriteBreed: breed.isBlank ? nil : breed.trimmed)
    }
}

/// The router of the profile, which has no children.
@MainActor
final class ProfileRouter: ViewableRouter<ProfileInteractor, ProfileViewController>, ProfileRouting {
    var unsavedText: [String] { interactor.unsavedText }
}

// MARK: - Protocols

/// The values that the profile shows.
struct ProfileModel: Hashable, Sendable {
    /// The numbers of todos.
    struct Counts: Hashable, Sendable {
        var open: Int
        var done: Int
        var archived: Int
    }

    /// The saved settings.
    var settings = Settings()
    /// The numbers of todos; `nil` until they are known.
    var counts: Counts?
    /// The folder of all files.
    var dataDirectory = ""
    /// The program's name and version.
    var version = ""
    /// What could not be read; `nil` if everything could.
    var problem: String?
}

/// The screen of the profile, as its interactor uses it.
@MainActor
protocol ProfilePresentable: Presentable {
    var listener: (any ProfilePresentableListener)? { get set }

    /// Shows the saved values, except in fields that the user has changed.
    func show(_ model: ProfileModel)

    /// Shows why the settings were not saved. The fields stay as they are.
    func show(problem: String)

    /// Asks whether to discard the changed text.
    func confirmDiscard()
}

/// The user's actions on the profile.
@MainActor
protocol ProfilePresentableListener: AnyObject {
    /// A field was changed.
    func didChange(name: String, breed: String)

    /// The settings are to be saved.
    func didChooseSave(name: String, breed: String)

    /// The profile is to be closed.
    func didChooseClose()

    /// The user has agreed to discard the changed text.
    func didConfirmDiscard()
}
