import AccountCore
import AppUI
import PictureCore
import ProfileFeature
import RIBs
import TodoCore
import TodoFeature

/// The screen a user spends the day with: the todos, and the picture beside them.
@MainActor
final class HomeInteractor: PresentableInteractor<any HomePresentable>, HomePresentableListener {
    weak var router: (any HomeRouting)?
    weak var listener: (any HomeListener)?

    private let settings: any SettingsStoring

    init(presenter: any HomePresentable, settings: any SettingsStoring) {
        self.settings = settings
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        let settings = settings
        task { [weak self] in
            let name = await settings.settings().name
            self?.presenter.show(name: name)
        }
    }

    func didChooseProfile() {
        router?.routeToProfile()
    }

    func didChooseNextPicture() {
        router?.showNextPicture()
    }

    func didChooseUndo() {
        router?.undo()
    }

    func didChooseQuit() {
        listener?.homeDidQuit()
    }
}

extension HomeInteractor: TodoListListener {
    func todoListDidNotice(_ notice: Notice) {
        presenter.show(notice)
    }
}

extension HomeInteractor: ProfileListener {
    func profileDidClose() {
        router?.closeProfile()
    }

    func profileDidSave(_ settings: Settings) {
        router?.closeProfile()
        presenter.show(name: settings.name)
        presenter.show(Notice(kind: .information, text: "Your profile is kept"))
        router?.showNextPicture()
    }
}

/// What home needs of its parent.
@MainActor
protocol HomeDependency: Dependency {
    /// Where todos are kept.
    var todoStore: any TodoStoring { get }
    /// Where pictures come from.
    var pictureService: any PictureServing { get }
    /// Where the settings are kept.
    var settings: any SettingsStoring { get }
    /// The folder in which everything is kept.
    var dataDirectory: String { get }
    /// The program's name and version.
    var version: String { get }
    /// Tells which day it is.
    var today: @Sendable () -> Day { get }
    /// How things look.
    var appearance: Appearance { get }
}

/// What home tells its parent.
@MainActor
protocol HomeListener: AnyObject {
    /// The user leaves the app.
    func homeDidQuit()
}

/// What home's interactor asks of its router.
@MainActor
protocol HomeRouting: ViewableRouting {
    /// Opens the profile.
    func routeToProfile()

    /// Closes the profile.
    func closeProfile()

    /// Fetches another picture.
    func showNextPicture()

    /// Undoes the last change of the todos.
    func undo()
}

/// What home's interactor asks of what shows it.
@MainActor
protocol HomePresentable: Presentable {
    /// Who is told of what the user does.
    var listener: (any HomePresentableListener)? { get set }

    /// Shows a short message.
    func show(_ notice: Notice)

    /// Shows the user's name, where there is one.
    func show(name: String?)
}

/// What a user can do at home.
@MainActor
protocol HomePresentableListener: AnyObject {
    /// The profile is wanted.
    func didChooseProfile()

    /// Another picture is wanted.
    func didChooseNextPicture()

    /// The change that a notice reports is to be undone.
    func didChooseUndo()

    /// The user leaves.
    func didChooseQuit()
}

/// What home's router asks of its view controller.
@MainActor
protocol HomeViewControllable: ViewControllable {
    /// Puts the list and the picture side by side, or one above the other on a narrow screen.
    func embed(list: any ViewControllable, picture: any ViewControllable)

    /// Opens a screen of its own over home.
    func push(_ child: any ViewControllable)

    /// Closes the screen that was opened last.
    func pop(_ child: any ViewControllable)
}
