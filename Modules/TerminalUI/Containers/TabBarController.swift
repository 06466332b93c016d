internal import NeedleKit

/// Several view controllers of which one is seen, and a bar that names them; Alt and a digit choose one.
public final class TabBarController: ViewController {
    /// The tabs, by their titles.
    public let viewControllers: [ViewController]
    /// The tab that is seen.
    public private(set) var selectedIndex = 0
    /// Called when the user chose another tab.
    public var onSelect: ((Int) -> Void)?

    private let bar: TabBar

    /// Tabs; at least one.
    public init(_ viewControllers: [ViewController]) {
        self.viewControllers = viewControllers
        bar = TabBar(titles: viewControllers.map { $0.title ?? "" })
        super.init()
        for controller in viewControllers { addChild(controller) }
        bar.onSelect = { [weak self] in self?.choose($0) }
    }

    /// Puts the bar into the bottom row and shows the selected tab above it.
    public override func viewDidLoad() {
        view.addSubview(bar)
        bar.ndl.makeConstraints { make in
            make.left.equalTo(view)
            make.right.equalTo(view)
            make.bottom.equalTo(view)
            make.height.equalTo(1)
        }
        show()
    }

    /// Shows a tab; nothing where there is none of that number.
    public func select(_ index: Int) {
        guard viewControllers.indices.contains(index), index != selectedIndex else { return }
        viewControllers[selectedIndex].viewIfLoaded?.removeFromSuperview()
        selectedIndex = index
        bar.selectedIndex = index
        if viewIfLoaded != nil { show() }
    }

    /// Alt with a digit from 1 up shows the tab of that number.
    public override func keyDown(_ key: Key) -> Bool {
        guard key.modifiers == .alt, case .character(let character) = key.code,
            let number = character.wholeNumberValue, viewControllers.indices.contains(number - 1)
        else { return false }
        choose(number - 1)
        return true
    }

    private func choose(_ index: Int) {
        select(index)
        onSelect?(index)
    }

    private func show() {
        guard viewControllers.indices.contains(selectedIndex) else { return }
        let content = viewControllers[selectedIndex].view
        view.insertSubview(content, at: 0)
        content.ndl.remakeConstraints { make in
            make.top.equalTo(view)
            make.left.equalTo(view)
            make.right.equalTo(view)
            make.bottom.equalTo(bar.ndl.top)
        }
    }
}

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
