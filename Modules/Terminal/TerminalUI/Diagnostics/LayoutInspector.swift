internal import NeedleKit

/// Draws the layout over a window for its developer: the frames and names of the views, the constraints of one view, and
/// the problems.
@MainActor
struct LayoutInspector {
    let window: Window

    /// Draws on the finished frame.
    func draw(on canvas: Canvas) {
        let subject = window.hoveredView ?? window.firstResponder
        for view in window.subviews { outline(view, depth: 0, subject, canvas) }
        let lines = report(on: subject)
        let height = min(lines.count, max(1, window.bounds.height / 2))
        let panel = GridRect(x: 0, y: window.bounds.height - height, width: window.bounds.width, height: height)
        canvas.cover(panel, style: TextStyle(foreground: .hex(0xFFFFFF), background: .hex(0x202020)))
        for (row, line) in lines.prefix(height).enumerated() {
            canvas.text(
                TextLayout.truncate(line.text, to: panel.width),
                x: 0,
                y: panel.minY + row,
                style: TextStyle(foreground: line.isProblem ? .hex(0xFF9090) : .standard)
            )
        }
    }

    /// The name of a view: that of its layout node, or its type.
    static func name(of view: View) -> String { view.layoutNode.name ?? "\(type(of: view))" }

    private func outline(_ view: View, depth: Int, _ subject: View?, _ canvas: Canvas) {
        guard !view.isHidden, !view.frame.isEmpty else { return }
        let colors: [Color] = [.hex(0x5CC8FF), .hex(0x8CFF8C), .hex(0xFFD75C), .hex(0xFF9CFF)]
        var style = TextStyle(foreground: colors[depth % colors.count])
        if view === subject { style.attributes = [.bold, .reverse] }
        let frame = GridRect(origin: view.convertToWindow(.zero), size: view.frame.size).intersection(window.bounds)
        guard !frame.isEmpty else { return }
        if frame.height >= 2 && frame.width >= 2 {
            canvas.text("┌", x: frame.minX, y: frame.minY, style: style)
            canvas.text("┐", x: frame.maxX - 1, y: frame.minY, style: style)
            canvas.text("└", x: frame.minX, y: frame.maxY - 1, style: style)
            canvas.text("┘", x: frame.maxX - 1, y: frame.maxY - 1, style: style)
        }
        if view.subviews.isEmpty || view === subject {
            let room = max(0, frame.width - (frame.height >= 2 ? 2 : 0))
            let name = TextLayout.truncate(LayoutInspector.name(of: view), to: room)
            canvas.text(name, x: frame.minX + (frame.height >= 2 ? 1 : 0), y: frame.minY, style: style)
        }
        for child in view.subviews { outline(child, depth: depth + 1, subject, canvas) }
    }

    private func report(on subject: View?) -> [(text: String, isProblem: Bool)] {
        var lines: [(text: String, isProblem: Bool)] = []
        for problem in window.engine.diagnostics { lines.append(("\(problem)", true)) }
        if lines.isEmpty { lines.append(("no layout problems", false)) }
        if let subject {
            lines.append(("\(LayoutInspector.name(of: subject)) \(subject.frame)", false))
            for constraint in subject.layoutNode.constraints { lines.append(("  \(constraint.source)", false)) }
        }
        // A problem may have several lines.
        var rows: [(text: String, isProblem: Bool)] = []
        for line in lines {
            for row in line.text.split(separator: "\n") { rows.append((String(row), line.isProblem)) }
        }
        return rows
    }
}
