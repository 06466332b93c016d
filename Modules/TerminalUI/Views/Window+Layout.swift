internal import NeedleKit

extension Window {
    /// Gives the window another size, as the terminal has it.
    public func resize(to newSize: Size) {
        guard newSize != size else { return }
        let before = traits
        size = newSize
        frame = Rect(origin: .zero, size: newSize)
        if traits != before {
            func tell(_ view: View) {
                view.traitsDidChange()
                view.viewController?.traitsDidChange(from: before)
                view.subviews.forEach(tell)
            }
            tell(self)
        }
        setNeedsLayout()
    }

    /// Lays out what changed, so that every frame is right, and tells view controllers that they have appeared.
    public func layoutIfNeeded() {
        // A view may change constraints when it learns its size (a label that wraps); a few rounds settle that.
        // The first round is always made: constraints may have changed without a word.
        needsLayout = true
        var rounds = 0
        while needsLayout && rounds < 8 {
            rounds += 1
            needsLayout = false
            engine.setSize(width: Double(size.width), height: Double(size.height))
            var moved: [View] = []
            for change in engine.layout() {
                guard let view = change.item as? View, view !== self else { continue }
                let rect = change.frame
                let frame = Rect(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
                if frame != view.frame {
                    view.frame = frame
                    moved.append(view)
                }
            }
            for view in moved where view.window === self {
                view.layoutSubviews()
                view.viewController?.viewDidLayoutSubviews()
            }
            for view in takeLayoutRequests() where view.window === self { view.layoutSubviews() }
        }
        tellAppeared()
        settleFocus()
    }

    /// Draws the window as it is now; `caret` is where the real cursor belongs, nil where nothing has one.
    public func render() -> (buffer: ScreenBuffer, caret: Point?) {
        layoutIfNeeded()
        let canvas = Canvas(size: size)
        render(on: canvas)
        return (canvas.buffer, caretOnScreen)
    }

    private var caretOnScreen: Point? {
        guard let view = firstResponder, let caret = view.caret else { return nil }
        let point = view.convertToWindow(caret)
        return view.visibleArea.contains(point) ? point : nil
    }
}
