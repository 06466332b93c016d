import SystemCalls

/// A shape as a signed distance function (after Inigo Quilez, "2D distance functions").
enum Shape: Hashable, Sendable {
    /// An ellipse with two radii, rotated clockwise by `degrees`.
    case ellipse(Point, across: Float, down: Float, degrees: Float = 0)
    /// A polygon with rounded corners.
    case polygon([Point], rounding: Float)
    /// A line through points, with round ends.
    case stroke([Point], width: Float)

    /// Returns a smooth line through points (a Catmull-Rom spline).
    static func curve(_ points: [Point], width: Float) -> Shape {
        guard let first = points.first, let last = points.last, points.count > 2 else {
            return .stroke(points, width: width)
        }
        let padded = [first] + points + [last]
        let smooth = (1..<padded.count - 2).flatMap { index in
            (0..<5).map { step -> Point in
                let (before, start, end, after) = (
                    padded[index - 1], padded[index], padded[index + 1], padded[index + 2]
                )
                let time = Float(step) / 5
                let straight = (end - before) * (time / 2) + start
                let bend = (before * 2 - start * 5 + end * 4 - after) * (time * time / 2)
                return straight + bend + (start * 3 - before - end * 3 + after) * (time * time * time / 2)
            }
        }
        return .stroke(smooth + [last], width: width)
    }

    /// Returns the distance of a point to the edge, which is negative inside.
    func distance(to point: Point) -> Float {
        switch self {
        case .ellipse(let center, let across, let down, let degrees):
            let angle = -degrees * .pi / 180
            let local = degrees == 0 ? point - center : (point - center).turned(cosine: cosf(angle), sine: sinf(angle))
            let scaled = Point(local.x / across, local.y / down).length
            let steep = Point(local.x / (across * across), local.y / (down * down)).length
            return steep > 0 ? scaled * (scaled - 1) / steep : -min(across, down)
        case .polygon(let corners, let rounding):
            return Self.polygonDistance(point, corners) - rounding
        case .stroke(let points, let width):
            return Self.strokeDistance(point, points) - width / 2
        }
    }

    /// The top left and the bottom right of a box around the shape.
    var bounds: (Point, Point) {
        switch self {
        case .ellipse(let center, let across, let down, let degrees):
            let reach = degrees == 0 ? Point(across, down) : Point(max(across, down), max(across, down))
            return (center - reach, center + reach)
        case .polygon(let points, let rounding): return Self.bounds(of: points, margin: rounding)
        case .stroke(let points, let width): return Self.bounds(of: points, margin: width / 2)
        }
    }

    /// The shape mirrored at the vertical centre line.
    var mirrored: Shape {
        switch self {
        case .ellipse(let center, let across, let down, let degrees):
            .ellipse(center.mirrored, across: across, down: down, degrees: -degrees)
        case .polygon(let points, let rounding): .polygon(points.map(\.mirrored), rounding: rounding)
        case .stroke(let points, let width): .stroke(points.map(\.mirrored), width: width)
        }
    }

    private static func bounds(of points: [Point], margin: Float) -> (Point, Point) {
        var low = Point(.infinity, .infinity)
        var high = Point(-.infinity, -.infinity)
        for point in points {
            low = Point(min(low.x, point.x), min(low.y, point.y))
            high = Point(max(high.x, point.x), max(high.y, point.y))
        }
        return (low - Point(margin, margin), high + Point(margin, margin))
    }

    private static func segmentDistance(_ point: Point, _ start: Point, _ end: Point) -> Float {
        let (along, from) = (end - start, point - start)
        let square = along.dot(along)
        let share = from.dot(along) / (square > .leastNormalMagnitude ? square : .leastNormalMagnitude)
        return (from - along * (share < 0 ? 0 : share > 1 ? 1 : share)).length
    }

    // The loops use indices: in debug builds iterators are slow, and each pixel of a test's picture passes here.

    private static func strokeDistance(_ point: Point, _ points: [Point]) -> Float {
        var nearest = Float.infinity
        var index = 1
        while index < points.count {
            let distance = segmentDistance(point, points[index - 1], points[index])
            if distance < nearest { nearest = distance }
            index += 1
        }
        return nearest
    }

    private static func polygonDistance(_ point: Point, _ corners: [Point]) -> Float {
        var nearest = Float.infinity
        var isInside = false
        var previous = corners.last ?? point
        var index = 0
        while index < corners.count {
            let corner = corners[index]
            let distance = segmentDistance(point, previous, corner)
            if distance < nearest { nearest = distance }
            if (corner.y > point.y) != (previous.y > point.y),
                point.x < (previous.x - corner.x) * (point.y - corner.y) / (previous.y - corner.y) + corner.x
            {
                isInside.toggle()
            }
            previous = corner
            index += 1
        }
        return isInside ? -nearest : nearest
    }
}

/// A point of a drawing: the centre is (0, 0), y points down, and the shorter side of the drawing has a length of 100.
struct Point: Hashable, Sendable {
    var x: Float
    var y: Float

    init(_ x: Float, _ y: Float) {
        self.x = x
        self.y = y
    }

    static func + (left: Point, right: Point) -> Point { Point(left.x + right.x, left.y + right.y) }
    static func - (left: Point, right: Point) -> Point { Point(left.x - right.x, left.y - right.y) }
    static func * (left: Point, scale: Float) -> Point { Point(left.x * scale, left.y * scale) }

    var length: Float { (x * x + y * y).squareRoot() }

    func dot(_ other: Point) -> Float { x * other.x + y * other.y }

    /// Returns the point rotated around the centre by the angle of a cosine and a sine.
    func turned(cosine: Float, sine: Float) -> Point { Point(x * cosine - y * sine, x * sine + y * cosine) }

    /// The point mirrored at the vertical centre line.
    var mirrored: Point { Point(-x, y) }
}
