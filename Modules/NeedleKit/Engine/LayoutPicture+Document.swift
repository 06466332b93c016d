extension LayoutPicture {
    /// The whole as one SVG document.
    var document: String {
        let lines = legend.enumerated().map { place, line in
            let y = extent.bottom + Self.margin + Double(place + 1) * Self.lineHeight * 1.2
            return Self.text(Substring(line), "legend", extent.left, y)
        }
        let widest = legend.map { Double($0.count) * Self.characterWidth }.max() ?? 0
        let left = extent.left - Self.margin
        let top = extent.top - Self.margin
        let width = max(extent.right - extent.left, widest) + 2 * Self.margin
        let under = legend.isEmpty ? 0 : Self.margin + Double(legend.count) * Self.lineHeight * 1.2
        let height = extent.bottom - extent.top + under + 2 * Self.margin
        let box = [left, top, width, height].map(Self.number).joined(separator: " ")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="\(Self.number(width))" \
            height="\(Self.number(height))" viewBox="\(box)">
            <style>
            text { font: 10px monospace; }
            .item { fill: #3b82f6; fill-opacity: 0.08; stroke: #3b82f6; }
            .hidden { fill: none; stroke: #8a8f98; stroke-dasharray: 2 2; }
            .guide { fill: none; stroke: #0f9f6e; stroke-dasharray: 5 3; }
            .wrong { stroke: #e5484d; stroke-width: 2.5; }
            .end { fill: #e5484d; }
            .badge { fill: #e5484d; }
            .number { fill: #ffffff; font-weight: bold; }
            .name { fill: #7a7f87; }
            .guide-name { fill: #0f9f6e; font-style: italic; }
            .legend { fill: #e5484d; }
            </style>
            <defs><marker id="end" markerWidth="1" markerHeight="4" refX="0.5" refY="2" orient="auto">\
            <rect class="end" width="1" height="4"/></marker></defs>
            \((shapes + marks + labels + badges + lines).joined(separator: "\n"))
            </svg>

            """
    }
}
