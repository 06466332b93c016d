import Pictures
import SystemCalls

/// A picture on which shapes are painted with antialiased edges.
struct Canvas {
    private let frame: CanvasFrame
    private var pixels: [UInt8]

    /// Creates a canvas on a background.
    ///
    /// - Parameters:
    ///   - background: the picture to paint on.
    ///   - tilt: the clockwise rotation of the drawing, in degrees.
    init(on background: Picture, tilt: Float) {
        frame = CanvasFrame(width: background.width, height: background.height, tilt: tilt)
        pixels = background.pixels
    }

    /// The painted picture, or `nil` for a canvas without pixels.
    var picture: Picture? { Picture(width: frame.width, height: frame.height, pixels: pixels) }

    /// Paints a shape and its mirror image.
    mutating func fillBoth(_ shape: Shape, _ paint: Paint) {
        fill(shape, paint)
        fill(shape.mirrored, paint)
    }

    /// Paints a shape.
    mutating func fill(_ shape: Shape, _ paint: Paint) {
        let (low, high) = shape.bounds
        let fade = max(paint.softness, 1 / frame.scale)
        let (columns, rows) = frame.pixels(from: low, to: high, margin: fade)
        let frame = frame
        let height = max(high.y - low.y, 0.001)
        pixels.withUnsafeMutableBufferPointer { pixels in
            // Without iterators and generic functions, which are slow in debug builds: these draw the pictures of many tests.
            var row = rows.lowerBound
            while row < rows.upperBound {
                var column = columns.lowerBound
                while column < columns.upperBound {
                    let point = frame.point(Float(column) + 0.5, Float(row) + 0.5)
                    let cover = Self.clamped(0.5 - shape.distance(to: point) / fade) * paint.opacity
                    if cover > 0 {
                        let share = Self.clamped((point.y - low.y) / height)
                        let index = (row * frame.width + column) * 4
                        Self.blend(&pixels[index], paint.top.red, paint.bottom.red, share, cover)
                        Self.blend(&pixels[index + 1], paint.top.green, paint.bottom.green, share, cover)
                        Self.blend(&pixels[index + 2], paint.top.blue, paint.bottom.blue, share, cover)
                    }
                    column += 1
                }
                row += 1
            }
        }
    }

    private static func blend(_ value: inout UInt8, _ top: UInt8, _ bottom: UInt8, _ share: Float, _ cover: Float) {
        let (before, start) = (Float(Int(value)), Float(Int(top)))
        let paint = start + (Float(Int(bottom)) - start) * share
        let mixed = before + (paint - before) * cover + 0.5
        value = UInt8(mixed < 0 ? 0 : mixed > 255 ? 255 : mixed)
    }

    /// Returns a number limited to 0...1.
    private static func clamped(_ value: Float) -> Float { value < 0 ? 0 : value > 1 ? 1 : value }
}

/// The fill of a shape: a gradient from its top to its bottom.
struct Paint: Hashable, Sendable {
    var top: PictureColor
    var bottom: PictureColor
    /// The opacity, 0...1.
    var opacity: Float = 1
    /// The width of the soft edge, in units of the drawing; 0 is a sharp edge.
    var softness: Float = 0

    init(_ top: PictureColor, _ bottom: PictureColor? = nil, opacity: Float = 1, softness: Float = 0) {
        self.top = top
        self.bottom = bottom ?? top
        self.opacity = opacity
        self.softness = softness
    }

    /// Creates a paint that is darker at the bottom, by a share of black.
    init(_ top: PictureColor, shade: Float, softness: Float = 0) {
        self.init(top, top.mixed(with: .black, shade), softness: softness)
    }

    /// Creates a paint of colours as `0xRRGGBB`.
    init(hex top: UInt32, _ bottom: UInt32? = nil, opacity: Float = 1, softness: Float = 0) {
        self.init(PictureColor(hex: top), bottom.map { PictureColor(hex: $0) }, opacity: opacity, softness: softness)
    }
}

extension PictureColor {
    /// Creates a colour from `0xRRGGBB`.
    init(hex: UInt32) { self.init(UInt8(hex >> 16 & 255), UInt8(hex >> 8 & 255), UInt8(hex & 255)) }

    /// Returns this colour mixed with a share of another one, 0...1.
    func mixed(with other: PictureColor, _ share: Float) -> PictureColor {
        func mix(_ left: UInt8, _ right: UInt8) -> UInt8 {
            let mixed = Float(left) + (Float(right) - Float(left)) * share
            return UInt8(min(max(mixed.rounded(), 0), 255))
        }
        return PictureColor(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
    }
}

/// The transformation between a drawing and its pixels.
struct CanvasFrame {
    let width: Int
    let height: Int
    /// The number of pixels in a unit of the drawing.
    let scale: Float
    private let cosine: Float
    private let sine: Float

    init(width: Int, height: Int, tilt: Float) {
        self.width = width
        self.height = height
        scale = Float(min(width, height)) / 100
        cosine = cosf(-tilt * .pi / 180)
        sine = sinf(-tilt * .pi / 180)
    }

    /// Returns the point of the drawing at a place on the pixels.
    func point(_ x: Float, _ y: Float) -> Point {
        Point((x - Float(width) / 2) / scale, (y - Float(height) / 2) / scale).turned(cosine: cosine, sine: sine)
    }

    /// Returns the columns and rows of the pixels that a box of the drawing may cover.
    func pixels(from low: Point, to high: Point, margin: Float) -> (columns: Range<Int>, rows: Range<Int>) {
        let corners = [low, high, Point(low.x, high.y), Point(high.x, low.y)]
            .map { $0.turned(cosine: cosine, sine: -sine) }
        func range(_ values: [Float], _ side: Int) -> Range<Int> {
            let first = ((values.min() ?? 0) - margin) * scale + Float(side) / 2
            let last = ((values.max() ?? 0) + margin) * scale + Float(side) / 2
            let start = min(max(Int(first.rounded(.down)), 0), side)
            return start..<max(start, min(Int(last.rounded(.up)), side))
        }
        return (range(corners.map(\.x), width), range(corners.map(\.y), height))
    }
}
