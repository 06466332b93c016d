import TerminalUI

extension GalleryExample {
    /// A toolbar with a drawer around a navigation stack.
    static let navigation = GalleryExample("navigation", "Navigation and drawers") {
        let navigation = NavigationController(root: NavigationExamplePage(depth: 1))
        let toolbar = ToolbarController(content: navigation, title: "PRESS START")
        let menu = GalleryStack([Button("Todos", kind: .bar), Button("사진", kind: .bar)])
        let drawer = DrawerController(content: toolbar, left: menu)
        toolbar.toolbar.setLeft("≡ Menu") { [weak drawer] in drawer?.toggle(.left) }
        return drawer
    }
}

private final class NavigationExamplePage: ViewController {
    private let depth: Int

    init(depth: Int) {
        self.depth = depth
        super.init()
    }

    override func loadView() -> View {
        let depth = depth
        let stack = GalleryStack([
            Label("Page \(depth) 쪽", role: .title),
            Button("Next page") { [weak self] in
                self?.navigationController?.push(NavigationExamplePage(depth: depth + 1))
            },
            Button("Back") { [weak self] in self?.navigationController?.pop() },
        ])
        addChild(stack)
        return stack.view
    }
}
