/// Distributes the error of reduced colours over neighbouring pixels (Floyd and Steinberg, "An adaptive algorithm for
/// spatial greyscale", 1976), so that areas have the right colour on average.
enum Dithering {
    /// Returns a picture in the colours of a depth; the picture itself with 24-bit colours and without colours.
    static func reduced(_ picture: Picture, to depth: PictureColorDepth) -> Picture {
        guard depth == .palette256 || depth == .ansi16 else { return picture }
        var result = picture
        var quantizer = Quantizer(depth: depth)
        let width = picture.width
        // The errors of the present row and the next one, with a margin of one pixel, three channels each.
        var present = [Int](repeating: 0, count: (width + 2) * 3)
        var next = present
        for y in 0..<picture.height {
            // Every other row runs backwards, so that the error does not drift to one side.
            let isForward = y.isMultiple(of: 2)
            for step in 0..<width {
                let x = isForward ? step : width - 1 - step
                let color = picture[x, y]
                let place = (x + 1) * 3
                // The sum may be outside of a channel's range; only what is shown is limited to it.
                let red = limited(Int(color.red) + present[place] / 16)
                let green = limited(Int(color.green) + present[place + 1] / 16)
                let blue = limited(Int(color.blue) + present[place + 2] / 16)
                let chosen = quantizer.nearest(
                    to: PictureColor(UInt8(clamping: red), UInt8(clamping: green), UInt8(clamping: blue))
                )
                result[x, y] = chosen
                let ahead = isForward ? 3 : -3
                func distribute(_ error: Int, from place: Int) {
                    present[place + ahead] += error * 7
                    next[place - ahead] += error * 3
                    next[place] += error * 5
                    next[place + ahead] += error
                }
                distribute(red - Int(chosen.red), from: place)
                distribute(green - Int(chosen.green), from: place + 1)
                distribute(blue - Int(chosen.blue), from: place + 2)
            }
            swap(&present, &next)
            for index in next.indices { next[index] = 0 }
        }
        return result
    }

    /// An error that no colour of the palette can make up for does not grow without a limit.
    private static func limited(_ value: Int) -> Int { max(-128, min(383, value)) }

    /// Finds palette colours, with a memory for colours that agree in their five upper bits.
    private struct Quantizer {
        let depth: PictureColorDepth
        private var known = [UInt8?](repeating: nil, count: 1 << 15)

        init(depth: PictureColorDepth) { self.depth = depth }

        mutating func nearest(to color: PictureColor) -> PictureColor {
            let key = Int(color.red >> 3) << 10 | Int(color.green >> 3) << 5 | Int(color.blue >> 3)
            if let index = known[key] { return XtermPalette.colors[Int(index)] }
            guard case .indexed(let index)? = depth.nearest(to: color) else { return color }
            known[key] = index
            return XtermPalette.colors[Int(index)]
        }
    }
}
