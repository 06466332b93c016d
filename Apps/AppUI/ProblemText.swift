package import TerminalUI

/// A text of a form that says what is wrong. A new one scrolls into view, with the focused element if both fit.
package struct ProblemText: FormElement {
    private let role: Label.Role
    private let lines: Int
    private let text: @MainActor () -> String

    /// Creates a text that is read again on every refresh, and takes no room while it is empty.
    package init(role: Label.Role = .error, lines: Int = 3, text: @escaping @MainActor () -> String) {
        (self.role, self.lines, self.text) = (role, lines, text)
    }

    /// Creates the view.
    package func makeView(in form: Form) -> View {
        let view = Text(role: role, lines: lines, text: text).makeView(in: form)
        let shown = ShownText()
        form.onRefresh { [weak view, text] in
            let current = text()
            guard let view, view.window != nil, current != shown.text else { return }
            shown.text = current
            if !current.isEmpty { view.scrollIntoViewWithFocus() }
        }
        return view
    }
}

/// The text that was shown last.
@MainActor
private final class ShownText {
    var text = ""
}

extension View {
    /// Scrolls so that this view is visible, and the focused one too if both fit or it is above.
    fileprivate func scrollIntoViewWithFocus() {
        // The text may just have received its rows.
        window?.layoutIfNeeded()
        let around = sequence(first: self) { $0.superview }
        guard let scroll = around.lazy.compactMap({ $0 as? ScrollView }).first else { return }
        let content = scroll.contentView
        var area = convert(bounds, to: content)
        if let focused = window?.firstResponder, focused.isDescendant(of: content) {
            let other = focused.convert(focused.bounds, to: content)
            let (top, end) = (min(area.minY, other.minY), max(area.maxY, other.maxY))
            area = GridRect(x: area.minX, y: top, width: area.width, height: end - top)
        }
        scroll.scrollToVisible(area)
    }
}
