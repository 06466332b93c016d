/// An exact fraction; arithmetic that would leave 128 bits yields `nil` instead of a wrong result.
struct Rational: Equatable {
    let numerator: Int128
    let denominator: Int128

    static let zero = Rational(numerator: 0, denominator: 1)
    static let one = Rational(numerator: 1, denominator: 1)

    private init(numerator: Int128, denominator: Int128) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Reads a number that is a multiple of 1/1024.
    init?(_ value: Double) {
        let scaled = value * 1024
        guard scaled == scaled.rounded(), abs(scaled) < 1e15 else { return nil }
        self.init(Int128(scaled), 1024)
    }

    private init(_ numerator: Int128, _ denominator: Int128) {
        var a = numerator.magnitude
        var b = denominator.magnitude
        while b != 0 { (a, b) = (b, a % b) }
        let divisor = Int128(max(a, 1)) * (denominator < 0 ? -1 : 1)
        self.init(numerator: numerator / divisor, denominator: denominator / divisor)
    }

    var isNegative: Bool { numerator < 0 }
    var isZero: Bool { numerator == 0 }
    var double: Double { Double(numerator) / Double(denominator) }

    func plus(_ other: Rational) throws -> Rational {
        let left = try Rational.multiply(numerator, other.denominator)
        let right = try Rational.multiply(other.numerator, denominator)
        let (sum, overflow) = left.addingReportingOverflow(right)
        guard !overflow else { throw Overflow() }
        return Rational(sum, try Rational.multiply(denominator, other.denominator))
    }

    func minus(_ other: Rational) throws -> Rational {
        try plus(Rational(numerator: -other.numerator, denominator: other.denominator))
    }

    func times(_ other: Rational) throws -> Rational {
        Rational(
            try Rational.multiply(numerator, other.numerator),
            try Rational.multiply(denominator, other.denominator)
        )
    }

    func over(_ other: Rational) throws -> Rational {
        Rational(
            try Rational.multiply(numerator, other.denominator),
            try Rational.multiply(denominator, other.numerator)
        )
    }

    private static func multiply(_ left: Int128, _ right: Int128) throws -> Int128 {
        let (product, overflow) = left.multipliedReportingOverflow(by: right)
        // A margin, so that negation and gcd stay safe.
        guard !overflow, product.magnitude < Int128.max.magnitude >> 4 else { throw Overflow() }
        return product
    }

    struct Overflow: Error {}
}
