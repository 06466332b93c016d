extension View {
    /// A cell of this view in the window's coordinates.
    public func convertToWindow(_ point: Point) -> Point {
        var result = point
        var view: View? = self
        while let current = view, current.superview != nil {
            result = Point(x: result.x + current.frame.minX, y: result.y + current.frame.minY)
            view = current.superview
        }
        return result
    }

    /// A cell of the window in this view's coordinates.
    public func convertFromWindow(_ point: Point) -> Point {
        let origin = convertToWindow(.zero)
        return Point(x: point.x - origin.x, y: point.y - origin.y)
    }

    /// A rectangle of this view in the coordinates of one above it.
    public func convert(_ rect: Rect, to ancestor: View) -> Rect {
        let own = convertToWindow(rect.origin)
        let other = ancestor.convertToWindow(.zero)
        return Rect(origin: Point(x: own.x - other.x, y: own.y - other.y), size: rect.size)
    }

    /// The innermost visible view at a cell of this one; nil outside.
    public func hitTest(_ point: Point) -> View? {
        guard !isHidden && bounds.contains(point) else { return nil }
        for view in subviews.reversed() {
            let inside = Point(x: point.x - view.frame.minX, y: point.y - view.frame.minY)
            if let hit = view.hitTest(inside) { return hit }
        }
        return self
    }

    /// The part of the window in which something of this view can be seen.
    var visibleArea: Rect {
        var area = Rect(origin: convertToWindow(.zero), size: frame.size)
        var view = superview
        while let current = view {
            area = area.intersection(Rect(origin: current.convertToWindow(.zero), size: current.frame.size))
            view = current.superview
        }
        return area
    }

    /// Draws the view and what stands in it.
    func render(on canvas: Canvas) {
        guard !isHidden else { return }
        canvas.within(frame) {
            if canvas.isClippedAway { return }
            if let background { canvas.cover(bounds, style: background) }
            draw(in: canvas)
            for view in subviews { view.render(on: canvas) }
        }
    }
}
