internal import NeedleKit

/// What an alert shows: a framed panel in the middle, the content behind it stepped back.
final class AlertView: View {
    private let box = AlertBox()

    init(title: String, message: String, fields: [TextField], buttons: [Button]) {
        super.init()
        addSubview(box)
        box.ndl.makeConstraints { make in
            make.centerX.equalTo(self)
            make.centerY.equalTo(self)
            make.width.lessThanOrEqualTo(self).offset(-2)
            make.width.equalTo(52).priority(700)
            make.height.lessThanOrEqualTo(self)
        }
        var rows: [(view: View, gap: Double)] = [(Label(title, role: .title, numberOfLines: 2), 1)]
        if !message.isEmpty { rows.append((Label(message, numberOfLines: 0), 1)) }
        for field in fields { rows.append((field, 1)) }
        var above: View?
        for (view, gap) in rows {
            box.addSubview(view)
            view.ndl.makeConstraints { make in
                make.left.equalTo(box).offset(3)
                make.right.equalTo(box).offset(-3)
                if let above {
                    make.top.equalTo(above.ndl.bottom).offset(gap)
                } else {
                    make.top.equalTo(box).offset(1)
                }
            }
            above = view
        }
        place(buttons, below: above)
    }

    /// Buttons stand at the right, the last one outermost; where they do not fit beside each other they are cut.
    private func place(_ buttons: [Button], below above: View?) {
        var right: View?
        for button in buttons.reversed() {
            box.insertSubview(button, at: box.subviews.count)
            button.ndl.makeConstraints { make in
                if let above { make.top.equalTo(above.ndl.bottom).offset(1) }
                make.bottom.equalTo(box).offset(-1)
                if let right {
                    make.right.equalTo(right.ndl.left).offset(-1)
                } else {
                    make.right.equalTo(box).offset(-3)
                }
                make.left.greaterThanOrEqualTo(box).offset(2)
            }
            right = button
        }
        // Tab goes from left to right.
        for button in buttons { box.bringSubviewToFront(button) }
    }

    override func draw(in canvas: Canvas) {
        canvas.dim(bounds)
    }
}

/// The alert's panel.
final class AlertBox: View {
    override func didMoveToWindow() { background = theme.panel }
    override func traitsDidChange() { background = theme.panel }

    override func draw(in canvas: Canvas) {
        canvas.frame(bounds, style: theme.border)
    }
}
