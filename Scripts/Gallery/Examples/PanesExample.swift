import NeedleKit
import TerminalUI

extension GalleryExample {
    /// Framed panes beside each other, with a line that can be dragged.
    static let panes = GalleryExample("panes", "Panes and split view") {
        let left = Pane(title: "할 일")
        left.footer = "1 of 3"
        let field = TextField(text: "우유 사기")
        left.contentView.addSubview(field)
        field.ndl.makeConstraints { make in
            make.left.equalTo(left.contentView)
            make.right.equalTo(left.contentView)
            make.top.equalTo(left.contentView)
        }
        let right = Pane(title: "Details")
        let note = Label("Drag the line between the panes, or press Alt and an arrow key.", numberOfLines: 0)
        let line = Divider()
        let button = Button("Done")
        var above: View?
        for view in [note, line, button] as [View] {
            right.contentView.addSubview(view)
            view.ndl.makeConstraints { make in
                make.left.equalTo(right.contentView)
                make.right.equalTo(right.contentView)
                if let above {
                    make.top.equalTo(above.ndl.bottom)
                } else {
                    make.top.equalTo(right.contentView)
                }
            }
            above = view
        }
        return GalleryFrame(SplitView(left, right, fraction: 0.4))
    }
}
