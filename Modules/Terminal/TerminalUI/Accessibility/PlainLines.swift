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

    /// The focusable views in the order of their numbers.
    var plainFocusable: [View] { focusRoot.focusable }
}

extension Key {
    /// Creates a key from its description, such as `ctrl-s`, `shift-up`, `f5` or `a`; `nil` if there is no such key.
    public init?(_ description: String) {
        var rest = Substring(description)
        var modifiers: Modifiers = []
        for (prefix, modifier) in [("ctrl-", Modifiers.control), ("alt-", .alt), ("meta-", .meta), ("shift-", .shift)]
        where rest.hasPrefix(prefix) && rest.count > prefix.count {
            modifiers.insert(modifier)
            rest = rest.dropFirst(prefix.count)
        }
        let names: [String: Code] = [
            "enter": .enter, "tab": .tab, "escape": .escape, "backspace": .backspace, "delete": .delete,
            "insert": .insert, "up": .up, "down": .down, "left": .left, "right": .right, "home": .home, "end": .end,
            "pageUp": .pageUp, "pageDown": .pageDown, "space": .character(" "),
        ]
        if let code = names[String(rest)] {
            self.init(code, modifiers)
        } else if rest.first == "f", let number = Int(rest.dropFirst()), (1...35).contains(number) {
            self.init(.function(number), modifiers)
        } else if let character = rest.first, rest.count == 1 {
            self.init(.character(character), modifiers)
        } else {
            return nil
        }
    }
}
