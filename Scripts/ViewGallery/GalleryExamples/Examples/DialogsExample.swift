import TerminalUI

extension GalleryExample {
    /// An alert, a sheet, and messages at the lower edge.
    static let dialogs = GalleryExample("dialogs", "Alerts, sheets, messages") {
        SnackbarController(content: DialogsExampleController())
    }
}

private final class DialogsExampleController: ViewController {
    override func loadView() -> View {
        let stack = GalleryStack([
            Button("Alert…") { [weak self] in self?.ask() },
            Button("Sheet…") { [weak self] in self?.edit() },
            Button("Message") { [weak self] in
                self?.snackbarController?.show("Saved: 우유 사기", action: "Undo")
            },
            Button("Error") { [weak self] in
                self?.snackbarController?.show("The file could not be saved. Free some space.", kind: .error)
            },
        ])
        addChild(stack)
        return stack.view
    }

    private func ask() {
        let alert = AlertController(title: "Delete this todo?", message: "되돌릴 수 있습니다: undo brings it back.")
        alert.addAction("Cancel", kind: .cancel)
        alert.addAction("Delete", kind: .destructive)
        present(alert)
    }

    private func edit() {
        let content = GalleryStack([
            Label("Title 제목"), TextField(text: "우유 사기"), Button("Save", kind: .primary),
        ])
        present(SheetController(content: content, title: "Edit 편집", maximumSize: GridSize(width: 44, height: 10)))
    }
}
