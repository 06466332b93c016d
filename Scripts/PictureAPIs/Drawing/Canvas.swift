import Pictures

/// A picture being painted, shape over shape, with smooth edges.
struct Canvas {
    private let frame: CanvasFrame
    private var pixels: [UInt8]

    /// Creates a canvas on a background.
    ///
    /// - Parameters:
    ///   - background: What is there already.
    ///   - tilt: By how many degrees the whole drawing is turned clockwise.
    init(on background: Picture, tilt: Float) {
        frame = CanvasFrame(width: background.width, height: background.height, tilt: tilt)
        pixels = background.pixels
    }

    /// What has been painted, or `nil` for a canvas without pixels.
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
        pixels.withUnsafeMutableBufferPointer { pixels in
            for row in rows {
                for column in columns {
                    let point = frame.place(Float(column) + 0.5, Float(row) + 0.5)
                    let cover = min(max(0.5 - shape.distance(to: point) / fade, 0), 1) * paint.opacity
                    guard cover > 0 else { continue }
                    let share = min(max((point.y - low.y) / max(high.y - low.y, 0.001), 0), 1)
                    let index = (row * frame.width + column) * 4
                    Self.blend(&pixels[index], paint.top.red, paint.bottom.red, share, cover)
                    Self.blend(&pixels[index + 1], paint.top.green, paint.bottom.green, share, cover)
                    Self.blend(&pixels[index + 2], paint.top.blue, paint.bottom.blue, share, cover)
                }
            }
        }
    }

    private static func blend(_ value: inout UInt8, _ top: UInt8, _ bottom: UInt8, _ share: Float, _ cover: Float) {
        let paint = Float(top) + (Float(bottom) - Float(top)) * share
        value = UInt8(min(max(Float(value) + (paint - Float(value)) * cover + 0.5, 0), 255))
    }
}
