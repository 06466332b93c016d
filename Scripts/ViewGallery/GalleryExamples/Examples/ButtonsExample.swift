import TerminalUI

extension GalleryExample {
    /// Buttons, a checkbox, a picker and a menu.
    static let buttons = GalleryExample("buttons", "Buttons and menus") {
        let result = Label("Nothing has been pressed.", role: .secondary)
        let menu = Button("Menu…")
        menu.onTap = { [weak menu] in
            menu?.open(
                Menu([
                    .init("Complete", key: .character("c")) { result.text = "completed" },
                    .init("Move to 내일", key: .character("m")) { result.text = "moved" },
                    .line,
                    .init("Archive", isEnabled: false) {},
                    .init("Delete") { result.text = "deleted" },
                ])
            )
        }
        let disabled = Button("Disabled")
        disabled.isEnabled = false
        let picker = Picker(["low 낮음", "middle 보통", "high 높음"], selectedIndex: 1)
        picker.accessibilityLabel = "Priority"
        picker.onChange = { result.text = "priority \($0 + 1)" }
        return GalleryStack([
            Button("Plain") { result.text = "plain" }, Button("Primary", kind: .primary) { result.text = "primary" },
            Button("Destructive", kind: .destructive) { result.text = "destructive" }, disabled,
            Checkbox("Notify me 알림") { result.text = $0 ? "on" : "off" }, picker, menu, result,
        ])
    }
}
