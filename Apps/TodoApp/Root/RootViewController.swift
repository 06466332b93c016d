import AccountCore
import AppLanguage
import AppUI
import NeedleKit
import RIBs
import TerminalUI
import TutorialFeature

/// The containers around every screen: a drawer over a toolbar over snackbars over a navigation stack, and the hint line.
@MainActor
final class RootViewController: ViewController, RootPresentable, RootViewControllable, KeyHinting {
    weak var listener: (any RootPresentableListener)?

    private let appearance: Appearance
    private let keyMap: KeyMap
    private let navigation = NavigationController()
    private let snackbars: SnackbarController
    private let bars: ToolbarController
    private let drawer: DrawerController
    private let menu = MenuViewController()
    private let settings = MenuViewController()
    private let hints: HintBar
    private var menus = RootMenus()

    init(appearance: Appearance, keyMap: KeyMap = .standard) {
        self.appearance = appearance
        self.keyMap = keyMap
        snackbars = SnackbarController(content: navigation)
        bars = ToolbarController(content: snackbars, title: "\(appearance.symbol) \(appearance.title)")
        drawer = DrawerController(content: bars, left: menu, right: settings)
        hints = HintBar(language: appearance.language)
        hints.listKey = keyMap.hint(RootAction.keys.keyAction)?.key
        super.init()
        addChild(drawer)
        navigation.onTopChange = { [weak self] in self?.topDidChange($0) }
        hints.fallback = { [weak self] in self?.navigation.topViewController }
    }

    var keyHints: [KeyHint] {
        guard hasMenus, drawer.openSide == nil else { return [] }
        return keyMap.hints(RootAction.self)
    }

    override func loadView() -> View {
        let view = RootView()
        view.onFrame = { [weak self] in self?.listener?.screenDidChange() }
        return view
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(drawer.view)
        view.addSubview(hints)
        drawer.view.ndl.makeConstraints { make in
            make.top.equalTo(view)
            make.left.equalTo(view)
            make.right.equalTo(view)
            make.bottom.equalTo(hints.ndl.top)
        }
        hints.ndl.makeConstraints { make in
            make.left.equalTo(view).offset(1)
            make.right.equalTo(view).offset(-1)
            make.bottom.equalTo(view)
        }
    }

    override func viewWillAppear() {
        super.viewWillAppear()
        updateTitleColor()
    }

    override func traitsDidChange(from before: Traits) {
        super.traitsDidChange(from: before)
        updateTitleColor()
    }

    override func keyDown(_ key: Key) -> Bool {
        guard presented == nil else { return false }
        if hasMenus {
            switch keyMap.action(key, of: RootAction.self) {
            case .menu:
                drawer.toggle(.left)
                return true
            case .settings:
                drawer.toggle(.right)
                return true
            case .keys:
                drawer.close()
                showKeys()
                return true
            case nil: break
            }
        }
        // Keys that the bars do not handle are for the screen between them.
        return drawer.openSide == nil && navigation.topViewController?.keyDown(key) == true
    }

    // MARK: - RootViewControllable

    var openPanel: RootPanel? {
        if let presented { return presented is KeyListController ? .keys : nil }
        return switch drawer.openSide {
        case .left: .menu
        case .right: .settings
        case nil: nil
        }
    }

    func open(_ panel: RootPanel) {
        // Without menus, as on the splash screen, there are no panels either.
        guard hasMenus, presented == nil else { return }
        switch panel {
        case .menu: drawer.open(.left)
        case .settings: drawer.open(.right)
        case .keys: showKeys()
        }
    }

    func show(_ child: any ViewControllable) {
        guard let controller = child as? ViewController else { return }
        drawer.close()
        navigation.setViewControllers([controller])
    }

    func push(_ child: any ViewControllable) {
        guard let controller = child as? ViewController else { return }
        drawer.close()
        navigation.push(controller)
    }

    func pop(_ child: any ViewControllable) {
        guard navigation.viewControllers.contains(where: { $0 === child }) else { return }
        navigation.setViewControllers(navigation.viewControllers.filter { $0 !== child })
    }

    func present(tutorial: any ViewControllable) {
        if let controller = tutorial as? ViewController { present(controller) }
    }

    func dismiss(tutorial: any ViewControllable) {
        if presented === tutorial { dismiss() }
    }

    // MARK: - RootPresentable

    func show(_ menus: RootMenus) {
        guard menus != self.menus else { return }
        self.menus = menus
        let language = appearance.language
        let bar = bars.toolbar
        bar.setLeft(hasMenus ? RootText.menu(language) : nil) { [weak self] in self?.drawer.toggle(.left) }
        bar.setRight(hasMenus ? RootText.settings(language) : nil) { [weak self] in self?.drawer.toggle(.right) }
        if !hasMenus { drawer.close() }
        // Weak: the panels retain their closures, and this view controller retains the panels.
        menu.show { [weak self] in
            for (index, item) in menus.items.enumerated() {
                if index > 0, menus.items[index - 1].group != item.group { Separator() }
                Action(item.title(language)) { [weak self] in self?.choose(item) }
            }
        }
        settings.show { [weak self] in
            Text(role: .text, lines: 0) { Self.description(of: menus.session)(language) }
            Check(
                RootText.consent(language),
                isOn: Binding { [weak self] in
                    self?.menus.hasConsent ?? false
                } set: { [weak self] in
                    self?.listener?.didChangeConsent($0)
                }
            )
        }
    }

    func show(notice: LocalizedText) {
        snackbars.show(notice(appearance.language), duration: .seconds(6), replacesVisible: true)
    }

    func show(launchNotices notices: [LocalizedText]) {
        for notice in notices { snackbars.show(notice(appearance.language), duration: .seconds(6)) }
    }

    func show(problems: [LocalizedText]) {
        for problem in problems { snackbars.show(problem(appearance.language), kind: .error) }
    }

    func showKeys() {
        guard let top = navigation.topViewController else { return }
        present(KeyListController(title: RootText.keys(appearance.language), of: top, language: appearance.language))
    }

    func confirmQuit(unsaved text: [String]) {
        let language = appearance.language
        let alert = AlertController(
            title: RootText.quitQuestion(language),
            message: RootText.unsaved(text)(language)
        )
        alert.addAction(RootText.stay(language), kind: .cancel) { [weak self] in self?.listener?.didDeclineQuit() }
        alert.addAction(RootText.quit(language), kind: .destructive) { [weak self] in
            self?.listener?.didConfirmQuit()
        }
        present(alert)
    }

    // MARK: - Details

    private var hasMenus: Bool { !menus.items.isEmpty }

    private func choose(_ item: RootMenuItem) {
        drawer.close()
        listener?.didChoose(item)
    }

    private func topDidChange(_ top: ViewController?) {
        bars.toolbar.titleLabel.text = top?.title ?? "\(appearance.symbol) \(appearance.title)"
    }

    private func updateTitleColor() {
        let isMonochrome = view.theme.isMonochrome
        bars.toolbar.titleLabel.style = Style(
            foreground: isMonochrome ? .standard : .hex(appearance.titleColor),
            attributes: .bold
        )
    }

    private static func description(of session: AccountSession) -> LocalizedText {
        switch session {
        case .signedOut: RootText.signedOut
        case .guest: RootText.guest
        case .signedIn(let profile): RootText.signedIn(profile)
        }
    }
}

/// The view around all containers, which reports each frame.
private final class RootView: View {
    var onFrame: (@MainActor () -> Void)?

    override func draw(in canvas: Canvas) { onFrame?() }
}

/// The actions of the root and their default keys.
enum RootAction: String, ScreenAction {
    case keys, menu, settings

    var keyAction: KeyAction {
        let (text, key): (LocalizedText, Character) =
            switch self {
            case .keys: (RootText.keys, "?")
            case .menu: (RootText.menu, "m")
            case .settings: (RootText.settings, ",")
            }
        return KeyAction("app.\(rawValue)", text, [.character(key)], isRare: self != .keys)
    }
}
