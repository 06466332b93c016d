import AppLanguage
import AppUI
import PictureCore
import RIBs
import TodoCore
import TodoFeature
import TodoSync

/// The parent of the main screen.
@MainActor
protocol HomeListener: AnyObject {
    /// Called when the user quits.
    func homeDidQuit()

    /// Called when the user wants to sign up.
    func homeDidChooseSignUp()

    /// Called when the user has logged in over the main screen.
    func homeDidLogIn()

    /// Called when the session has ended: the user has logged out, or deleted the account, as the notice says.
    func homeDidLogOut(_ notice: LocalizedText)

    /// Called when there is something that the user should know after the main screen has gone.
    func homeDidNotice(_ notice: LocalizedText)
}

/// A screen over the todos; the value is the name of its node in the stored place.
enum HomeScreen: String, Hashable, Sendable, CaseIterable {
    case login, profile, favourites, sync
}

/// The router of the main screen, as its interactor and its parent use it.
@MainActor
protocol HomeRouting: ViewableRouting {
    /// The text in any field that is not saved.
    var unsavedText: [String] { get }

    /// Whether the screen of the sync, which shows its state, is open.
    var showsSync: Bool { get }

    /// The main screen, as the workflow of a link uses it.
    var actionable: any HomeActionable { get }

    /// Opens the editor of a todo.
    func routeToEditor(of todo: Todo)

    /// Fetches a picture of a breed.
    ///
    /// - Returns: `false` if the service has no pictures of the breed.
    func showPicture(of breed: String) async -> Bool

    /// Opens a screen over the todos. If it is open, those above it are closed, after asking if there is text that is not saved.
    func open(_ screen: HomeScreen)

    /// Closes a screen over the todos, with those above it.
    func close(_ screen: HomeScreen)

    /// Saves the picture as a favourite.
    func saveFavourite()

    /// Shows a picture that was fetched before.
    func show(_ picture: PictureReference)

    /// Closes every screen over the todos, after asking if there is text that is not saved, and then calls a closure.
    func returnToTodos(then completion: @escaping @MainActor () -> Void)

    /// Ends the session.
    func logOut()

    /// Fetches another picture, unless one is being fetched.
    func showNextPicture()

    /// Fetches another picture in place of the one that is being fetched.
    func reloadPicture()

    /// Undoes the change that a notice reported.
    func undo(step: String)

    /// Lets the user undo a change that a sync has made.
    func add(step: TodoStep)

    /// Returns the views and the lists with the numbers of their todos.
    func lists() async -> [TodoListEntry]

    /// Closes every screen over the todos, and shows a list.
    func show(list id: String)
}

/// The main screen, as its interactor uses it.
@MainActor
protocol HomePresentable: Presentable {
    var listener: (any HomePresentableListener)? { get set }

    /// Shows a short message.
    func show(_ notice: Notice)

    /// Shows a text for a few seconds.
    func show(notice: LocalizedText)

    /// Shows the user's name.
    func show(name: String?)

    /// Shows the name of the saved query that every list obeys; `nil` for none.
    func show(context: String?)

    /// Shows the state of the sync beside the title; nothing if no sync is set up.
    func show(sync: SyncState)

    /// Asks what happens to the todos of this machine when the session ends.
    func confirmLogOut(_ message: LocalizedText)

    /// Shows a message that stays, and how many more there are; `nil` removes it.
    func show(banner: String?, more: Int)
}

/// The user's actions on the main screen.
@MainActor
protocol HomePresentableListener: AnyObject {
    /// A screen over the todos is to be opened.
    func didChoose(_ screen: HomeScreen)

    /// Another picture is to be fetched.
    func didChooseNextPicture()

    /// The picture is to be saved as a favourite.
    func didChooseFavourite()

    /// The change that a notice reported is to be undone.
    func didChooseUndo(step: String)

    /// The todos are to be synced now.
    func didChooseSync()

    /// The session is to end, and the todos of this machine stay or are removed.
    func didConfirmLogOut(removesTodos: Bool)

    /// The user quits.
    func didChooseQuit()
}

/// The view controller of the main screen, as its router uses it.
@MainActor
protocol HomeViewControllable: ViewControllable {
    /// Shows the list and the picture side by side, or one above the other on a narrow screen; the list alone for `nil`.
    func embed(list: any ViewControllable, picture: (any ViewControllable)?)

    /// The list's share of the width beside the picture, from 0 to 1; `nil` if the user has not changed it.
    var chosenShare: Double? { get set }

    /// Opens a screen over the main screen.
    func push(_ child: any ViewControllable)

    /// Closes the screen that was opened last.
    func pop(_ child: any ViewControllable)
}

/// The texts of the main screen.
enum HomeText {
    static let profileSaved = LocalizedText("The profile is saved", ko: "프로필을 저장했습니다")
    /// Returns the title with a context.
    static func title(_ title: String, context: String) -> LocalizedText {
        LocalizedText("\(title) · context: \(context)", ko: "\(title) · 작업 범위: \(context)")
    }

    static let logOutQuestion = LocalizedText("Log out: keep the todos here?", ko: "로그아웃: 할 일을 남길까요?")
    static let keepTodos = LocalizedText("Keep", ko: "남기기")
    static let removeTodos = LocalizedText("Remove", ko: "지우기")
    static let todosRemoved = LocalizedText("The todos were removed from this machine.", ko: "이 컴퓨터의 할 일을 지웠습니다.")

    /// Returns what is lost if the todos are removed from this machine, of which some are on no server or have unsent changes.
    static func logOut(_ count: Int, unsent: Int, server: String?) -> LocalizedText {
        guard let server else {
            return LocalizedText(
                "\(count) on this machine, on no server: removed ones are lost.",
                ko: "이 컴퓨터에만 \(count)개가 있습니다. 지우면 되살릴 수 없습니다."
            )
        }
        let text = LocalizedText(
            "\(count) on this machine. Those on \(server) stay there.",
            ko: "이 컴퓨터에 \(count)개가 있습니다. \(server)에 있는 할 일은 그대로 남습니다."
        )
        guard unsent > 0 else { return text }
        return text.followed(
            by: LocalizedText(
                "\(unsent) were not sent: removed ones are lost.",
                ko: "보내지 않은 \(unsent)개는 지우면 되살릴 수 없습니다."
            )
        )
    }

    static let picture = LocalizedText("picture", ko: "사진")
    static let profile = LocalizedText("profile", ko: "프로필")
    static let favourite = LocalizedText("favourite", ko: "즐겨찾기")
    static let favourites = LocalizedText("favourites", ko: "즐겨찾기 보기")
    static let sync = LocalizedText("sync now", ko: "지금 동기화")
    static let syncScreen = LocalizedText("sync settings", ko: "동기화 설정")
    static let quit = LocalizedText("quit", ko: "끝내기")
    static let line = LocalizedText("widen the list", ko: "목록 넓히기")

    /// Returns how many more messages there are.
    static func more(_ count: Int) -> LocalizedText {
        LocalizedText("(and \(count) more: see `doctor`)", ko: "(외 \(count)건: `doctor` 참고)")
    }
}
