import SystemCalls

extension Color {
    /// The relative luminance from 0 (black) to 1 (white), by WCAG 2.2; `nil` for `standard`.
    public var luminance: Double? {
        guard let (red, green, blue) = components else { return nil }
        func linear(_ value: UInt8) -> Double {
            let share = Double(value) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Returns the contrast ratio of two colours from 1 to 21, by WCAG 2.2; `nil` if one of them is `standard`.
    public func contrast(with other: Color) -> Double? {
        guard let own = luminance, let others = other.luminance else { return nil }
        return (max(own, others) + 0.05) / (min(own, others) + 0.05)
    }

    /// Returns the colour, made lighter or darker until its contrast with each background is at least `ratio`.
    ///
    /// - Returns: The nearest such colour; white or black, whichever has more contrast, if there is none. `standard`
    ///   stays as it is, and so does a colour on the background `standard`.
    func readable(on backgrounds: [Color], ratio: Double) -> Color {
        func lowest(_ color: Color) -> Double { backgrounds.compactMap { color.contrast(with: $0) }.min() ?? 21 }
        guard let (red, green, blue) = components, lowest(self) < ratio else { return self }
        func mixed(_ share: Double, with end: Double) -> Color {
            func channel(_ value: UInt8) -> UInt8 { UInt8((Double(value) * (1 - share) + end * share).rounded()) }
            return .rgb(channel(red), channel(green), channel(blue))
        }
        for step in 1...50 {
            let share = Double(step) / 50
            for end in [255.0, 0] where lowest(mixed(share, with: end)) >= ratio { return mixed(share, with: end) }
        }
        let white = Color.hex(0xFFFFFF)
        let black = Color.hex(0x000000)
        return lowest(white) >= lowest(black) ? white : black
    }

    /// Returns the colour as an entry of the 256 colours with the contrast `ratio` to each background. Reducing a colour
    /// changes its contrast a little, so that more contrast is tried until the entry has enough.
    func readable256(on backgrounds: [Color], ratio: Double) -> Color {
        for step in 0...20 {
            let entry = readable(on: backgrounds, ratio: ratio * (1 + Double(step) / 10)).lowered(to: .indexed256)
            if backgrounds.allSatisfy({ (entry.contrast(with: $0) ?? 21) >= ratio }) { return entry }
        }
        return readable(on: backgrounds, ratio: 21).lowered(to: .indexed256)
    }

    /// Returns the entry of the 16 colours that is nearest to the colour among those with the contrast `ratio` to each
    /// background; `standard` if there is none.
    func readable16(on backgrounds: [Color], ratio: Double) -> Color {
        guard components != nil else { return self }
        let nearest = lowered(to: .indexed16)
        let entries = (UInt8(0)..<16).map(Color.palette).filter { entry in
            backgrounds.allSatisfy { (entry.contrast(with: $0) ?? 21) >= ratio }
        }
        if entries.contains(nearest) { return nearest }
        return entries.min { distance(to: $0) < distance(to: $1) } ?? .standard
    }

    private func distance(to other: Color) -> Int {
        guard let left = components, let right = other.components else { return .max }
        let red = Int(left.red) - Int(right.red)
        let green = Int(left.green) - Int(right.green)
        let blue = Int(left.blue) - Int(right.blue)
        return 3 * red * red + 6 * green * green + blue * blue
    }
}
