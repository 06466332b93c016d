/// The names of tabs in a row; the arrows choose while it has the focus.
public final class TabBar: Control {
    /// The names.
    public let titles: [String]
    /// The chosen one.
    public var selectedIndex = 0 { didSet { setNeedsDisplay() } }
    /// Called when the user chose one.
    public var onSelect: ((Int) -> Void)?

    /// A bar of names.
    public init(titles: [String]) {
        self.titles = titles
        super.init()
    }

    /// Takes the panels' colours of the window's theme.
    public override func didMoveToWindow() { background = theme.panel }
    /// Takes the panels' colours anew.
    public override func traitsDidChange() { background = theme.panel }

    /// Left and right ask for the tab beside the selected one; at an end the key goes on.
    public override func keyDown(_ key: Key) -> Bool {
        let step = key == Key(.left) ? -1 : key == Key(.right) ? 1 : 0
        let index = selectedIndex + step
        guard step != 0, titles.indices.contains(index) else { return false }
        onSelect?(index)
        return true
    }

    /// A click asks for the tab under it; beside the titles it is handled and does nothing.
    public override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down(.left) = event.kind else { return false }
        if let index = ranges.firstIndex(where: { $0.contains(event.location.x) }) { onSelect?(index) }
        return true
    }

    /// Draws the titles in a row, the selected one marked.
    public override func draw(in canvas: Canvas) {
        for (index, range) in ranges.enumerated() {
            var style = Style.plain
            if index == selectedIndex { style = isFirstResponder ? theme.focusedButton : theme.inactiveSelection }
            canvas.text(" \(titles[index]) ", x: range.lowerBound, y: 0, style: style)
        }
    }

    private var ranges: [Range<Int>] {
        var x = 0
        return titles.map { title in
            let start = x
            x += DisplayWidth.of(title) + 2
            return start..<x
        }
    }
}
