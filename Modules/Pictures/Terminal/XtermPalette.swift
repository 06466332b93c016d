/// xterm's 256 colours, and the nearest of them to any colour.
public enum XtermPalette {
    /// All 256: the 16 ANSI colours as xterm shows them by default, the cube (16...231), the greys (232...255).
    public static let colors: [PictureColor] = ansi + cube + greys

    /// The levels of a channel in the cube.
    static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]

    private static let ansi: [PictureColor] = [
        PictureColor(0, 0, 0), PictureColor(205, 0, 0), PictureColor(0, 205, 0), PictureColor(205, 205, 0),
        PictureColor(0, 0, 238), PictureColor(205, 0, 205), PictureColor(0, 205, 205), PictureColor(229, 229, 229),
        PictureColor(127, 127, 127), PictureColor(255, 0, 0), PictureColor(0, 255, 0), PictureColor(255, 255, 0),
        PictureColor(92, 92, 255), PictureColor(255, 0, 255), PictureColor(0, 255, 255), PictureColor(255, 255, 255),
    ]
    private static let cube: [PictureColor] = (0..<216).map {
        PictureColor(levels[$0 / 36], levels[$0 / 6 % 6], levels[$0 % 6])
    }
    private static let greys: [PictureColor] = (0..<24).map {
        let level = UInt8(8 + 10 * $0)
        return PictureColor(level, level, level)
    }
    private static let perceived: [OKLab] = colors.map(OKLab.init)

    /// The nearest of the 16 ANSI colours, 0...15.
    public static func nearest16(to color: PictureColor) -> UInt8 {
        let wanted = OKLab(color)
        return UInt8(nearest(to: wanted, among: 0..<16))
    }

    /// The nearest colour of the cube and the greys, 16...255.
    ///
    /// Looked for among the cube's corners around the colour and all greys; nothing further away comes nearer by more
    /// than the eye sees.
    public static func nearest256(to color: PictureColor) -> UInt8 {
        let wanted = OKLab(color)
        var candidates = Array(232..<256)
        let (reds, greens, blues) = (around(color.red), around(color.green), around(color.blue))
        for red in reds {
            for green in greens {
                for blue in blues { candidates.append(16 + red * 36 + green * 6 + blue) }
            }
        }
        return UInt8(nearest(to: wanted, among: candidates))
    }

    /// The levels just below and just above a value; one where it stands on a level.
    private static func around(_ value: UInt8) -> ClosedRange<Int> {
        let above = levels.firstIndex { $0 >= value } ?? levels.count - 1
        return levels[above] == value ? above...above : above - 1...above
    }

    private static func nearest(to wanted: OKLab, among candidates: some Sequence<Int>) -> Int {
        candidates.min { perceived[$0].distance(to: wanted) < perceived[$1].distance(to: wanted) } ?? 0
    }
}
