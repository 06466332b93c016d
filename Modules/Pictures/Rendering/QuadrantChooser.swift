/// Chooses the two colours and the block that come nearest to the four pixels of a cell.
enum QuadrantChooser {
    /// By the pixels that are drawn: 1 top left, 2 top right, 4 bottom left, 8 bottom right.
    static let blocks: [Character] = Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")

    /// The cell for the pixels at `(column * 2, row * 2)` and their three neighbours.
    static func cell(of pixels: Picture, column: Int, row: Int) -> PictureCell {
        let colors = (0..<4).map { pixels[column * 2 + $0 % 2, row * 2 + $0 / 2] }
        var best = PictureCell(" ")
        var smallest = Int.max
        // A pattern and its opposite are the same with the colours changed over: half of them are enough.
        for pattern in 8..<16 {
            let front = mean(colors, where: { pattern >> $0 & 1 == 1 })
            let back = pattern == 15 ? front : mean(colors, where: { pattern >> $0 & 1 == 0 })
            let error = (0..<4).reduce(0) { $0 + difference(colors[$1], pattern >> $1 & 1 == 1 ? front : back) }
            if error < smallest {
                smallest = error
                best = PictureCell(blocks[pattern], foreground: front, background: back)
            }
        }
        return best
    }

    private static func mean(_ colors: [PictureColor], where isIn: (Int) -> Bool) -> PictureColor {
        let chosen = colors.indices.filter(isIn).map { colors[$0] }
        func channel(_ path: KeyPath<PictureColor, UInt8>) -> UInt8 {
            LinearLight.encode(chosen.reduce(0) { $0 + LinearLight.decode($1[keyPath: path]) } / Float(chosen.count))
        }
        return PictureColor(channel(\.red), channel(\.green), channel(\.blue))
    }

    private static func difference(_ left: PictureColor, _ right: PictureColor) -> Int {
        let red = Int(left.red) - Int(right.red)
        let green = Int(left.green) - Int(right.green)
        let blue = Int(left.blue) - Int(right.blue)
        return red * red * 3 + green * green * 6 + blue * blue
    }
}
