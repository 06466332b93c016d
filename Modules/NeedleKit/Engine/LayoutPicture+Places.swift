extension LayoutPicture {
    func box(_ edges: Edges) -> Box {
        Box(
            left: Double(edges.left) * unitWidth,
            top: Double(edges.top) * unitHeight,
            right: Double(edges.right) * unitWidth,
            bottom: Double(edges.bottom) * unitHeight
        )
    }

    mutating func include(_ box: Box) {
        extent.left = min(extent.left, box.left)
        extent.top = min(extent.top, box.top)
        extent.right = max(extent.right, box.right)
        extent.bottom = max(extent.bottom, box.bottom)
    }

    /// The first place from a point downwards where nothing is written yet.
    mutating func free(width: Double, from left: Double, _ top: Double) -> Box {
        var box = Box(left: left, top: top, right: left + width, bottom: top + Self.lineHeight)
        while let other = taken.first(where: { $0.meets(box) }) {
            box.top = other.bottom
            box.bottom = box.top + Self.lineHeight
        }
        taken.append(box)
        include(box)
        return box
    }
}
