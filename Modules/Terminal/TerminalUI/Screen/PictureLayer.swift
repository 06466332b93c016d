package import Pictures

/// The number of a picture in a window, in the style of the cells that it may replace; never 0 for a picture.
package struct PictureID: Hashable, Sendable {
    package let value: UInt16

    /// No picture.
    package static let none = PictureID(value: 0)

    package init(value: UInt16) { self.value = value }
}

/// A picture of real pixels, encoded for a terminal that shows them in place of cells.
package struct PictureLayer: Hashable, Sendable {
    /// The number; layers with equal numbers are equal.
    package let id: PictureID
    /// The number of columns and rows that the picture covers.
    package let size: GridSize
    /// The protocol of the terminal.
    package let graphics: TerminalGraphics
    /// The pixels, without transparency.
    private let picture: Picture
    /// The whole picture: a PNG, or sixels.
    private let encoded: [UInt8]

    /// Scales and encodes a picture for a number of columns and rows; `nil` if it cannot be encoded.
    ///
    /// `cell` is the size of a cell in pixels, `background` the colour behind transparent pixels. A picture is enlarged for
    /// sixels alone, which have no scale.
    package init?(
        id: PictureID,
        _ picture: Picture,
        size: GridSize,
        cell: PixelSize,
        background: PictureColor,
        graphics: TerminalGraphics
    ) {
        self.id = id
        self.size = size
        self.graphics = graphics
        var pixels = PixelSize(width: size.width * cell.width, height: size.height * cell.height)
        if case .sixel = graphics {
        } else {
            pixels.width = min(pixels.width, picture.width)
            pixels.height = min(pixels.height, picture.height)
        }
        guard size.width > 0, size.height > 0, pixels.width > 0, pixels.height > 0 else { return nil }
        self.picture = picture.scaled(to: pixels).flattened(over: background)
        guard let encoded = PictureLayer.encode(self.picture, graphics) else { return nil }
        self.encoded = encoded
    }

    package static func == (left: PictureLayer, right: PictureLayer) -> Bool { left.id == right.id }
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }

    private static func encode(_ picture: Picture, _ graphics: TerminalGraphics) -> [UInt8]? {
        switch graphics {
        case .none: nil
        case .kitty, .iterm: try? PictureEncoder().png(picture)
        case .sixel: SixelGraphics().sequence(picture)
        }
    }

    /// The bytes that send the picture to a terminal that stores pictures; empty for other protocols.
    var transmission: [UInt8] {
        graphics == .kitty ? KittyGraphics().transmission(ofPNG: encoded, image: UInt32(id.value)) : []
    }

    /// Returns the bytes that show a part of the picture at the cursor: columns and rows, counted from its upper left.
    func bytes(showing part: GridRect) -> [UInt8] {
        let source = pixels(of: part)
        switch graphics {
        case .none: return []
        case .kitty:
            return KittyGraphics().placement(
                image: UInt32(id.value),
                source: source,
                columns: part.width,
                rows: part.height
            )
        case .iterm:
            return ITermGraphics().sequence(ofPNG: encoded(source), columns: part.width, rows: part.height)
        case .sixel: return encoded(source)
        }
    }

    /// The bytes that remove the picture from a terminal that stores pictures.
    var removal: [UInt8] { graphics == .kitty ? KittyGraphics().removal(image: UInt32(id.value)) : [] }

    private func pixels(of part: GridRect) -> PixelRect {
        func scaled(_ value: Int, _ cells: Int, _ pixels: Int) -> Int { (value * pixels + cells / 2) / cells }
        let left = scaled(part.minX, size.width, picture.width)
        let top = scaled(part.minY, size.height, picture.height)
        return PixelRect(
            x: left,
            y: top,
            width: max(1, scaled(part.maxX, size.width, picture.width) - left),
            height: max(1, scaled(part.maxY, size.height, picture.height) - top)
        )
    }

    private func encoded(_ source: PixelRect) -> [UInt8] {
        let whole = PixelRect(x: 0, y: 0, width: picture.width, height: picture.height)
        if source == whole { return encoded }
        return PictureLayer.encode(picture.cropped(to: source), graphics) ?? []
    }
}

/// A picture at a position of a screen.
struct PlacedPicture: Hashable, Sendable {
    let layer: PictureLayer
    let origin: GridPoint
}

/// The visible part of a picture.
struct VisiblePicture: Hashable, Sendable {
    let placed: PlacedPicture
    /// The cells of the screen.
    let area: GridRect

    /// The bytes that show the part at the cursor.
    var bytes: [UInt8] {
        placed.layer.bytes(showing: area.offsetBy(x: -placed.origin.x, y: -placed.origin.y))
    }
}
