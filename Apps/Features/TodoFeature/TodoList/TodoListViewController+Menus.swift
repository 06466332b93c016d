import AppLanguage
import AppUI
import TerminalUI
import TodoCore

/// The menus over the list: its order and groups, the templates, and the lists to which the user can switch.
extension TodoListViewController {
    /// The lists, the contexts, the orders and the groups, for the command palette.
    var commands: [PaletteCommand] {
        let scopes = model?.scopes ?? []
        var commands = scopes.map { scope in
            PaletteCommand(TodoScopeText.show.labelling(scope.title)) { [weak self] in
                self?.listener?.didChoose(scope)
            }
        }
        let contexts = scopes.compactMap(\.contextName)
        for name in contexts.isEmpty ? [] : [nil] + contexts.map(Optional.some) where name != model?.context?.name {
            commands.append(
                PaletteCommand(TodoScopeText.context(name)) { [weak self] in self?.listener?.didChooseContext(name) }
            )
        }
        commands += TodoListText.sorts.map { entry in
            PaletteCommand(TodoListText.sort.labelling(entry.title)) { [weak self] in
                self?.listener?.didChooseSort(entry.sort)
            }
        }
        commands += TodoListText.groupings.map { entry in
            PaletteCommand(TodoListText.group.labelling(entry.title)) { [weak self] in
                self?.listener?.didChooseGrouping(entry.grouping)
            }
        }
        return commands
    }

    func chooseSort() {
        let sorts = TodoListText.sorts
        let present = sorts.firstIndex { $0.sort == model?.request.sort }
        openMenu(TodoListText.sortBy, sorts.map(\.title), marking: present ?? 0) { [weak self] index in
            self?.listener?.didChooseSort(sorts[index].sort)
        }
    }

    func chooseGrouping() {
        let groupings = TodoListText.groupings
        let present = groupings.firstIndex { $0.grouping == model?.request.grouping }
        openMenu(TodoListText.groupBy, groupings.map(\.title), marking: present ?? 0) { [weak self] index in
            self?.listener?.didChooseGrouping(groupings[index].grouping)
        }
    }

    /// Opens a menu over the list. The first nine choices have a digit as their key.
    func openMenu(
        _ title: LocalizedText,
        _ choices: [LocalizedText],
        marking present: Int? = nil,
        choose: @escaping (Int) -> Void
    ) {
        let digits = "123456789".map { Key.character($0) }
        let items = choices.enumerated().map { index, choice in
            Menu.Item(
                choice(language),
                key: digits.indices.contains(index) ? digits[index] : nil,
                isMarked: index == present
            ) { choose(index) }
        }
        pane.open(Menu(items, title: title(language), keyAliases: MovementKeys.letters), at: GridPoint(x: 2, y: 0))
    }

    func offer(_ scopes: [TodoScope], counts: [Int]) {
        defer {
            let keys = keysForMenu ?? []
            keysForMenu = nil
            for key in keys { view.window?.dispatch(.key(key)) }
        }
        guard let model, let listener else { return }
        let menu = TodoScopeMenu(scopes, counts: counts, model: model, language: language, listener: listener)
        let isFiltered = !model.filterText.isBlank
        let save = isFiltered ? { [weak self] in self?.askForViewName() ?? () } : nil
        pane.open(menu.menu(on: pane, save: save), at: GridPoint(x: 2, y: 0))
    }

    func offer(templates names: [String]) {
        openMenu(TodoListText.templates, names.map { LocalizedText(verbatim: $0) }) { [weak self] in
            self?.listener?.didChoose(template: names[$0])
        }
    }
}
