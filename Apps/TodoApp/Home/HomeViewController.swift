import And
import AppLanguage
import AppUI
import NeedleKit
import RIBs
import SyncFeature
import TerminalUI
import TodoSync

/// The todos and the picture: side by side on a wide screen, with a line between them that the user can move, otherwise
/// one above the other.
@MainActor
final class HomeViewController: ViewController, HomePresentable, HomeViewControllable, KeyHinting {
    /// The list's share of the width beside the picture, and of the height above it.
    private static let widthShare = 0.7
    private static let heightShare = 0.55
    /// The widest picture, unless the user has moved the line: the todos have the rest of a wide screen.
    private static let widestPicture = 52.0
    /// The smallest width of the list and of the picture beside each other.
    private static let minimumWidth = 24

    weak var listener: (any HomePresentableListener)?

    private let appearance: Appearance
    private let keyMap: KeyMap
    private let banner = Label("", role: .error, numberOfLines: 3).and {
        $0.isHidden = true
        $0.layoutNode.collapsesWhenHidden = true
    }
    /// The state of the sync in the bar above the screens.
    private let syncButton = Button("", kind: .bar)
    private var syncState = SyncState()
    private var split: SplitView?
    /// The user's name, and the context.
    private var name: String?
    private var context: String?
    /// The rows of the window from which on the picture is shown, below the list and beside it. With fewer rows the todos
    /// have all of them.
    private static let rowsForPictureBelow = 24
    private static let rowsForPictureBeside = 14

    init(appearance: Appearance, keyMap: KeyMap) {
        self.appearance = appearance
        self.keyMap = keyMap
        super.init()
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(banner)
        banner.ndl.makeConstraints { make in
            make.top.equalTo(view)
            make.horizontal.equalTo(view).inset(1)
        }
    }

    var keyHints: [KeyHint] {
        let line = KeyHint(Key(.right, .alt), HomeText.line, isRare: true)
        let showsPicture = split.map { $0.arrangement != .first } ?? false
        let actions = HomeAction.allCases.filter { showsPicture || ![.picture, .favourite].contains($0) }
        return actions.compactMap { keyMap.hint($0.keyAction) } + (split?.arrangement == .sideBySide ? [line] : [])
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        showSyncState()
        // The size is known only now: before the first layout the window has none.
        arrange()
    }

    override func keyDown(_ key: Key) -> Bool {
        switch keyMap.action(key, of: HomeAction.self) {
        case .picture: listener?.didChooseNextPicture()
        case .favourite: listener?.didChooseFavourite()
        case .favourites: listener?.didChoose(.favourites)
        case .profile: listener?.didChoose(.profile)
        case .quit: listener?.didChooseQuit()
        case .sync: listener?.didChooseSync()
        case .syncScreen: listener?.didChoose(.sync)
        case nil: return split?.keyDown(key) ?? false
        }
        return true
    }

    // MARK: - HomePresentable

    func show(_ notice: Notice) {
        if case .undoable(let step) = notice.kind {
            let undo = CommonText.undo(appearance.language)
            snackbarController?.show(notice.text, action: undo, replacesVisible: true) { [weak self] in
                self?.listener?.didChooseUndo(step: step)
            }
        } else {
            // A failure stays until it is closed.
            let isFailure = notice.kind == .failure
            snackbarController?.show(notice.text, replacesVisible: true, kind: isFailure ? .error : .information)
        }
    }

    func show(notice: LocalizedText) { show(Notice(kind: .information, text: notice(appearance.language))) }

    func show(name: String?) {
        self.name = name
        updateTitle()
    }

    func show(context: String?) {
        self.context = context
        updateTitle()
    }

    private func updateTitle() {
        let title = "\(appearance.symbol) \(appearance.title)"
        self.title =
            context.map { HomeText.title(title, context: $0)(appearance.language) } ?? name.map { "\(title) · \($0)" }
            ?? title
        if navigationController?.topViewController === self {
            toolbarController?.toolbar.titleLabel.text = self.title ?? ""
        }
    }

    func show(sync state: SyncState) {
        syncState = state
        showSyncState()
    }

    /// Shows the state in words where there is room, otherwise as a sign.
    private func showSyncState() {
        // When the screen goes, it is out of the containers already.
        guard let toolbar = toolbarController?.toolbar ?? syncButton.superview as? Toolbar else { return }
        if syncButton.superview == nil {
            guard syncState.account != nil else { return }
            syncButton.layoutNode.collapsesWhenHidden = true
            syncButton.onTap = { [weak self] in self?.listener?.didChoose(.sync) }
            toolbar.addSubview(syncButton)
            syncButton.ndl.makeConstraints { make in
                make.centerY.equalTo(toolbar)
                make.right.equalTo(toolbar.rightButton.ndl.left)
            }
            toolbar.titleLabel.ndl.makeConstraints { make in
                make.right.lessThanOrEqualTo(syncButton.ndl.left).offset(-1)
            }
        }
        let (sign, name) = (SyncText.sign(syncState.summary), SyncText.name(syncState.summary)(appearance.language))
        let title = toolbar.bounds.width >= 60 ? "\(sign.prefix(1)) \(name)" : sign
        if syncButton.title != title { syncButton.title = title }
        syncButton.accessibilityLabel = "\(SyncText.title(appearance.language)): \(name)"
        syncButton.isHidden = syncState.account == nil
    }

    func show(banner text: String?, more: Int) {
        let rest = more > 0 ? " " + HomeText.more(more)(appearance.language) : ""
        banner.text = text.map { $0 + rest } ?? ""
        banner.isHidden = text == nil
    }

    func confirmLogOut(_ message: LocalizedText) {
        let language = appearance.language
        let alert = AlertController(title: HomeText.logOutQuestion(language), message: message(language))
        alert.addAction(CommonText.cancel(language), kind: .cancel)
        alert.addAction(HomeText.keepTodos(language), kind: .primary) { [weak self] in
            self?.listener?.didConfirmLogOut(removesTodos: false)
        }
        alert.addAction(HomeText.removeTodos(language), kind: .destructive) { [weak self] in
            self?.listener?.didConfirmLogOut(removesTodos: true)
        }
        (navigationController?.topViewController ?? self).presentOnTop(alert)
    }

    // MARK: - HomeViewControllable

    func embed(list: any ViewControllable, picture: (any ViewControllable)?) {
        guard let list = list as? ViewController else { return }
        let picture = picture as? ViewController
        for controller in [picture, list].compactMap(\.self) { addChild(controller) }
        var content = list.view
        if let picture {
            let split = SplitView(list.view, picture.view)
            split.minimumWidth = Self.minimumWidth
            split.hasFullLine = false
            split.onChange = { [weak self] in self?.chosenShare = $0 }
            self.split = split
            content = split
        }
        let header = (list as? any HeaderProviding)?.takeHeader()
        if let header {
            view.addSubview(header)
            header.ndl.remakeConstraints { make in
                make.top.equalTo(banner.ndl.bottom)
                make.horizontal.equalTo(view)
            }
        }
        view.addSubview(content)
        content.ndl.makeConstraints { make in
            make.top.equalTo((header ?? banner).ndl.bottom)
            make.horizontal.equalTo(view)
            make.bottom.equalTo(view)
        }
        arrange()
    }

    var chosenShare: Double? { didSet { arrange() } }

    func push(_ child: any ViewControllable) { pushScreen(child) }

    func pop(_ child: any ViewControllable) { popScreen(child) }

    // MARK: - Layout

    private func arrange() {
        guard let split else { return }
        let isWide = view.traits.horizontal == .regular
        let rows = view.window?.bounds.height ?? 0
        let showsPicture = rows >= (isWide ? Self.rowsForPictureBeside : Self.rowsForPictureBelow)
        split.arrangement = !showsPicture ? .first : isWide ? .sideBySide : .stacked
        let width = Double(max(1, view.bounds.width))
        let widthShare = max(Self.widthShare, 1 - Self.widestPicture / width)
        let share = isWide ? chosenShare ?? widthShare : Self.heightShare
        if split.fraction != share { split.fraction = share }
    }
}

/// The actions of the main screen and their default keys.
enum HomeAction: String, ScreenAction {
    case picture, profile, quit, favourite, favourites, sync, syncScreen

    var keyAction: KeyAction {
        let (text, key): (LocalizedText, Character) =
            switch self {
            case .picture: (HomeText.picture, "p")
            case .profile: (HomeText.profile, "o")
            case .quit: (HomeText.quit, "q")
            case .favourite: (HomeText.favourite, "f")
            case .favourites: (HomeText.favourites, "F")
            case .sync: (HomeText.sync, "S")
            case .syncScreen: (HomeText.syncScreen, "y")
            }
        let isRare = ![.picture, .profile, .quit].contains(self)
        return KeyAction("home.\(rawValue)", text, [.character(key)], isRare: isRare)
    }
}
