import AccountCore
import AppLanguage
import RIBs
import TerminalUI
import TodoCore
import TodoFeature
import TutorialFeature

/// The content of the two drawers.
struct RootMenus: Hashable, Sendable {
    /// The items of the menu; none while the branch is not known.
    var items: [RootMenuItem] = []
    /// The views, the saved queries and the lists of the todos, below the screens.
    var lists: [TodoListEntry] = []
    /// The session, for the settings.
    var session = AccountSession.signedOut
    /// Whether the user has consented to automatic login.
    var hasConsent = false
    /// The choices of the user.
    var preferences = Preferences()
    /// The views with which the screen can start.
    var views = TodoView.builtIn
    /// The folders of the todos and of the settings.
    var folders: [String] = []

    /// Whether the panels have the same elements, which then need not be built anew: a panel would lose its focus, and a click
    /// whose button is pressed at that moment.
    func hasSameElements(as other: RootMenus) -> Bool {
        (items, session, views) == (other.items, other.session, other.views)
    }
}

/// What the root can show over every screen, by its name in the stored place.
///
/// The question whether to quit is not among them: it belongs to a process that has ended, and its text is restored.
enum RootPanel: String, Hashable, Sendable {
    /// The menu at the left.
    case menu
    /// The settings at the right.
    case settings
    /// The list of the keys.
    case keys
}

/// The view controller of the root, as its router uses it.
@MainActor
protocol RootViewControllable: TutorialRootViewControllable {
    /// The panel over the screen, if one is open.
    var openPanel: RootPanel? { get }

    /// Opens a panel over the screen.
    func open(_ panel: RootPanel)

    /// Shows all keys of what is presented over the screen, if the key is the one for them.
    func showKeys(for key: Key) -> Bool

    /// Fills the screen with a child's view, in place of all others.
    func show(_ child: any ViewControllable)

    /// Opens a child's view over the current one.
    func push(_ child: any ViewControllable)

    /// Closes a child's view that was opened by ``push(_:)``.
    func pop(_ child: any ViewControllable)
}

/// The screen of the root, as its interactor uses it.
@MainActor
protocol RootPresentable: Presentable {
    var listener: (any RootPresentableListener)? { get set }

    /// Shows the content of the drawers.
    func show(_ menus: RootMenus)

    /// Shows a short message in place of the visible one.
    func show(notice: LocalizedText)

    /// Shows the messages of the launch, one after the other.
    func show(launchNotices notices: [LocalizedText])

    /// Shows problems, each until the user closes it or another message replaces it.
    func show(problems: [LocalizedText])

    /// Shows all keys of the screen.
    func showKeys()

    /// Asks whether to quit although text is not saved.
    func confirmQuit(unsaved text: [String])
}

/// The user's actions on the root.
@MainActor
protocol RootPresentableListener: AnyObject {
    /// The app is to end.
    func didConfirmQuit()

    /// The app is to continue.
    func didDeclineQuit()

    /// An item of the menu was chosen.
    func didChoose(_ item: RootMenuItem)

    /// The menu has opened.
    func didOpenMenu()

    /// A list of the menu was chosen.
    func didChoose(list id: String)

    /// A frame was drawn, so that something on the screen may have changed.
    func screenDidChange()

    /// The consent to automatic login was given or withdrawn.
    func didChangeConsent(_ isGiven: Bool)

    /// The settings were changed.
    func didChange(_ preferences: Preferences)

    /// The colours of a palette are to be shown before it is chosen; `nil` for the chosen ones.
    func didPreview(_ palette: Preferences.Palette?)

    /// The key of an action was changed; `nil` for the default ones. Returns what went wrong, if anything did.
    func didChange(_ keys: [Key]?, of action: KeyAction) -> LocalizedText?

    /// The panel in which keys were changed has closed.
    func didFinishKeys()
}
