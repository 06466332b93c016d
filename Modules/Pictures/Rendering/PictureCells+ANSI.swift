extension PictureCells {
    /// The picture as lines for a terminal: SGR sequences where a colour changes, and a reset at the end of each line.
    ///
    /// - Parameter depth: The colours the terminal shows; colours are reduced to it. With `.none` only characters are
    ///   written, so draw with a style that suits (`PictureRenderer` sees to it).
    /// - Returns: `rows` lines, each ended by a line feed.
    public func ansiText(depth: PictureColorDepth) -> String {
        var text = ""
        var colors = ColorMemory(depth: depth)
        for row in 0..<rows {
            var pen = Pen()
            for column in 0..<columns {
                let cell = self[column, row]
                pen.change(
                    to: cell.foreground.flatMap { colors.nearest(to: $0) },
                    behind: cell.background.flatMap { colors.nearest(to: $0) },
                    isBlank: cell.character == " ",
                    in: &text
                )
                text.append(cell.character)
            }
            pen.reset(in: &text)
            text.append("\n")
        }
        return text
    }

    /// The terminal's colours as they stand while a line is written.
    private struct Pen {
        var foreground: TerminalColor?
        var background: TerminalColor?

        mutating func change(to front: TerminalColor?, behind: TerminalColor?, isBlank: Bool, in text: inout String) {
            // A blank shows no foreground: what it is does not matter.
            let front = isBlank ? foreground : front
            var parameters: [String] = []
            if front != foreground { parameters.append(front?.parameters(isBackground: false) ?? "39") }
            if behind != background { parameters.append(behind?.parameters(isBackground: true) ?? "49") }
            foreground = front
            background = behind
            guard !parameters.isEmpty else { return }
            text.append("\u{1B}[\(parameters.joined(separator: ";"))m")
        }

        mutating func reset(in text: inout String) {
            guard foreground != nil || background != nil else { return }
            text.append("\u{1B}[0m")
            self = Pen()
        }
    }

    /// Reduced colours, each looked for once.
    private struct ColorMemory {
        let depth: PictureColorDepth
        var known: [PictureColor: TerminalColor] = [:]

        mutating func nearest(to color: PictureColor) -> TerminalColor? {
            if depth == .trueColor || depth == .none { return depth.nearest(to: color) }
            if let found = known[color] { return found }
            let found = depth.nearest(to: color)
            known[color] = found
            return found
        }
    }
}
