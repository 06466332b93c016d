public import NeedleKit
public import Pictures

/// Draws a picture in character cells, scaled to fit, in the terminal's colours.
public final class ImageView: View {
    /// The picture. It is rendered again only if the picture, the size or the colours change.
    public var picture: Picture? { didSet { drawn = nil; setNeedsDisplay() } }
    /// The drawing style; `nil` uses half-blocks, or characters without colours.
    public var pictureStyle: PictureStyle? { didSet { drawn = nil; setNeedsDisplay() } }
    /// Cells rendered in advance, shown if `picture` is `nil`.
    public var cells: PictureCells? { didSet { setNeedsDisplay() } }
    /// The horizontal alignment in a wider view.
    public var alignment = Label.Alignment.center { didSet { setNeedsDisplay() } }

    private var drawn: (key: Key, cells: PictureCells)?

    private struct Key: Equatable {
        let size: Size
        let depth: ColorDepth
        let background: PictureColor
        let cellAspect: Double
    }

    /// Creates an image view.
    public init(_ picture: Picture? = nil) {
        self.picture = picture
        super.init()
    }

    /// The size of `cells`; none for a picture, which is scaled to the view.
    public override var intrinsicContentSize: IntrinsicSize {
        guard picture == nil, let cells else { return .none }
        return IntrinsicSize(width: Double(cells.columns), height: Double(cells.rows))
    }

    /// The accessibility label, or that there is a picture.
    public override var plainText: [String] {
        if let accessibilityLabel { return [accessibilityLabel] }
        return picture == nil && cells == nil ? [] : ["(picture)"]
    }

    /// Draws the picture, or the accessibility label if there is no picture.
    public override func draw(in canvas: Canvas) {
        guard let grid = grid() else {
            if let accessibilityLabel, bounds.height > 0 {
                let text = TextLayout.truncate(accessibilityLabel, to: bounds.width)
                let x = (bounds.width - DisplayWidth.of(text)) / 2
                canvas.text(text, x: x, y: (bounds.height - 1) / 2, style: theme.secondary)
            }
            return
        }
        let space = bounds.width - grid.columns
        let left = alignment == .leading ? 0 : alignment == .center ? space / 2 : space
        let top = max(0, (bounds.height - grid.rows) / 2)
        for row in 0..<min(grid.rows, bounds.height) {
            for column in 0..<grid.columns {
                let cell = grid[column, row]
                canvas.put(
                    Cell(
                        cell.character,
                        style: Style(foreground: color(cell.foreground), background: color(cell.background))
                    ),
                    x: left + column,
                    y: top + row
                )
            }
        }
    }

    private func grid() -> PictureCells? {
        guard let picture else { return cells }
        let depth = window?.colorDepth ?? .trueColor
        let key = Key(
            size: bounds.size,
            depth: depth,
            background: backgroundOfPicture,
            cellAspect: window?.cellAspect ?? 2
        )
        if let drawn, drawn.key == key { return drawn.cells }
        var renderer = PictureRenderer(depth: depth.forPictures)
        if let pictureStyle { renderer.style = pictureStyle }
        renderer.background = key.background
        renderer.cellAspect = key.cellAspect
        let cells = renderer.render(picture, columns: bounds.width, rows: bounds.height)
        drawn = (key, cells)
        return cells
    }

    /// The colour behind transparent pixels: that of the nearest view with a background, or the terminal's.
    private var backgroundOfPicture: PictureColor {
        let behind = sequence(first: self as View) { $0.superview }.lazy.compactMap { $0.background?.background }
            .first { $0 != .standard }
        let color = behind ?? window?.terminalBackground ?? theme.assumedBackground
        return color.components.map { PictureColor($0.red, $0.green, $0.blue) } ?? .black
    }

    private func color(_ color: PictureColor?) -> Color {
        color.map { .rgb($0.red, $0.green, $0.blue) } ?? .standard
    }
}

extension ColorDepth {
    /// The same depth as a `PictureColorDepth`.
    public var forPictures: PictureColorDepth {
        switch self {
        case .none: .none
        case .indexed16: .ansi16
        case .indexed256: .palette256
        case .trueColor: .trueColor
        }
    }
}
