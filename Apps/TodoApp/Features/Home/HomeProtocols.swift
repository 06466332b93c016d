import RIBs
import TodoCore

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
