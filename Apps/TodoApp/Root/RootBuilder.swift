import AccountCore
import AppLanguage
import AppUI
import LaunchFeature
import LoginFeature
import PictureCore
import RIBs
import SignUpFeature
import TodoCore
import TutorialFeature

/// The services that the screens of the app use.
@MainActor
protocol AppDependency: Dependency {
    /// The account: launch, session, sign-up and profile.
    var account: any AccountServing { get }
    /// The store of the todos.
    var todoStore: any TodoStoring { get }
    /// The source of the pictures.
    var pictureService: any PictureServing { get }
    /// The favourite pictures.
    var favourites: any FavouriteStoring { get }
    /// The store of the settings.
    var settings: any SettingsStoring { get }
    /// The changes that are not saved yet.
    var pendingChanges: PendingChanges { get }
    /// The clock of delays.
    var clock: any Clock<Duration> { get }
    /// The folder of all files.
    var dataDirectory: String { get }
    /// The program's name and version.
    var version: String { get }
    /// The store of the router tree, for a start after a kill.
    var screenState: any ScreenStateStoring { get }
    /// Returns the current day.
    var today: @Sendable () -> Day { get }
    /// Returns the current time of day; `nil` to compare days alone.
    var time: @Sendable () -> TimeOfDay? { get }
    /// The look of the screen.
    var appearance: Appearance { get }
    /// The keys.
    var keyMap: KeyMap { get }
    /// What is wrong with the file of the colours.
    var themeProblems: [LocalizedText] { get }
}

extension AppDependency {
    /// No time: a todo is overdue when its day is over.
    var time: @Sendable () -> TimeOfDay? { { nil } }
    /// The default keys.
    var keyMap: KeyMap { .standard }

    /// Nothing.
    var themeProblems: [LocalizedText] { [] }
}

/// The dependencies that the root creates: those of every feature that it attaches.
@MainActor
final class RootComponent: Component<any AppDependency>, AppDependency, LaunchDependency, TutorialDependency,
    LoginDependency, SignUpDependency
{
    private let rootViewController: any TutorialRootViewControllable

    init(dependency: any AppDependency, rootViewController: any TutorialRootViewControllable) {
        self.rootViewController = rootViewController
        super.init(dependency: dependency)
    }

    var account: any AccountServing { dependency.account }
    var todoStore: any TodoStoring { dependency.todoStore }
    var pictureService: any PictureServing { dependency.pictureService }
    var favourites: any FavouriteStoring { dependency.favourites }
    var settings: any SettingsStoring { dependency.settings }
    var pendingChanges: PendingChanges { dependency.pendingChanges }
    var clock: any Clock<Duration> { dependency.clock }
    var dataDirectory: String { dependency.dataDirectory }
    var version: String { dependency.version }
    var screenState: any ScreenStateStoring { dependency.screenState }
    var today: @Sendable () -> Day { dependency.today }
    var time: @Sendable () -> TimeOfDay? { dependency.time }
    var appearance: Appearance { dependency.appearance }
    var keyMap: KeyMap { dependency.keyMap }
    var tutorialRootViewController: any TutorialRootViewControllable { rootViewController }
}

/// Creates the root of the app's tree.
@MainActor
final class RootBuilder: Builder<any AppDependency> {
    /// Creates the RIB.
    ///
    /// - Parameter quit: called with the exit code when the app is to end.
    /// - Returns: the root, to be launched in a window.
    func build(quit: @escaping @MainActor (Int32) -> Void) -> any RootRouting {
        let viewController = RootViewController(appearance: dependency.appearance, keyMap: dependency.keyMap)
        let component = RootComponent(dependency: dependency, rootViewController: viewController)
        let interactor = RootInteractor(
            presenter: viewController,
            account: dependency.account,
            screenState: ScreenStateWorker(store: dependency.screenState, clock: dependency.clock),
            themeProblems: dependency.themeProblems,
            quit: quit
        )
        let router = RootRouter(
            interactor: interactor,
            viewController: viewController,
            builders: RootRouter.Builders(component)
        )
        interactor.router = router
        return router
    }
}
