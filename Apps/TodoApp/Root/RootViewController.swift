import AccountCore
import AppLanguage
import AppUI
import NeedleKit
import RIBs
import TerminalUI
import TodoCore
import TodoFeature
import TutorialFeature

/// The containers around every screen: a drawer over a toolbar over snackbars over a navigation stack, and the hint line.
@MainActor
final class RootViewController: ViewController, RootPresentable, RootViewControllable, KeyHinting, CommandProviding {
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

    init(appearance: Appearance, keyMap: KeyMap) {
        self.appearance = appearance
        self.keyMap = keyMap
        snackbars = SnackbarController(content: navigation)
        bars = ToolbarController(content: snackbars, title: "\(appearance.symbol) \(appearance.title)")
        drawer = DrawerController(content: bars, left: menu, right: settings)
        drawer.panelWidth = 36
        hints = HintBar(language: appearance.language.rawValue)
        hints.listKey = keyMap.hint(RootAction.keys.keyAction)?.key
        super.init()
        addChild(drawer)
        navigation.onTopChange = { [weak self] in self?.topDidChange($0) }
        drawer.onChange = { [weak self] in if $0 == .left { self?.listener?.didOpenMenu() } }
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
        let before = self.menus
        self.menus = menus
        // A panel that is built anew loses its focus, and a click whose button is pressed at that moment.
        if (menus.items, menus.session, menus.views) == (before.items, before.session, before.views) {
            menu.refresh()
            return settings.refresh()
        }
        let language = appearance.language
        let bar = bars.toolbar
        bar.setLeft(hasMenus ? RootText.menu(language) : nil) { [weak self] in self?.drawer.toggle(.left) }
        bar.setRight(hasMenus ? RootText.settings(language) : nil) { [weak self] in self?.drawer.toggle(.right) }
        if !hasMenus { drawer.close() }
        // Weak: the panels retain their closures, and this view controller retains the panels.
        menu.show { [weak self] in
            for (index, item) in menus.items.enumerated() {
                if index > 0, menus.items[index - 1].group != item.group {
                    if item.group == .session, let self { listElements }
                    Separator()
                }
                Action(item.title(language), kind: .item, detail: self?.key(of: item) ?? "") { [weak self] in
                    self?.choose(item)
                }
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
            if let self { preferenceElements }
        }
    }

    /// The views and the lists, which are read when the menu opens and inserted when they arrive.
    private var listElements: Group<[String]> {
        Group { [weak self] in
            self?.menus.lists.map(\.id) ?? []
        } content: { [weak self] in
            if let self { self.lists }
        }
    }

    /// The views and the lists with their colours, the numbers of their todos and their keys.
    @FormBuilder private var lists: [any FormElement] {
        let language = appearance.language
        if !menus.lists.isEmpty {
            Separator()
            Text(RootText.lists(language), role: .secondary)
        }
        for list in menus.lists {
            Action(
                list.title(language),
                kind: .item,
                icon: list.isView ? nil : ("■", list.color.map { TextStyle(foreground: $0) }),
                currentDetail: { [weak self] in self?.detail(of: list) ?? "" }
            ) { [weak self] in
                self?.drawer.close()
                self?.listener?.didChoose(list: list.id)
            }
        }
    }

    /// Returns the present number of todos of a list and its key, as the menu of the lists shows them.
    private func detail(of list: TodoListEntry) -> String {
        let count = (menus.lists.first { $0.id == list.id }?.count).map { "\($0)" } ?? ""
        return count + "  " + (list.key.map { "\($0)" } ?? " ")
    }

    /// The choices of the user, which apply at once and are stored.
    @FormBuilder private var preferenceElements: [any FormElement] {
        let language = appearance.language
        Separator()
        Row(RootText.theme(language)) {
            Options(
                Preferences.Palette.allCases.map { RootText.name($0)(language) },
                selected: choice(of: \.palette, in: Preferences.Palette.allCases),
                preview: { [weak self] in self?.listener?.didPreview($0.map { Preferences.Palette.allCases[$0] }) }
            )
        }
        Row(RootText.language(language)) {
            Options(
                RootText.languages.map { $0.name(language) },
                selected: choice(of: \.language, in: RootText.languages.map(\.language))
            )
        }
        Row(RootText.draw(language)) {
            Options(
                PictureChoice.allCases.map { RootText.name($0)(language) },
                selected: choice(of: \.draw, in: PictureChoice.allCases)
            )
        }
        Check(
            RootText.showsPicture(language),
            isOn: Binding { [weak self] in
                self?.menus.preferences.showsPicture ?? true
            } set: { [weak self] isOn in
                self?.change { $0.showsPicture = isOn }
            }
        )
        let pictureIntervals = RootMenus.adding(menus.preferences.pictureInterval, to: [nil, 1, 5, 15, 60])
        Row(RootText.pictureInterval(language)) {
            Options(
                pictureIntervals.map { RootText.name(pictureInterval: $0)(language) },
                selected: choice(of: \.pictureInterval, in: pictureIntervals)
            )
        }
        Separator()
        Row(RootText.dates(language)) {
            Options(
                DateStyle.Format.allCases.map { RootText.name($0)(language) },
                selected: choice(of: \.dates.format, in: DateStyle.Format.allCases)
            )
        }
        Row(RootText.week(language)) {
            Options(
                DateStyle.Weekday.allCases.map { RootText.name($0)(language) },
                selected: choice(of: \.dates.firstWeekday, in: DateStyle.Weekday.allCases)
            )
        }
        let views = RootMenus.adding(menus.preferences.view, to: [nil] + menus.views.map(\.name))
        Row(RootText.view(language)) {
            Options(
                views.map { name in
                    menus.views.first { $0.name == name }?.title(language) ?? name ?? RootText.noView(language)
                },
                selected: choice(of: \.view, in: views)
            )
        }
        let reminders = RootMenus.adding(menus.preferences.reminder, to: [nil, 0, 5, 15, 30, 60])
        Row(RootText.reminder(language)) {
            Options(
                reminders.map { RootText.name(reminder: $0)(language) },
                selected: choice(of: \.reminder, in: reminders)
            )
        }
        let intervals = RootMenus.adding(menus.preferences.syncInterval, to: [0, 5, 15, 60])
        Row(RootText.syncInterval(language)) {
            Options(
                intervals.map { RootText.name(interval: $0)(language) },
                selected: choice(of: \.syncInterval, in: intervals)
            )
        }
        Separator()
        Action(RootText.changeKeys(language), kind: .item) { [weak self] in self?.changeKeys() }
        if menus.items.contains(.profile) {
            Action(RootText.breed(language), kind: .item, detail: key(of: .profile)) { [weak self] in
                self?.choose(.profile)
            }
            Action(RootMenuItem.sync.title(language), kind: .item, detail: key(of: .sync)) { [weak self] in
                self?.choose(.sync)
            }
        }
        Separator()
        for (name, folder) in zip(RootText.folders, menus.folders) {
            Text(name(language), role: .secondary)
            Text(lines: 0) { folder }
        }
    }

    /// A binding to a choice as its index among the possible ones.
    private func choice<Value: Equatable>(
        of path: any WritableKeyPath<Preferences, Value> & Sendable,
        in values: [Value]
    ) -> Binding<Int> {
        Binding { [weak self] in
            self.flatMap { values.firstIndex(of: $0.menus.preferences[keyPath: path]) } ?? 0
        } set: { [weak self] index in
            self?.change { $0[keyPath: path] = values[index] }
        }
    }

    private func change(_ change: (inout Preferences) -> Void) {
        var preferences = menus.preferences
        change(&preferences)
        listener?.didChange(preferences)
    }

    private func changeKeys() {
        drawer.close()
        present(
            KeySettingsController(
                title: RootText.changeKeys(appearance.language),
                screens: KeyMapFile.screens,
                keyMap: keyMap,
                language: appearance.language,
                save: { [weak self] action, keys in self?.listener?.didChange(keys, of: action) },
                onClose: { [weak self] isChanged in if isChanged { self?.listener?.didFinishKeys() } }
            )
        )
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
        present(keys(of: top))
    }

    private func keys(of screen: ViewController) -> KeyListController {
        KeyListController(title: RootText.keys(appearance.language), of: screen, language: appearance.language)
    }

    /// The items of the menu and the panels, for the command palette.
    var commands: [PaletteCommand] {
        menus.items.map { item in PaletteCommand(item.title) { [weak self] in self?.choose(item) } }
            + [PaletteCommand(RootText.changeKeys) { [weak self] in self?.changeKeys() }]
            + Preferences.Palette.allCases.map { palette in
                PaletteCommand(RootText.theme(palette)) { [weak self] in self?.change { $0.palette = palette } }
            }
    }

    private func showPalette() {
        drawer.close()
        let language = appearance.language
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
        let language = appearance.language
        let alert = AlertController(title: RootText.quitQuestion(language), message: RootText.unsaved(text)(language))
        alert.addAction(RootText.stay(language), kind: .cancel) { [weak self] in self?.listener?.didDeclineQuit() }
        alert.addAction(CommonText.quit(language), kind: .destructive) { [weak self] in
            self?.listener?.didConfirmQuit()
        }
        presentOnTop(alert)
    }

    // MARK: - Details

    private var hasMenus: Bool { !menus.items.isEmpty }

    /// The key that does the same as an item on the main screen; empty on the start screen, whose buttons show theirs.
    private func key(of item: RootMenuItem) -> String {
        let action: KeyAction? =
            switch item {
            case .favourites: HomeAction.favourites.keyAction
            case .profile: HomeAction.profile.keyAction
            case .sync: HomeAction.syncScreen.keyAction
            case .keys: RootAction.keys.keyAction
            case .quit: HomeAction.quit.keyAction
            case .todos, .logIn, .logOut, .signUp, .guest: nil
            }
        return action.flatMap { keyMap.hint($0)?.name } ?? ""
    }

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
