internal import NeedleKit

/// A list of actions that appears beside a view or at a place; see ``View/open(_:at:)``.
///
/// Up and Down choose, Enter or a click performs, a key of an item performs it, and Escape or a click outside closes.
/// A letter chooses the next item that begins with it.
public struct Menu {
    /// The items in order.
    public var items: [Item]
    /// The text in the upper border.
    public var title: String
    /// Keys that the menu reads as others, such as `j` as Down. They choose no item by its first letter.
    public var keyAliases: [Key: Key]
    /// Called with the index of the item to which the user moves, for a preview; and with `nil` when the menu closes, before the
    /// action of a chosen item.
    public var onMove: ((Int?) -> Void)?

    /// An action of a menu, or a line between actions.
    public struct Item {
        /// The title; a line has none.
        public var title: String
        /// A text before the key, such as a number.
        public var detail: String
        /// The colour of a mark before the title; `nil` for none.
        public var color: Color?
        /// The key that performs the action while the menu is open, shown at the right.
        public var key: Key?
        /// Whether the action can be chosen.
        public var isEnabled = true
        /// Whether the item has a mark, such as the current choice.
        public var isMarked = false
        let isLine: Bool
        let action: () -> Void

        /// Creates an action.
        public init(
            _ title: String,
            detail: String = "",
            color: Color? = nil,
            key: Key? = nil,
            isEnabled: Bool = true,
            isMarked: Bool = false,
            action: @escaping () -> Void
        ) {
            self.title = title
            (self.detail, self.color) = (detail, color)
            self.key = key
            self.isEnabled = isEnabled
            self.isMarked = isMarked
            isLine = false
            self.action = action
        }

        private init() {
            (title, detail) = ("", "")
            isLine = true
            isEnabled = false
            action = {}
        }

        /// A line between groups of actions.
        public static var line: Item { Item() }
    }

    /// Creates a menu.
    ///
    /// - Parameters:
    ///   - items: The items in order.
    ///   - title: The text in the upper border.
    ///   - keyAliases: Keys that the menu reads as others, such as ``MovementKeys/letters``.
    public init(_ items: [Item], title: String = "", keyAliases: [Key: Key] = [:]) {
        self.items = items
        self.title = title
        self.keyAliases = keyAliases
    }
}

extension View {
    /// Opens a menu below the view, or above it where there is no room below. Does nothing outside of a window.
    ///
    /// - Parameters:
    ///   - menu: The actions.
    ///   - place: A cell of the view to open the menu at, such as that of a click; `nil` for below the view.
    public func open(_ menu: Menu, at place: GridPoint? = nil) {
        guard let window else { return }
        let origin = convertToWindow(place ?? .zero)
        let size = place == nil ? bounds.size : GridSize(width: 0, height: 1)
        let layer = MenuLayer(menu, of: self, beside: GridRect(origin: origin, size: size), in: window)
        window.fill(with: layer)
        window.layoutIfNeeded()
        layer.list.becomeFirstResponder()
    }
}

/// The whole window while a menu is open: it traps the focus, and a click outside of the list closes the menu. It closes with
/// the screen that opened it, too.
final class MenuLayer: View {
    let list: MenuList
    private weak var opener: View?

    init(_ menu: Menu, of opener: View, beside anchor: GridRect, in window: Window) {
        list = MenuList(menu)
        self.opener = opener
        super.init()
        trapsFocus = true
        list.onClose = { [weak self] in self?.close() }
        addSubview(list)
        let size = list.contentSize
        // The line of keys stays visible.
        let rows = max(1, HintBar.top(in: window) ?? window.bounds.height)
        let height = min(size.height, rows)
        let width = min(size.width, max(1, window.bounds.width))
        let below = anchor.maxY
        let y = below + height <= rows ? below : anchor.minY >= height ? anchor.minY - height : rows - height
        let x = max(0, min(anchor.minX, window.bounds.width - width))
        list.place(in: GridRect(x: x, y: y, width: width, height: height))
    }

    override func mouse(_ event: MouseEvent) -> Bool {
        if case .down = event.kind { close() }
        return true
    }

    /// Closes the menu if the view that opened it has left the window.
    func closeWithoutOpener() {
        if opener?.window !== window { close() }
    }

    private func close() {
        removeFromSuperview()
        list.menu.onMove?(nil)
    }

    // A menu stays at its place, which a change of size moves.
    private var laidOut: GridSize?
    override func layoutSubviews() {
        if let laidOut, laidOut != bounds.size { close() }
        laidOut = bounds.size
    }
}

/// The framed list of an open ``Menu``, which has the focus until it closes.
public final class MenuList: Control {
    let menu: Menu
    var onClose: (() -> Void)?

    private var chosen: Int?
    private var offset = 0

    init(_ menu: Menu) {
        self.menu = menu
        super.init()
        surface = \.panel
        chosen = menu.items.firstIndex { $0.isMarked && $0.isEnabled } ?? menu.items.firstIndex { $0.isEnabled }
    }

    /// The size with the border.
    var contentSize: GridSize {
        let widths = menu.items.map { item in
            DisplayWidth.of(item.title) + (item.color == nil ? 0 : 2)
                + [DisplayWidth.of(item.detail), keyWidth(item)].filter { $0 > 0 }.reduce(0) { $0 + $1 + 2 }
        }
        return GridSize(
            width: max((widths.max() ?? 0) + 6, DisplayWidth.of(menu.title) + 6),
            height: menu.items.count + 2
        )
    }

    /// The title and the items; the current choice has a mark.
    public override var plainText: [String] {
        (menu.title.isEmpty ? [] : ["== \(menu.title) =="])
            + menu.items.enumerated().filter { !$0.element.isLine }.map { index, item in
                (index == chosen ? "> " : "  ") + (item.isMarked ? "● " : "") + "[\(item.title)]"
                    + (item.detail.isEmpty ? "" : " \(item.detail)")
            }
    }

    /// Chooses, performs or closes; see ``Menu``.
    public override func keyDown(_ key: Key) -> Bool {
        switch menu.keyAliases[key] ?? key {
        case Key(.up), Key(.tab, .shift): move(by: -1)
        case Key(.down), Key(.tab): move(by: 1)
        case Key(.home): choose(menu.items.firstIndex { $0.isEnabled })
        case Key(.end): choose(menu.items.lastIndex { $0.isEnabled })
        case Key(.pageUp): for _ in 0..<max(1, rows - 1) { move(by: -1, wraps: false) }
        case Key(.pageDown): for _ in 0..<max(1, rows - 1) { move(by: 1, wraps: false) }
        case Key(.enter), .character(" "): perform(chosen)
        case Key(.escape): onClose?()
        default:
            if let index = menu.items.firstIndex(where: { $0.key == key && $0.isEnabled }) {
                perform(index)
            } else if let typed = key.text?.lowercased() {
                // A letter chooses the next item that begins with it.
                let order = menu.items.indices.map { ($0 + (chosen ?? -1) + 1) % menu.items.count }
                choose(
                    order.first { menu.items[$0].isEnabled && menu.items[$0].title.lowercased().hasPrefix(typed) }
                        ?? chosen
                )
            }
        }
        return true
    }

    /// A click performs an action, and the wheel scrolls.
    public override func mouse(_ event: MouseEvent) -> Bool {
        let index = event.location.y - 1 + offset
        let isInside = event.location.y >= 1 && event.location.y <= rows && menu.items.indices.contains(index)
        switch event.kind {
        case .down(.left) where isInside && menu.items[index].isEnabled: perform(index)
        case .move where isInside && menu.items[index].isEnabled: choose(index)
        case .wheelUp: offset = max(0, offset - 1)
        case .wheelDown: offset = max(0, min(menu.items.count - rows, offset + 1))
        default: break
        }
        setNeedsDisplay()
        return true
    }

    /// Draws the frame, the title and the items.
    public override func draw(in canvas: Canvas) {
        canvas.frame(bounds, style: theme.border)
        if !menu.title.isEmpty, bounds.width > 6 {
            let title = TextLayout.truncate(menu.title, to: bounds.width - 6)
            canvas.text(" \(title) ", x: 2, y: 0, style: theme.title)
        }
        let bar = ScrollBar(length: rows, content: menu.items.count, offset: offset)
        if bar.isNeeded {
            for y in bar.thumb { canvas.text("┃", x: bounds.width - 1, y: y + 1, style: theme.border) }
        }
        for (row, item) in menu.items.dropFirst(offset).prefix(max(0, rows)).enumerated() {
            let y = row + 1
            if item.isLine {
                canvas.text(String(repeating: "─", count: max(0, bounds.width - 2)), x: 1, y: y, style: theme.border)
                continue
            }
            var style = item.isEnabled ? TextStyle.plain : TextStyle(foreground: theme.disabledButton.foreground)
            if row + offset == chosen {
                style = theme.selection
                canvas.fill(GridRect(x: 1, y: y, width: bounds.width - 2, height: 1), style: style)
            }
            canvas.text(item.isMarked ? "●" : " ", x: 1, y: y, style: style)
            var end = bounds.width - 2
            let key = Self.name(of: item.key)
            if keyWidth(item) > 0 {
                canvas.text(key, x: end - DisplayWidth.of(key), y: y, style: style)
                end -= keyWidth(item) + 2
            }
            var x = 3
            // Half of the room is the title's, if it needs it.
            let room = end - x - (item.color == nil ? 0 : 2)
            let detail = TextLayout.truncate(
                item.detail,
                to: max(0, room - 2 - min(DisplayWidth.of(item.title), room / 2))
            )
            if !detail.isEmpty {
                let style = row + offset != chosen && item.isEnabled ? theme.secondary : style
                canvas.text(detail, x: end - DisplayWidth.of(detail), y: y, style: style)
                end -= DisplayWidth.of(detail) + 2
            }
            if let color = item.color {
                var mark = style
                if !theme.isMonochrome, row + offset != chosen { mark.foreground = color }
                x = canvas.text("■", x: x, y: y, style: mark) + 1
            }
            canvas.text(TextLayout.truncate(item.title, to: max(0, end - x)), x: x, y: y, style: style)
        }
    }

    private static func name(of key: Key?) -> String { key.map { "\($0)" } ?? "" }

    /// The width of the key of an item. With a text before it, it is that of the widest key, so that the texts are aligned.
    private func keyWidth(_ item: Menu.Item) -> Int {
        let keys = item.detail.isEmpty ? [item.key] : menu.items.map(\.key)
        return keys.map { DisplayWidth.of(Self.name(of: $0)) }.max() ?? 0
    }

    private var rows: Int { max(1, bounds.height - 2) }

    /// Scrolls to the chosen item.
    public override func layoutSubviews() { showChosen() }

    private func showChosen() {
        if let chosen { offset = min(max(offset, chosen - rows + 1), chosen) }
        offset = max(0, min(offset, menu.items.count - rows))
    }

    private func choose(_ index: Int?) {
        if index != chosen { menu.onMove?(index) }
        chosen = index
        showChosen()
        setNeedsDisplay()
    }

    private func move(by step: Int, wraps: Bool = true) {
        let enabled = menu.items.indices.filter { menu.items[$0].isEnabled }
        guard !enabled.isEmpty else { return }
        guard let chosen, let place = enabled.firstIndex(of: chosen) else { return choose(enabled[0]) }
        let next = place + step
        choose(enabled[wraps ? (next + enabled.count) % enabled.count : max(0, min(enabled.count - 1, next))])
    }

    private func perform(_ index: Int?) {
        guard let index, menu.items.indices.contains(index), menu.items[index].isEnabled else { return }
        onClose?()
        menu.items[index].action()
    }
}
