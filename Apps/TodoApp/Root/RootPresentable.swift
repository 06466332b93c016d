import AccountCore
import AppLanguage
import RIBs
import TutorialFeature

/// An item of the menu at the left.
enum RootMenuItem: Hashable, Sendable, CaseIterable {
    case todos, favourites, profile, logIn, logOut, signUp, guest, keys, quit

    /// The title of the item.
    var title: LocalizedText {
        switch self {
        case .todos: LocalizedText("Todos", ko: "할 일")
        case .favourites: LocalizedText("Favourites", ko: "즐겨찾기")
        case .profile: LocalizedText("Profile", ko: "프로필")
        case .logIn: LocalizedText("Log in", ko: "로그인")
        case .logOut: LocalizedText("Log out", ko: "로그아웃")
        case .signUp: LocalizedText("Sign up", ko: "회원가입")
        case .guest: LocalizedText("Continue as a guest", ko: "손님으로 계속")
        case .keys: LocalizedText("Keys", ko: "단축키")
        case .quit: LocalizedText("Quit", ko: "끝내기")
        }
    }
}

extension RootMenuItem {
    /// What an item of the menu is about. A line separates the groups.
    enum Group: Hashable, Sendable { case screens, session, app }

    /// The group of the item.
    var group: Group {
        switch self {
        case .todos, .favourites, .profile: .screens
        case .logIn, .logOut, .signUp, .guest: .session
        case .keys, .quit: .app
        }
    }
}

/// The content of the two drawers.
struct RootMenus: Hashable, Sendable {
    /// The items of the menu; none while the branch is not known.
    var items: [RootMenuItem] = []
    /// The session, for the settings.
    var session = AccountSession.signedOut
    /// Whether the user has consented to automatic login.
    var hasConsent = false
}

/// The texts of the root.
enum RootText {
    static let menu = LocalizedText("Menu", ko: "메뉴")
    static let settings = LocalizedText("Settings", ko: "설정")
    static let consent = LocalizedText("Log in automatically", ko: "자동 로그인")
    static let guest = LocalizedText("You are a guest.", ko: "손님으로 사용 중입니다.")
    static let signedOut = LocalizedText("You are not logged in.", ko: "로그인하지 않았습니다.")
    static let files = LocalizedText("Files", ko: "파일")
    static let keys = LocalizedText("Keys", ko: "단축키")
    static let undo = LocalizedText("Undo", ko: "실행 취소")
    static let quitQuestion = LocalizedText("Quit and discard the text?", ko: "입력한 내용을 버리고 끝낼까요?")
    static let stay = LocalizedText("Stay", ko: "계속하기")
    static let quit = LocalizedText("Quit", ko: "끝내기")

    /// Returns a greeting.
    static func welcome(_ name: String) -> LocalizedText {
        LocalizedText("Welcome, \(name).", ko: "\(name) 님, 환영합니다.")
    }

    /// Returns who is signed in.
    static func signedIn(_ profile: Profile) -> LocalizedText {
        let name = profile.nickname.isEmpty ? profile.id : profile.nickname
        return LocalizedText("Logged in as \(name).", ko: "\(name) 님으로 로그인했습니다.")
    }

    /// Returns the text that would be lost.
    static func unsaved(_ text: [String]) -> LocalizedText {
        let list = text.joined(separator: ", ")
        return LocalizedText("Not saved: \(list)", ko: "저장되지 않음: \(list)")
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
    /// The panel over the screen; `nil` if there is none.
    var openPanel: RootPanel? { get }

    /// Opens a panel over the screen.
    func open(_ panel: RootPanel)

    /// Fills the screen with a child's view, in place of all others.
    func show(_ child: any ViewControllable)

    /// Opens a child's view over the present one.
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

    /// A frame was drawn, so that something on the screen may have changed.
    func screenDidChange()

    /// The consent to automatic login was given or withdrawn.
    func didChangeConsent(_ isGiven: Bool)
}
