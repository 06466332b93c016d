#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How a drawing lies on its pixels.
struct CanvasFrame {
    let width: Int
    let height: Int
    /// Pixels in a unit of the drawing.
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

    /// Where a place on the pixels lies in the drawing.
    func place(_ x: Float, _ y: Float) -> Point {
        Point((x - Float(width) / 2) / scale, (y - Float(height) / 2) / scale).turned(cosine: cosine, sine: sine)
    }

    /// The columns and rows that a box of the drawing may touch.
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
