import AppLanguage
import AppUI
import TerminalUI
import TodoCore

/// The settings at the right: the choices of the user, which apply at once and are stored.
@MainActor
final class SettingsPanel {
    weak var listener: (any RootPresentableListener)?
    let viewController = MenuViewController()
    /// Called when an item of the menu is chosen that is among the settings, too.
    var onChoose: ((RootMenuItem) -> Void)?
    /// Called when the keys are to be changed.
    var onChangeKeys: (() -> Void)?

    private let language: AppLanguage
    private let keyMap: KeyMap
    private var menus = RootMenus()

    init(language: AppLanguage, keyMap: KeyMap) { (self.language, self.keyMap) = (language, keyMap) }

    func show(_ menus: RootMenus, hasSameElements: Bool) {
        self.menus = menus
        if hasSameElements { return viewController.refresh() }
        viewController.show { [weak self] in if let self { elements } }
    }

    /// Changes the choices of the user.
    func change(_ change: (inout Preferences) -> Void) {
        var preferences = menus.preferences
        change(&preferences)
        listener?.didChange(preferences)
    }

    @FormBuilder private var elements: [any FormElement] {
        let session = RootText.description(of: menus.session)(language)
        Text(lines: 0) { session }
        Check(
            RootText.consent(language),
            isOn: Binding { [weak self] in
                self?.menus.hasConsent ?? false
            } set: { [weak self] in
                self?.listener?.didChangeConsent($0)
            }
        )
        Separator()
        row(RootText.theme, \.palette, Preferences.Palette.allCases, RootText.name) { [weak self] in
            self?.listener?.didPreview($0)
        }
        row(RootText.language, \.language, [nil] + AppLanguage.allCases, RootText.name)
        row(RootText.draw, \.draw, PictureChoice.allCases, RootText.name)
        Check(
            RootText.showsPicture(language),
            isOn: Binding { [weak self] in
                self?.menus.preferences.showsPicture ?? true
            } set: { [weak self] isOn in
                self?.change { $0.showsPicture = isOn }
            }
        )
        row(RootText.pictureInterval, \.pictureInterval, [nil, 1, 5, 15, 60], RootText.name(pictureInterval:))
        Separator()
        row(RootText.dates, \.dates.format, DateStyle.Format.allCases, RootText.name)
        row(RootText.week, \.dates.firstWeekday, DateStyle.Weekday.allCases, RootText.name)
        row(RootText.view, \.view, [nil] + menus.views.map(\.name)) { name in
            menus.views.first { $0.name == name }?.title ?? name.map { LocalizedText(verbatim: $0) } ?? RootText.noView
        }
        row(RootText.reminder, \.reminder, [nil, 0, 5, 15, 30, 60], RootText.name(reminder:))
        row(RootText.syncInterval, \.syncInterval, [0, 5, 15, 60], RootText.name(interval:))
        Separator()
        Action(RootText.changeKeys(language), kind: .item) { [weak self] in self?.onChangeKeys?() }
        if menus.items.contains(.profile) {
            item(.profile, RootText.breed)
            item(.sync, RootMenuItem.sync.title)
        }
        Separator()
        for (name, folder) in zip(RootText.folders, menus.folders) {
            Text(name(language), role: .secondary)
            Text(lines: 0) { folder }
        }
    }

    /// Returns a row with the possible values of a choice, and with the present one, which may be another one in the file.
    private func row<Value: Equatable>(
        _ title: LocalizedText,
        _ path: any WritableKeyPath<Preferences, Value> & Sendable,
        _ possible: [Value],
        _ name: (Value) -> LocalizedText,
        preview: ((Value?) -> Void)? = nil
    ) -> Row {
        let present = menus.preferences[keyPath: path]
        let values = possible.contains(present) ? possible : possible + [present]
        let selected = Binding { [weak self] in
            self.flatMap { values.firstIndex(of: $0.menus.preferences[keyPath: path]) } ?? 0
        } set: { [weak self] index in
            self?.change { $0[keyPath: path] = values[index] }
        }
        return Row(title(language)) {
            Options(
                values.map { name($0)(language) },
                selected: selected,
                preview: preview.map { preview in { preview($0.map { values[$0] }) } }
            )
        }
    }

    private func item(_ item: RootMenuItem, _ title: LocalizedText) -> Action {
        Action(title(language), kind: .item, detail: item.key(in: keyMap)) { [weak self] in self?.onChoose?(item) }
    }
}
