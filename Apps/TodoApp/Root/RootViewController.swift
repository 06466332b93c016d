import AppLanguage
import AppUI
import NeedleKit
import RIBs
import TerminalUI
import TutorialFeature

/// The containers around every screen: a drawer over a toolbar over snackbars over a navigation stack, and the hint line.
@MainActor
final class RootViewController: ViewController, RootPresentable, RootViewControllable, KeyHinting, CommandProviding {
    weak var listener: (any RootPresentableListener)? {
        didSet { settings.listener = listener }
    }

    private let appearance: Appearance
    private let keyMap: KeyMap
    private let navigation = NavigationController()
    private let snackbars: SnackbarController
    private let bars: ToolbarController
    private let drawer: DrawerController
    private let menu: MenuPanel
    private let settings: SettingsPanel
    private let hints: HintBar
    private var menus = RootMenus()

    init(appearance: Appearance, keyMap: KeyMap) {
        self.appearance = appearance
        self.keyMap = keyMap
        snackbars = SnackbarController(content: navigation)
        bars = ToolbarController(content: snackbars, title: "\(appearance.symbol) \(appearance.title)")
        menu = MenuPanel(language: appearance.language, keyMap: keyMap)
        settings = SettingsPanel(language: appearance.language, keyMap: keyMap)
        drawer = DrawerController(content: bars, left: menu.viewController, right: settings.viewController)
        drawer.panelWidth = 36
        hints = HintBar(language: appearance.language.rawValue)
        hints.listKey = keyMap.hint(RootAction.keys.keyAction)?.key
        super.init()
        addChild(drawer)
        navigation.onTopChange = { [weak self] in self?.topDidChange($0) }
        drawer.onChange = { [weak self] in if $0 == .left { self?.listener?.didOpenMenu() } }
        menu.onChoose = { [weak self] in self?.choose($0) }
        menu.onChooseList = { [weak self] id in
            self?.drawer.close()
            self?.listener?.didChoose(list: id)
        }
        settings.onChoose = { [weak self] in self?.choose($0) }
        settings.onChangeKeys = { [weak self] in self?.changeKeys() }
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
            make.top.horizontal.equalTo(view)
            make.bottom.equalTo(hints.ndl.top)
        }
        hints.layoutNode.collapsesWhenHidden = true
        hints.ndl.makeConstraints { make in
            make.horizontal.equalTo(view).inset(1)
            make.bottom.equalTo(view)
        }
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        // The content needs the only row.
        hints.isHidden = view.bounds.height < 2
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
            case .palette:
                showPalette()
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

    func showKeys(for key: Key) -> Bool {
        guard hasMenus, keyMap.action(key, of: RootAction.self) == .keys, let top = Self.topPresented(over: self),
            !(top is PanelController)
        else { return false }
        top.present(keys(of: top))
        return true
    }

    private static func topPresented(over controller: ViewController) -> ViewController? {
        if let presented = controller.presented { return topPresented(over: presented) ?? presented }
        return controller.children.reversed().lazy.compactMap { topPresented(over: $0) }.first
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
        let hasSameElements = menus.hasSameElements(as: self.menus)
        self.menus = menus
        if !hasSameElements {
            let bar = bars.toolbar
            bar.setLeft(hasMenus ? RootText.menu(language) : nil) { [weak self] in self?.drawer.toggle(.left) }
            bar.setRight(hasMenus ? RootText.settings(language) : nil) { [weak self] in self?.drawer.toggle(.right) }
            if !hasMenus { drawer.close() }
        }
        menu.show(menus, hasSameElements: hasSameElements)
        settings.show(menus, hasSameElements: hasSameElements)
    }

    private func changeKeys() {
        drawer.close()
        present(
            KeySettingsController(
                title: RootText.changeKeys(language),
                screens: KeyMapFile.screens,
                keyMap: keyMap,
                language: language,
                save: { [weak self] action, keys in self?.listener?.didChange(keys, of: action) },
                onClose: { [weak self] isChanged in if isChanged { self?.listener?.didFinishKeys() } }
            )
        )
    }

    func show(notice: LocalizedText) {
        snackbars.show(notice(language), duration: .seconds(6), replacesVisible: true)
    }

    func show(launchNotices notices: [LocalizedText]) {
        for notice in notices { snackbars.show(notice(language), duration: .seconds(6)) }
    }

    func show(problems: [LocalizedText]) {
        for problem in problems { snackbars.show(problem(language), kind: .error) }
    }

    func showKeys() {
        guard let top = navigation.topViewController else { return }
        present(keys(of: top))
    }

    private func keys(of screen: ViewController) -> KeyListController {
        KeyListController(title: RootText.keys(language), of: screen, language: language)
    }

    /// The items of the menu and the panels, for the command palette.
    var commands: [PaletteCommand] {
        menus.items.map { item in PaletteCommand(item.title) { [weak self] in self?.choose(item) } }
            + [PaletteCommand(RootText.changeKeys) { [weak self] in self?.changeKeys() }]
            + Preferences.Palette.allCases.map { palette in
                PaletteCommand(RootText.themeChoice.labelling(RootText.name(palette))) { [weak settings] in
                    settings?.change { $0.palette = palette }
                }
            }
    }

    private func showPalette() {
        drawer.close()
        present(
            CommandPaletteController(
                title: KeyAction.palette.text(language),
                placeholder: RootText.palettePlaceholder(language),
                nothing: RootText.noCommand(language),
                language: language
            ) { [weak self] in
                self?.navigation.topViewController.map { KeyHints.commands(of: $0) } ?? []
            }
        )
    }

    func confirmQuit(unsaved text: [String]) {
        let alert = AlertController(title: RootText.quitQuestion(language), message: RootText.unsaved(text)(language))
        alert.addAction(RootText.stay(language), kind: .cancel) { [weak self] in self?.listener?.didDeclineQuit() }
        alert.addAction(CommonText.quit(language), kind: .destructive) { [weak self] in
            self?.listener?.didConfirmQuit()
        }
        presentOnTop(alert)
    }

    // MARK: - Details

    private var language: AppLanguage { appearance.language }

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
        bars.toolbar.titleLabel.style = TextStyle(
            foreground: isMonochrome ? .standard : .hex(appearance.titleColor),
            attributes: .bold
        )
    }
}

/// The view around all containers, which reports each frame.
private final class RootView: View {
    var onFrame: (@MainActor () -> Void)?

    override func draw(in canvas: Canvas) { onFrame?() }
}

/// The actions of the root and their default keys.
enum RootAction: String, ScreenAction {
    case keys, palette, menu, settings

    var keyAction: KeyAction {
        let (text, key): (LocalizedText, Character)
        switch self {
        case .palette: return .palette
        case .keys: (text, key) = (RootText.keys, "?")
        case .menu: (text, key) = (RootText.menu, "m")
        case .settings: (text, key) = (RootText.settings, ",")
        }
        return KeyAction("app.\(rawValue)", text, [.character(key)], isRare: self != .keys)
    }
}
