extension Window {
    /// The screen in words: the views from top to bottom and from left to right, each focusable one with its number.
    ///
    /// While an alert, a drawer or a menu is open, the lines are those of it alone, as it has the focus.
    public var plainLines: [String] {
        layoutIfNeeded()
        let focusable = plainFocusable
        var lines: [String] = []
        func add(_ view: View) {
            guard !view.isHidden else { return }
            let number = focusable.firstIndex { $0 === view }.map { $0 + 1 }
            for (index, line) in view.plainText.enumerated() {
                let mark = view === firstResponder ? "*" : ""
                let prefix = index == 0 ? number.map { "\($0)\(mark) " } ?? "" : ""
                lines.append(prefix + String(line.flatMap { Glyph($0).text }))
            }
            let order = view.subviews.sorted { left, right in
                (left.frame.minY, left.frame.minX) < (right.frame.minY, right.frame.minX)
            }
            order.forEach(add)
        }
        add(focusRoot)
        return lines
    }

    /// The focusable views in the order of their numbers; not those that only scroll.
    var plainFocusable: [View] { focusRoot.focusable.filter { !$0.isFocusedLast } }
}
