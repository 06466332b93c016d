internal import NeedleKit

/// Shows one of several view controllers above a tab bar; Alt and a digit select a tab.
public final class TabBarController: ViewController {
    /// The view controllers; their titles name the tabs.
    public let viewControllers: [ViewController]
    /// The index of the visible tab.
    public private(set) var selectedIndex = 0
    /// Called when the user has selected another tab.
    public var onSelect: ((Int) -> Void)?

    private let bar: TabBar

    /// Creates a tab bar controller.
    public init(_ viewControllers: [ViewController]) {
        self.viewControllers = viewControllers
        bar = TabBar(titles: viewControllers.map { $0.title ?? "" })
        super.init()
        for controller in viewControllers { addChild(controller) }
        bar.onSelect = { [weak self] in self?.choose($0) }
    }

    /// Adds the bar in the bottom row and shows the selected tab above it.
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

    /// Selects a tab. Does nothing for an index out of range.
    public func select(_ index: Int) {
        guard viewControllers.indices.contains(index), index != selectedIndex else { return }
        viewControllers[selectedIndex].viewIfLoaded?.removeFromSuperview()
        selectedIndex = index
        bar.selectedIndex = index
        if viewIfLoaded != nil { show() }
    }

    /// Alt with a digit, from 1, selects that tab.
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

/// A row of tab titles; the arrow keys select a tab while it has the focus.
final class TabBar: Control {
    /// The titles of the tabs.
    let titles: [String]
    /// The index of the selected tab.
    var selectedIndex = 0 { didSet { setNeedsDisplay() } }
    /// Called when the user selects a tab.
    var onSelect: ((Int) -> Void)?

    /// Creates a bar with titles.
    init(titles: [String]) {
        self.titles = titles
        super.init()
    }

    /// Applies the theme's panel colours.
    override func didMoveToWindow() { background = theme.panel }
    /// Applies the theme's panel colours again.
    override func traitsDidChange() { background = theme.panel }

    /// Left and Right select the neighbouring tab; at an end the key is not handled.
    override func keyDown(_ key: Key) -> Bool {
        let step = key == Key(.left) ? -1 : key == Key(.right) ? 1 : 0
        let index = selectedIndex + step
        guard step != 0, titles.indices.contains(index) else { return false }
        onSelect?(index)
        return true
    }

    /// A click selects the tab below the pointer.
    override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down(.left) = event.kind else { return false }
        if let index = ranges.firstIndex(where: { $0.contains(event.location.x) }) { onSelect?(index) }
        return true
    }

    override var plainText: [String] {
        [titles.enumerated().map { $0 == selectedIndex ? "[\($1)]" : $1 }.joined(separator: " | ")]
    }

    /// Draws the titles and marks the selected one.
    override func draw(in canvas: Canvas) {
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
