/// The drawing surface of a view: cells in the view's coordinates, clipped to its visible part.
///
/// A style with `Color.standard` does not replace the colours of the surface below it, so text on a panel has the panel's
/// colours. What was drawn there before, such as other text, is covered with its style.
/// Text is sanitised when it becomes a cell, so a view may draw untrusted text.
@MainActor
public final class Canvas {
    /// The cells drawn so far.
    public private(set) var buffer: ScreenBuffer
    private var origin = GridPoint.zero
    private var clip: GridRect
    /// The background of the view that is drawn, or of the nearest view around it that has one.
    private var surface = TextStyle.plain

    /// Creates a blank canvas.
    public init(size: GridSize) {
        buffer = ScreenBuffer(size: size)
        clip = buffer.bounds
    }

    /// Whether no cell of the current view is visible.
    public var isClippedAway: Bool { clip.isEmpty }

    /// Draws text on one line and returns the column after it. Control characters are drawn as symbols.
    @discardableResult
    public func text(_ text: some StringProtocol, x: Int, y: Int, style: TextStyle = .plain) -> Int {
        let end = buffer.write(text, x: origin.x + x, y: origin.y + y, style: style, in: clip, over: surface)
        return end - origin.x
    }

    /// Draws one cell.
    public func put(_ cell: Cell, x: Int, y: Int) {
        buffer.draw(cell, x: origin.x + x, y: origin.y + y, in: clip, over: surface)
    }

    /// Fills a rectangle with a character of width one; a space covers what is below.
    public func fill(_ rect: GridRect, style: TextStyle, with character: Character = " ") {
        let area = rect.offsetBy(x: origin.x, y: origin.y).intersection(clip)
        buffer.drawFill(area, with: Cell(character, style: style), over: surface)
    }

    /// Fills a rectangle with blank cells of exactly this style, without inheriting colours.
    public func cover(_ rect: GridRect, style: TextStyle) {
        buffer.fill(rect.offsetBy(x: origin.x, y: origin.y).intersection(clip), with: Cell(.space, style: style))
    }

    /// Draws a border with rounded corners along the edges of a rectangle.
    public func frame(_ rect: GridRect, style: TextStyle) {
        guard rect.width >= 2 && rect.height >= 2 else { return }
        let line = String(repeating: "─", count: rect.width - 2)
        text("╭" + line + "╮", x: rect.minX, y: rect.minY, style: style)
        for y in rect.minY + 1..<rect.maxY - 1 {
            text("│", x: rect.minX, y: y, style: style)
            text("│", x: rect.maxX - 1, y: y, style: style)
        }
        text("╰" + line + "╯", x: rect.minX, y: rect.maxY - 1, style: style)
    }

    /// Draws a vertical scroll bar.
    ///
    /// - Parameters:
    ///   - x: The column of the bar.
    ///   - height: The number of visible rows.
    ///   - offset: The first visible row of the content.
    ///   - content: The number of rows of the content; the bar is drawn only if it exceeds `height`.
    ///   - style: The bar's style.
    public func scrollBar(x: Int, height: Int, offset: Int, content: Int, style: TextStyle) {
        scrollBar(ScrollBar(length: height, content: content, offset: offset), x: x, style: style)
    }

    func scrollBar(_ bar: ScrollBar, x: Int, style: TextStyle) {
        guard bar.isNeeded else { return }
        let thumb = bar.thumb
        for y in 0..<bar.length { text(thumb.contains(y) ? "┃" : "│", x: x, y: y, style: style) }
    }

    /// Dims the cells in a rectangle, as behind a panel.
    public func dim(_ rect: GridRect) {
        buffer.restyle(rect.offsetBy(x: origin.x, y: origin.y).intersection(clip)) {
            $0.attributes.insert(.dim)
            $0.attributes.remove(.bold)
            // Pixels cannot be dimmed: the cells are shown instead.
            $0.picture = .none
        }
    }

    /// Covers the coordinate space with the background of a view, which is the surface of what is drawn in it.
    func cover(with background: TextStyle, size: GridSize) {
        cover(GridRect(origin: .zero, size: size), style: background)
        surface = background
    }

    /// Draws with a rectangle of the current coordinates as the new coordinate space and clip.
    func within(_ rect: GridRect, _ body: () -> Void) {
        let before = (origin, clip, surface)
        clip = clip.intersection(rect.offsetBy(x: origin.x, y: origin.y))
        origin = GridPoint(x: origin.x + rect.minX, y: origin.y + rect.minY)
        body()
        (origin, clip, surface) = before
    }

    /// Returns the link of an address, for the style of what is drawn.
    public func link(to address: String) -> LinkID { buffer.link(to: address) }

    /// Places a picture that the terminal shows in place of the cells that name it in their style.
    func place(_ picture: PictureLayer, x: Int, y: Int) {
        buffer.place(picture, at: GridPoint(x: origin.x + x, y: origin.y + y))
    }

    /// Draws the cells of another buffer, without its pictures and links.
    func draw(_ cells: ScreenBuffer) {
        for y in 0..<cells.size.height {
            for x in 0..<cells.size.width {
                var cell = cells[x, y]
                if cell.isContinuation { continue }
                cell.style.picture = .none
                cell.style.link = .none
                put(cell, x: x, y: y)
            }
        }
    }
}
