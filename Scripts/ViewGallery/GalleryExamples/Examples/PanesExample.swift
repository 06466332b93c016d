import NeedleKit
import TerminalUI

extension GalleryExample {
    /// Framed panes beside each other, with a line that can be dragged.
    static let panes = GalleryExample("panes", "Panes and split view") {
        let left = Pane(title: "할 일")
        left.footer = "1 of 3"
        let field = TextField(text: "우유 사기")
        left.contentView.addSubview(field)
        field.ndl.makeConstraints { $0.top.horizontal.equalTo(left.contentView) }
        let right = Pane(title: "Details")
        let note = Label("Drag the line between the panes, or press Alt and an arrow key.", numberOfLines: 0)
        let views = [note, Divider(), Button("Done")]
        for view in views { right.contentView.addSubview(view) }
        right.contentView.ndl.stack(views, distribution: .start)
        return ViewController(filledBy: SplitView(left, right, fraction: 0.4))
    }
}
