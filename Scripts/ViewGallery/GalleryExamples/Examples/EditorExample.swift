import TerminalUI

extension GalleryExample {
    /// An editor for several lines: selection, undo, clipboard and a limit.
    static let editor = GalleryExample("editor", "Text editor") {
        let editor = TextView(
            placeholder: "notes",
            text:
                "우유 사기\n- 저지방\n- two bottles\n\nA long line wraps at the width of the view, between any two letters 한글."
        )
        editor.accessibilityLabel = "Notes"
        editor.maximumLength = 400
        let hint = Label(
            "Shift and an arrow select, Ctrl-C copies, Ctrl-_ undoes, Ctrl-Y repeats.",
            role: .secondary,
            numberOfLines: 0
        )
        return GalleryStack([(hint, nil), (editor, 8)])
    }
}
