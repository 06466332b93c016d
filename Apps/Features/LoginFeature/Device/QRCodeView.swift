import AccountCore
import NeedleKit
import TerminalUI

/// A QR code of half-blocks: two modules a cell, dark on light whatever the theme, with a quiet zone of four modules.
@MainActor
final class QRCodeView: View {
    /// The number of light modules around the code.
    private static let quietZone = 4

    /// The text of the code; `nil` for none.
    var text: String? {
        didSet {
            guard text != oldValue else { return }
            modules = text.flatMap { QRCode($0) }
            invalidateIntrinsicContentSize()
            setNeedsDisplay()
        }
    }
    /// Whether the light modules are drawn instead of the dark ones, for light terminals without colours.
    var isInverted = false { didSet { setNeedsDisplay() } }

    private var modules: QRCode?

    /// The room that the code requires; zero without one.
    var cellSize: GridSize {
        guard let modules else { return .zero }
        let side = modules.size + 2 * Self.quietZone
        return GridSize(width: side, height: (side + 1) / 2)
    }

    override var intrinsicContentSize: IntrinsicSize {
        IntrinsicSize(width: Double(cellSize.width), height: Double(cellSize.height))
    }

    override func draw(in canvas: Canvas) {
        guard let modules else { return }
        let dark = theme.isMonochrome ? Color.standard : .hex(0x000000)
        let light = theme.isMonochrome ? Color.standard : .hex(0xFFFFFF)
        for y in 0..<cellSize.height {
            for x in 0..<cellSize.width {
                let upper = isDark(modules, x, 2 * y)
                let lower = isDark(modules, x, 2 * y + 1)
                if theme.isMonochrome {
                    // A terminal without colours is dark as a rule: the light modules are drawn.
                    let symbol =
                        switch (upper == isInverted, lower == isInverted) {
                        case (true, true): "█"
                        case (true, false): "▀"
                        case (false, true): "▄"
                        case (false, false): " "
                        }
                    canvas.text(symbol, x: x, y: y)
                } else {
                    let colors = TextStyle(foreground: upper ? dark : light, background: lower ? dark : light)
                    canvas.text("▀", x: x, y: y, style: colors)
                }
            }
        }
    }

    private func isDark(_ modules: QRCode, _ x: Int, _ y: Int) -> Bool {
        let (column, row) = (x - Self.quietZone, y - Self.quietZone)
        guard (0..<modules.size).contains(column), (0..<modules.size).contains(row) else { return false }
        return modules.isDark(column, row)
    }
}
