import AppLanguage
import AppUI
import SyncFeature
import TerminalUI
import TodoFeature

/// An item of the menu at the left.
enum RootMenuItem: Hashable, Sendable, CaseIterable {
    case todos, favourites, profile, sync, logIn, logOut, signUp, guest, keys, quit

    /// The title of the item.
    var title: LocalizedText {
        switch self {
        case .todos: CommonText.todos
        case .favourites: LocalizedText("Favourites", ko: "즐겨찾기")
        case .profile: CommonText.profile
        case .sync: SyncText.title
        case .logIn: CommonText.logIn
        case .logOut: CommonText.logOut
        case .signUp: CommonText.signUp
        case .guest: CommonText.continueAsGuest
        case .keys: RootText.keys
        case .quit: CommonText.quit
        }
    }

    /// What an item of the menu is about. A line separates the groups.
    enum Group: Hashable, Sendable { case screens, session, app }

    /// The group of the item.
    var group: Group {
        switch self {
        case .todos, .favourites, .profile, .sync: .screens
        case .logIn, .logOut, .signUp, .guest: .session
        case .keys, .quit: .app
        }
    }

    /// The key that does the same on the main screen; empty on the start screen, whose buttons show theirs.
    func key(in keyMap: KeyMap) -> String {
        let action: KeyAction? =
            switch self {
            case .favourites: HomeAction.favourites.keyAction
            case .profile: HomeAction.profile.keyAction
            case .sync: HomeAction.syncScreen.keyAction
            case .keys: RootAction.keys.keyAction
            case .quit: HomeAction.quit.keyAction
            case .todos, .logIn, .logOut, .signUp, .guest: nil
            }
        return action.flatMap { keyMap.hint($0)?.name } ?? ""
    }
}

/// The menu at the left: the screens, the lists of the todos, the session and the app.
@MainActor
final class MenuPanel {
    let viewController = MenuViewController()
    /// Called when an item is chosen.
    var onChoose: ((RootMenuItem) -> Void)?
    /// Called when a list is chosen, with its ID.
    var onChooseList: ((String) -> Void)?

    private let language: AppLanguage
    private let keyMap: KeyMap
    private var menus = RootMenus()

    init(language: AppLanguage, keyMap: KeyMap) { (self.language, self.keyMap) = (language, keyMap) }

    func show(_ menus: RootMenus, hasSameElements: Bool) {
        self.menus = menus
        if hasSameElements { return viewController.refresh() }
        viewController.show { [weak self] in if let self { elements } }
    }

    @FormBuilder private var elements: [any FormElement] {
        for (index, item) in menus.items.enumerated() {
            if index > 0, menus.items[index - 1].group != item.group {
                if item.group == .session {
                    // The lists are read when the menu opens, and inserted when they arrive.
                    Group { [weak self] in
                        self?.menus.lists.map(\.id) ?? []
                    } content: { [weak self] in
                        if let self { lists }
                    }
                }
                Separator()
            }
            Action(item.title(language), kind: .item, detail: item.key(in: keyMap)) { [weak self] in
                self?.onChoose?(item)
            }
        }
    }

    /// The views and the lists with their colours, the numbers of their todos and their keys.
    @FormBuilder private var lists: [any FormElement] {
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
                self?.onChooseList?(list.id)
            }
        }
    }

    /// Returns the present number of todos of a list and its key.
    private func detail(of list: TodoListEntry) -> String {
        let count = (menus.lists.first { $0.id == list.id }?.count).map { "\($0)" } ?? ""
        return count + "  " + (list.key.map { "\($0)" } ?? " ")
    }
}
