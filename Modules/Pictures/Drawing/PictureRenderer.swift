/// Draws pictures into character cells, their shape kept: a cell counts as one wide and two high.
public struct PictureRenderer: Hashable, Sendable {
    /// With what to draw.
    public var style: PictureStyle
    /// The colours of the terminal; without any, block styles become characters.
    public var depth: PictureColorDepth
    /// What shows through where a picture is transparent.
    public var background: PictureColor
    /// Whether a small picture is drawn as large as the room allows.
    public var enlarges: Bool

    /// Creates a renderer; half-blocks in true colour over black unless told otherwise.
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

    /// The box to decode into (`PictureDecoder.decode(_:fitting:)`) before drawing into a room of this size.
    ///
    /// It is twice as fine as what is drawn, so that the last step has something to average.
    public func pixelSize(columns: Int, rows: Int) -> PixelSize {
        let fine = style == .quadrants ? 2 : 1
        return PixelSize(width: max(0, columns) * 2 * fine, height: max(0, rows) * 4 * fine)
    }

    /// The cells that a picture of some size covers in a room, its shape kept.
    public func cells(for size: PixelSize, columns: Int, rows: Int) -> (columns: Int, rows: Int) {
        let room = PixelSize(width: columns, height: max(0, rows) * 2)
        let fitted = size.fitted(into: room, enlarges: enlarges)
        return (fitted.width, (fitted.height + 1) / 2)
    }

    /// Draws a picture into a room of cells.
    ///
    /// - Parameters:
    ///   - picture: The picture; larger than needed is better than smaller.
    ///   - columns: The cells there are across.
    ///   - rows: The cells there are down.
    /// - Returns: A grid no larger than the room, and empty where there is none.
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
        let pixels = picture.scaled(to: fine).flattened(over: background)
        return PictureCells(columns: grid.columns, rows: grid.rows) { column, row in
            switch style {
            case .halfBlocks:
                PictureCell("▀", foreground: pixels[column, row * 2], background: pixels[column, row * 2 + 1])
            case .quadrants: QuadrantChooser.cell(of: pixels, column: column, row: row)
            case .characters, .words: PictureCell(character(for: pixels[column, row]))
            }
        }
    }

    /// Draws a picture and writes it as lines for a terminal of this renderer's colour depth.
    public func text(_ picture: Picture, columns: Int, rows: Int) -> String {
        render(picture, columns: columns, rows: rows).ansiText(depth: depth)
    }

    /// From the least ink to the most.
    private static let ramp: [Character] = Array(" .:-=+*#%@")

    private func character(for color: PictureColor) -> Character {
        let light = OKLab(color).lightness
        // On a light background, ink is what is dark.
        let ink = OKLab(background).lightness > 0.5 ? 1 - light : light
        let last = Self.ramp.count - 1
        return Self.ramp[min(last, max(0, Int((ink * Float(last)).rounded())))]
    }

    private func words(for picture: Picture, columns: Int, rows: Int) -> PictureCells {
        let text = Array("[picture, \(picture.size)]".prefix(max(0, columns)))
        return PictureCells(columns: text.count, rows: min(1, max(0, rows))) { column, _ in PictureCell(text[column]) }
    }
}

/// With what a picture is drawn into character cells.
public enum PictureStyle: String, Hashable, Sendable, CaseIterable {
    /// `▀` in two colours: two square pixels in a cell. Every terminal with colours shows it right.
    case halfBlocks
    /// `▘▝▖▗` and their kin: four pixels in a cell, of two colours.
    case quadrants
    /// Characters from light to dense, without colour.
    case characters
    /// A line of words in place of the picture.
    case words

    /// The style that is drawn at a colour depth: without colours, blocks would all look alike.
    public func suited(to depth: PictureColorDepth) -> PictureStyle {
        switch self {
        case .halfBlocks, .quadrants: depth == .none ? .characters : self
        case .characters, .words: self
        }
    }
}

/// Chooses the two colours and the block that come nearest to the four pixels of a cell.
enum QuadrantChooser {
    /// By the pixels that are drawn: 1 top left, 2 top right, 4 bottom left, 8 bottom right.
    static let blocks: [Character] = Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")

    /// The cell for the pixels at `(column * 2, row * 2)` and their three neighbours.
    static func cell(of pixels: Picture, column: Int, row: Int) -> PictureCell {
        let colors = (0..<4).map { pixels[column * 2 + $0 % 2, row * 2 + $0 / 2] }
        var best = PictureCell(" ")
        var smallest = Int.max
        // A pattern and its opposite are the same with the colours changed over: half of them are enough.
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
