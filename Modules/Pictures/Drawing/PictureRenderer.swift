/// Draws pictures in character cells, preserving the aspect ratio.
public struct PictureRenderer: Hashable, Sendable {
    /// The drawing style.
    public var style: PictureStyle
    /// The colours of the terminal. Without colours, block styles become characters.
    public var depth: PictureColorDepth
    /// The background of transparent pictures.
    public var background: PictureColor
    /// Whether small pictures are enlarged.
    public var enlarges: Bool
    /// The height of a cell divided by its width.
    public var cellAspect = 2.0
    /// Whether the error of reduced colours is distributed over neighbouring pixels, with 256 and 16 colours.
    public var dithers = true

    /// Creates a renderer, by default for half-blocks with 24-bit colours on black.
    public init(
        style: PictureStyle = .halfBlocks,
        depth: PictureColorDepth = .trueColor,
        background: PictureColor = .black,
        enlarges: Bool = true
    ) {
        self.style = style
        self.depth = depth
        self.background = background
        self.enlarges = enlarges
    }

    /// Returns the box for `PictureDecoder.decode(_:fitting:)` if the picture will be drawn in an area of cells.
    ///
    /// The box has twice the drawn resolution, so that the final reduction averages pixels.
    public func pixelSize(columns: Int, rows: Int) -> PixelSize {
        let fine = style == .quadrants ? 2 : 1
        return PixelSize(width: max(0, columns) * 2 * fine, height: max(0, rows) * 4 * fine)
    }

    /// Returns the cells that a picture covers in an area, preserving the aspect ratio.
    public func cells(for size: PixelSize, columns: Int, rows: Int) -> (columns: Int, rows: Int) {
        // Measured in squares as wide as a cell.
        let aspect = cellAspect.isFinite && cellAspect > 0.1 && cellAspect < 10 ? cellAspect : 2
        let room = PixelSize(width: columns, height: Int((Double(max(0, rows)) * aspect).rounded()))
        let fitted = size.fitted(into: room, enlarges: enlarges)
        let height = Int((Double(fitted.height) / aspect).rounded(.up))
        return (fitted.width, fitted.width > 0 ? min(rows, max(1, height)) : 0)
    }

    /// Draws a picture in an area of cells.
    ///
    /// - Parameters:
    ///   - picture: The picture, preferably larger than drawn.
    ///   - columns: The columns of the area.
    ///   - rows: The rows of the area.
    /// - Returns: A grid that fits the area; empty if the area is empty.
    public func render(_ picture: Picture, columns: Int, rows: Int) -> PictureCells {
        let style = style.suited(to: depth)
        if style == .words { return words(for: picture, columns: columns, rows: rows) }
        let grid = cells(for: picture.size, columns: columns, rows: rows)
        guard grid.columns > 0, grid.rows > 0 else {
            return PictureCells(columns: 0, rows: 0) { _, _ in PictureCell(" ") }
        }
        let fine =
            switch style {
            case .halfBlocks: PixelSize(width: grid.columns, height: grid.rows * 2)
            case .quadrants: PixelSize(width: grid.columns * 2, height: grid.rows * 2)
            case .characters, .words: PixelSize(width: grid.columns, height: grid.rows)
            }
        var pixels = picture.scaled(to: fine).flattened(over: background)
        if dithers && style != .characters { pixels = Dithering.reduced(pixels, to: depth) }
        return PictureCells(columns: grid.columns, rows: grid.rows) { column, row in
            switch style {
            case .halfBlocks:
                PictureCell("▀", foreground: pixels[column, row * 2], background: pixels[column, row * 2 + 1])
            case .quadrants: QuadrantChooser.cell(of: pixels, column: column, row: row)
            case .characters, .words: PictureCell(character(for: pixels[column, row]))
            }
        }
    }

    /// Draws a picture and returns it as lines with SGR sequences.
    public func text(_ picture: Picture, columns: Int, rows: Int) -> String {
        render(picture, columns: columns, rows: rows).ansiText(depth: depth)
    }

    /// Characters from the least ink to the most.
    private static let ramp: [Character] = Array(" .:-=+*#%@")

    private func character(for color: PictureColor) -> Character {
        let light = OKLab(color).lightness
        // On a light background, dark pixels need the most ink.
        let ink = OKLab(background).lightness > 0.5 ? 1 - light : light
        let last = Self.ramp.count - 1
        return Self.ramp[min(last, max(0, Int((ink * Float(last)).rounded())))]
    }

    private func words(for picture: Picture, columns: Int, rows: Int) -> PictureCells {
        let text = Array("[picture, \(picture.size)]".prefix(max(0, columns)))
        return PictureCells(columns: text.count, rows: min(1, max(0, rows))) { column, _ in PictureCell(text[column]) }
    }
}

/// How a picture is drawn in character cells.
public enum PictureStyle: String, Hashable, Sendable, CaseIterable {
    /// `▀` in two colours: two square pixels per cell. Works in every terminal with colours.
    case halfBlocks
    /// Quadrant blocks such as `▘▝▖▗`: four pixels per cell in two colours.
    case quadrants
    /// Characters from light to dense, without colours.
    case characters
    /// A line of words instead of the picture.
    case words

    /// Returns the style for a colour depth: without colours, block styles become characters.
    public func suited(to depth: PictureColorDepth) -> PictureStyle {
        switch self {
        case .halfBlocks, .quadrants: depth == .none ? .characters : self
        case .characters, .words: self
        }
    }
}

/// Chooses the two colours and the block that approximate the four pixels of a cell best.
enum QuadrantChooser {
    /// The blocks by their filled quadrants: bit 1 top left, 2 top right, 4 bottom left, 8 bottom right.
    static let blocks: [Character] = Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")

    /// Returns the cell for the pixel at `(column * 2, row * 2)` and its three neighbours.
    static func cell(of pixels: Picture, column: Int, row: Int) -> PictureCell {
        let colors = (0..<4).map { pixels[column * 2 + $0 % 2, row * 2 + $0 / 2] }
        var best = PictureCell(" ")
        var smallest = Int.max
        // A pattern equals its inverse with exchanged colours, so half of the patterns suffice.
        for pattern in 8..<16 {
            let front = mean(colors, where: { pattern >> $0 & 1 == 1 })
            let back = pattern == 15 ? front : mean(colors, where: { pattern >> $0 & 1 == 0 })
            let error = (0..<4).reduce(0) { $0 + difference(colors[$1], pattern >> $1 & 1 == 1 ? front : back) }
            if error < smallest {
                smallest = error
                best = PictureCell(blocks[pattern], foreground: front, background: back)
            }
        }
        return best
    }

    private static func mean(_ colors: [PictureColor], where isIn: (Int) -> Bool) -> PictureColor {
        let chosen = colors.indices.filter(isIn).map { colors[$0] }
        func channel(_ path: KeyPath<PictureColor, UInt8>) -> UInt8 {
            LinearLight.encode(chosen.reduce(0) { $0 + LinearLight.decode($1[keyPath: path]) } / Float(chosen.count))
        }
        return PictureColor(channel(\.red), channel(\.green), channel(\.blue))
    }

    private static func difference(_ left: PictureColor, _ right: PictureColor) -> Int {
        let red = Int(left.red) - Int(right.red)
        let green = Int(left.green) - Int(right.green)
        let blue = Int(left.blue) - Int(right.blue)
        return red * red * 3 + green * green * 6 + blue * blue
    }
}
