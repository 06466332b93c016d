internal import NeedleKit

#if canImport(UIKit)
    internal import UIKit
#else
    internal import AppKit
#endif

/// The same small tree twice: as views and as items of the engine.
///
/// A root of 1024 x 768 holds a panel of 512 x 384 at (128, 64) and a stranger; the panel holds two items and a guide.
@MainActor
final class Scene {
    static let safeArea = LayoutInsets(top: 32, left: 16, bottom: 8, right: 64)
    static let margins = LayoutInsets(top: 4, left: 8, bottom: 16, right: 32)

    /// One half of the scene.
    struct Half {
        let root, panel, item, other, stranger: any Constrainable
        let guide: LayoutGuide
    }

    let views: Half
    let boxes: Half
    let engine: LayoutEngine
    let isRightToLeft: Bool

    init(isRightToLeft: Bool) {
        self.isRightToLeft = isRightToLeft
        let root = SystemView()
        let panel = SystemView()
        let item = SystemView()
        let other = SystemView()
        let stranger = SystemView()
        root.addSubview(panel)
        root.addSubview(stranger)
        panel.addSubview(item)
        panel.addSubview(other)
        for (view, name) in [
            (root, "root"), (panel, "panel"), (item, "item"), (other, "other"), (stranger, "stranger"),
        ] {
            view.ndl.node.name = name
            view.setRightToLeft(isRightToLeft)
        }
        views = Half(
            root: root,
            panel: panel,
            item: item,
            other: other,
            stranger: stranger,
            guide: LayoutGuide(in: panel, name: "guide")
        )

        let boxes = ["root", "panel", "item", "other", "stranger"].map { Box($0) }
        boxes[0].add(boxes[1], boxes[4])
        boxes[1].add(boxes[2], boxes[3])
        engine = LayoutEngine(root: boxes[0])
        engine.layoutDirection = isRightToLeft ? .rightToLeft : .leftToRight
        engine.setSize(width: 1024, height: 768)
        self.boxes = Half(
            root: boxes[0],
            panel: boxes[1],
            item: boxes[2],
            other: boxes[3],
            stranger: boxes[4],
            guide: LayoutGuide(in: boxes[1], name: "guide")
        )
        place(boxes[1], 128, 64, 512, 384)
        place(boxes[3], 96, 48, 64, 32)
        place(boxes[4], 704, 512, 128, 64)
        place(self.boxes.guide, 256, 128, 64, 48)
        for half in [views, self.boxes] {
            half.panel.ndl.node.margins = Scene.margins
            // Views have the system's safe area; the engine's items get the same insets.
            half.panel.ndl.node.safeAreaInsets = Scene.safeArea
        }
    }

    private func place(_ item: any Constrainable, _ x: Int, _ y: Int, _ width: Int, _ height: Int) {
        item.ndl.makeConstraints { make in
            make.left.equalTo(x)
            make.top.equalTo(y)
            make.width.equalTo(width)
            make.height.equalTo(height)
        }
    }

    /// All active constraints of the system, in the order of the tree.
    var natives: [NSLayoutConstraint] {
        var found: [NSLayoutConstraint] = []
        var stack = [views.root as? SystemView].compactMap { $0 }
        while let view = stack.popLast() {
            found += view.constraints
            stack += view.subviews.reversed()
        }
        return found
    }
}
