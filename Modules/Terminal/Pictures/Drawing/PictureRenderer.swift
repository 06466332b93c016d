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
        return PixelSize(width: Self.clamped(columns) * 2 * fine, height: Self.clamped(rows) * 4 * fine)
    }

    /// Returns the cells that a picture covers in an area, preserving the aspect ratio.
    ///
    /// - Parameters:
    ///   - size: The size of the picture.
    ///   - columns: The columns of the area; `.max` if only the rows are limited.
    ///   - rows: The rows of the area; `.max` if only the columns are limited.
    /// - Returns: The columns and rows, 0 if the area is empty.
    public func cells(for size: PixelSize, columns: Int, rows: Int) -> (columns: Int, rows: Int) {
        let (columns, rows) = (Self.clamped(columns), Self.clamped(rows))
        // Measured in squares as wide as a cell.
        let aspect = cellAspect.isFinite && cellAspect > 0.1 && cellAspect < 10 ? cellAspect : 2
        let room = PixelSize(width: columns, height: Int((Double(rows) * aspect).rounded()))
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
        if style == .quadrants {
            return pixels.pixels.withUnsafeBytes { bytes in
                let chooser = QuadrantChooser(pixels: bytes, width: pixels.width)
                return PictureCells(columns: grid.columns, rows: grid.rows) { chooser.cell(column: $0, row: $1) }
            }
        }
        return PictureCells(columns: grid.columns, rows: grid.rows) { column, row in
            style == .halfBlocks
                ? PictureCell("▀", foreground: pixels[column, row * 2], background: pixels[column, row * 2 + 1])
                : PictureCell(character(for: pixels[column, row]))
        }
    }

    /// Draws a picture and returns it as lines with SGR sequences.
    public func text(_ picture: Picture, columns: Int, rows: Int) -> String {
        render(picture, columns: columns, rows: rows).ansiText(depth: depth)
    }

    /// Clamps a side of an area: terminals report the size of a window in 16 bits.
    private static func clamped(_ side: Int) -> Int { min(max(0, side), Int(UInt16.max)) }

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

    /// Returns the style that shows a picture best in a terminal without graphics.
    ///
    /// Quadrants have twice the columns of half-blocks, but the colours of a cell are averages. With 24-bit colours they are
    /// exact; in a palette the averages of dithered pixels would lose the dithering, so that half-blocks are better there.
    /// Without Unicode only characters can be shown.
    public static func automatic(depth: PictureColorDepth, isUnicode: Bool) -> PictureStyle {
        guard isUnicode, depth != .none else { return .characters }
        return depth == .trueColor ? .quadrants : .halfBlocks
    }

    /// Returns the style for a colour depth: without colours, block styles become characters.
    public func suited(to depth: PictureColorDepth) -> PictureStyle {
        switch self {
        case .halfBlocks, .quadrants: depth == .none ? .characters : self
        case .characters, .words: self
        }
    }
}

/// Chooses the two colours and the block that approximate the four pixels of a cell best.
struct QuadrantChooser {
    private let pixels: UnsafeRawBufferPointer
    private let width: Int

    /// Creates a chooser for a picture's bytes and its width, which must be even.
    init(pixels: UnsafeRawBufferPointer, width: Int) {
        self.pixels = pixels
        self.width = width
    }

    /// The ways to divide the quadrants (bit 1 top left, 2 top right, 4 bottom left, 8 bottom right) in two, each with the
    /// character that fills the named ones. Half-blocks come first: they are chosen where others are not better.
    private static let divisions: [(front: Int, character: Character)] = [
        (3, "▀"), (5, "▌"), (9, "▚"), (1, "▘"), (2, "▝"), (4, "▖"), (8, "▗"),
    ]

    /// Returns the cell for the pixel at `(column * 2, row * 2)` and its three neighbours.
    func cell(column: Int, row: Int) -> PictureCell {
        let start = (row * 2 * width + column * 2) * 4
        let offsets = (start, start + 4, start + width * 4, start + width * 4 + 4)
        // Two rows of one colour each need no search.
        if value(offsets.0) == value(offsets.1) && value(offsets.2) == value(offsets.3) {
            return PictureCell("▀", foreground: color(offsets.0), background: color(offsets.2))
        }
        var best = QuadrantChooser.divisions[0]
        var smallest = Int.max
        for division in QuadrantChooser.divisions {
            let error = spread(offsets, division.front) + spread(offsets, 15 - division.front)
            if error < smallest {
                smallest = error
                best = division
                if error == 0 { break }
            }
        }
        return PictureCell(
            best.character,
            foreground: mean(offsets, best.front),
            background: mean(offsets, 15 - best.front)
        )
    }

    private typealias Offsets = (Int, Int, Int, Int)

    private func value(_ offset: Int) -> UInt32 { pixels.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }

    private func color(_ offset: Int) -> PictureColor {
        PictureColor(pixels[offset], pixels[offset + 1], pixels[offset + 2])
    }

    /// Returns twelve times the sum of the squared distances of the pixels of a group to their average. The eye is most
    /// sensitive to green and least to blue.
    @inline(__always) private func spread(_ offsets: Offsets, _ group: Int) -> Int {
        channelSpread(offsets, group, 0) * 3 + channelSpread(offsets, group, 1) * 6 + channelSpread(offsets, group, 2)
    }

    @inline(__always) private func channelSpread(_ offsets: Offsets, _ group: Int, _ channel: Int) -> Int {
        var sum = 0
        var squares = 0
        var count = 0
        func add(_ offset: Int) {
            let value = Int(pixels[offset + channel])
            sum += value
            squares += value * value
            count += 1
        }
        if group & 1 != 0 { add(offsets.0) }
        if group & 2 != 0 { add(offsets.1) }
        if group & 4 != 0 { add(offsets.2) }
        if group & 8 != 0 { add(offsets.3) }
        // Groups have one to three pixels, of which twelve is a multiple.
        return squares * 12 - sum * sum * (12 / count)
    }

    /// Returns the average colour of a group, in linear light.
    private func mean(_ offsets: Offsets, _ group: Int) -> PictureColor {
        func channel(_ channel: Int) -> UInt8 {
            var sum: Float = 0
            var count: Float = 0
            func add(_ offset: Int) {
                sum += LinearLight.decode(pixels[offset + channel])
                count += 1
            }
            if group & 1 != 0 { add(offsets.0) }
            if group & 2 != 0 { add(offsets.1) }
            if group & 4 != 0 { add(offsets.2) }
            if group & 8 != 0 { add(offsets.3) }
            return LinearLight.encode(sum / count)
        }
        return PictureColor(channel(0), channel(1), channel(2))
    }
}
