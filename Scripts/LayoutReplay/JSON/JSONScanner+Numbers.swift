/// Numbers.
extension JSONScanner {
    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    private mutating func digits(_ mantissa: inout UInt64, _ count: inout Int) -> Int {
        let start = place
        while let byte = next, byte >= 0x30, byte <= 0x39 {
            // Past 18 digits the mantissa is not used any more.
            if count < 18 { mantissa = mantissa * 10 + UInt64(byte - 0x30) }
            if count > 0 || byte != 0x30 { count += 1 }
            place += 1
        }
        return place - start
    }

    mutating func number() throws(Failure) -> Double {
        let start = place
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { place += 1 }
        var mantissa: UInt64 = 0
        var count = 0
        let isLeadingZero = next == 0x30
        let whole = digits(&mantissa, &count)
        guard whole > 0 else {
            place = start
            throw failure("this is no JSON value")
        }
        guard !isLeadingZero || whole == 1 else { throw failure("a number may not begin with 0") }
        var exponent = 0
        if next == UInt8(ascii: ".") {
            place += 1
            let fraction = digits(&mantissa, &count)
            guard fraction > 0 else { throw failure("a digit must follow the point") }
            exponent = -fraction
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            place += 1
            let isFalling = next == UInt8(ascii: "-")
            if isFalling || next == UInt8(ascii: "+") { place += 1 }
            var power: UInt64 = 0
            var powerCount = 0
            guard digits(&power, &powerCount) > 0 else { throw failure("a digit must follow the exponent's sign") }
            exponent += (isFalling ? -1 : 1) * (powerCount > 6 ? 999_999 : Int(power))
        }
        // Exact: both are doubles without error, so their product or quotient is rounded once (Clinger 1990).
        if count <= 15, exponent >= -22, exponent <= 22 {
            let value =
                exponent < 0
                ? Double(mantissa) / JSONScanner.powersOfTen[-exponent]
                : Double(mantissa) * JSONScanner.powersOfTen[exponent]
            return isNegative ? -value : value
        }
        guard let value = Double(String(decoding: bytes[start..<place], as: UTF8.self)) else {
            throw failure("this is no JSON value")
        }
        return value
    }
}
