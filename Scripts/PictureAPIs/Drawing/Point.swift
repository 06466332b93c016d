/// A place on a drawing: the middle is (0, 0), y goes down, and the shorter side of the drawing is 100 long.
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

    /// The point turned around the middle by an angle given as its cosine and sine.
    func turned(cosine: Float, sine: Float) -> Point { Point(x * cosine - y * sine, x * sine + y * cosine) }

    /// The point on the other side of the vertical middle line.
    var mirrored: Point { Point(-x, y) }
}
