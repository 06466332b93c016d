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
