public import NeedleKit
public import Pictures

/// Shows a picture, scaled to fit: in pixels where the terminal has graphics, otherwise in character cells.
///
/// The terminal is asked for its graphics (kitty's protocol, iTerm2's images, sixels) when the first image view is drawn.
/// Nothing waits for the reply: until then, and without one, the picture is drawn in cells. Pixels are scaled and
/// encoded once for each size, outside of the main actor; cells are shown meanwhile. They are also shown while another
/// view covers the middle of the picture or dims it, and in the last row of a screen that pixels there could scroll.
public final class ImageView: View {
    /// The picture. It is rendered again only if the picture, the size or the colours change.
    public var picture: Picture? {
        didSet {
            drawn = nil
            discardPixels()
            // Pictures have no size of their own, so that the frames of an animation cause no layout.
            if (picture == nil) != (oldValue == nil) { invalidateIntrinsicContentSize() }
            setNeedsDisplay()
        }
    }
    /// The drawing style; `nil` uses the terminal's graphics, otherwise the style of the window: quadrants with 24-bit
    /// colours, half-blocks with fewer, characters without colours.
    public var pictureStyle: PictureStyle? { didSet { drawn = nil; setNeedsDisplay() } }
    /// Cells rendered in advance, shown if `picture` is `nil`.
    public var cells: PictureCells? { didSet { invalidateIntrinsicContentSize(); setNeedsDisplay() } }
    /// The horizontal alignment in a wider view.
    public var alignment = Label.Alignment.center { didSet { setNeedsDisplay() } }

    /// The number of pixels that the view can show: those of the terminal's graphics, or of its cells. Zero before the view
    /// is drawn.
    public private(set) var pixelSize = PixelSize(width: 0, height: 0)
    /// Called when ``pixelSize`` has changed, so that a picture can be decoded at that size. Set it before a picture is there:
    /// the terminal is then asked for its graphics while the picture is being fetched.
    public var onPixelSizeChange: ((PixelSize) -> Void)?

    private var drawn: (key: Key, cells: PictureCells)?
    /// The pixels, once they are encoded.
    private var pixels: (key: PixelKey, layer: PictureLayer)?
    private var encoding: (key: PixelKey, task: Task<Void, Never>)?

    private struct PixelKey: Equatable {
        let size: GridSize
        let cell: PixelSize
        let background: PictureColor
        let graphics: TerminalGraphics
    }

    private struct Key: Equatable {
        let size: GridSize
        let depth: ColorDepth
        let background: PictureColor
        let cellAspect: Double
        let style: PictureStyle
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
        updatePixelSize()
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
        let layer = pixels(covering: grid)
        if let layer { canvas.place(layer, x: left, y: top) }
        let end = endOfPixels
        for row in 0..<min(grid.rows, bounds.height) {
            for column in 0..<grid.columns {
                let cell = grid[column, row]
                var style = TextStyle(foreground: color(cell.foreground), background: color(cell.background))
                if let layer, top + row < end { style.picture = layer.id }
                canvas.put(Cell(cell.character, style: style), x: left + column, y: top + row)
            }
        }
    }

    private func grid() -> PictureCells? {
        guard let picture else { return cells }
        let depth = window?.colorDepth ?? .trueColor
        let key = Key(
            size: GridSize(width: bounds.width, height: rows),
            depth: depth,
            background: backgroundOfPicture,
            cellAspect: window?.cellAspect ?? 2,
            style: cellStyle
        )
        if let drawn, drawn.key == key { return drawn.cells }
        var renderer = PictureRenderer(style: key.style, depth: depth.forPictures)
        renderer.background = key.background
        renderer.cellAspect = key.cellAspect
        let cells = renderer.render(picture, columns: bounds.width, rows: key.size.height)
        drawn = (key, cells)
        return cells
    }

    private var cellStyle: PictureStyle { pictureStyle ?? window?.pictureStyle ?? .halfBlocks }

    /// The size of a cell in pixels, for the terminal's graphics.
    private var cellPixels: PixelSize {
        if case .sixel(let size)? = window?.graphics { return size }
        return window?.cellPixels ?? PixelSize(width: 10, height: 20)
    }

    private func updatePixelSize() {
        if onPixelSizeChange != nil && pictureStyle == nil { window?.requestGraphics() }
        var size = PictureRenderer(style: cellStyle).pixelSize(columns: bounds.width, rows: bounds.height)
        if let window, pictureStyle == nil, window.graphics != .none {
            size = PixelSize(width: bounds.width * cellPixels.width, height: bounds.height * cellPixels.height)
        }
        guard size != pixelSize else { return }
        pixelSize = size
        onPixelSizeChange?(size)
    }

    /// The number of rows for the picture.
    private var rows: Int {
        guard usesPixels, let window, window.graphics != .kitty else { return bounds.height }
        // A terminal may scroll after a picture that ends in its last row.
        let end = convertToWindow(GridPoint(x: 0, y: bounds.height)).y
        return end >= window.bounds.height ? max(1, bounds.height - 1) : bounds.height
    }

    /// The row before which pixels may be shown: of a part of the picture, too, none is in the last row of such a terminal.
    private var endOfPixels: Int {
        guard let window, window.graphics != .kitty else { return bounds.height }
        return window.bounds.height - 1 - convertToWindow(.zero).y
    }

    private var usesPixels: Bool {
        guard let window, picture != nil, pictureStyle == nil else { return false }
        return window.graphics != .none
    }

    /// Returns the pixels for a grid of cells, or begins to encode them.
    private func pixels(covering grid: PictureCells) -> PictureLayer? {
        if picture != nil && pictureStyle == nil { window?.requestGraphics() }
        guard usesPixels, let window, let picture, grid.columns > 0, grid.rows > 0 else { return nil }
        let graphics = window.graphics
        let key = PixelKey(
            size: GridSize(width: grid.columns, height: grid.rows),
            cell: cellPixels,
            background: backgroundOfPicture,
            graphics: graphics
        )
        if let pixels, pixels.key == key { return pixels.layer }
        if encoding?.key == key { return nil }
        encoding?.task.cancel()
        let id = window.nextPicture()
        let task = Task { [weak self] in
            let layer = await ImageView.encode(picture, id, key)
            guard !Task.isCancelled, let self, let layer else { return }
            self.pixels = (key, layer)
            self.setNeedsDisplay()
        }
        encoding = (key, task)
        return nil
    }

    @concurrent
    private nonisolated static func encode(_ picture: Picture, _ id: PictureID, _ key: PixelKey) async
        -> PictureLayer?
    {
        if Task.isCancelled { return nil }
        return PictureLayer(
            id: id,
            picture,
            size: key.size,
            cell: key.cell,
            background: key.background,
            graphics: key.graphics
        )
    }

    private func discardPixels() {
        encoding?.task.cancel()
        encoding = nil
        pixels = nil
    }

    /// The colour behind transparent pixels: that of the nearest view with a background, or the terminal's.
    private var backgroundOfPicture: PictureColor {
        let behind = sequence(first: self as View) { $0.superview }.lazy.compactMap { $0.backdrop?.background }
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
