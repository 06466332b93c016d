internal import NeedleKit

/// One statement of the sweep, made on the view and on the item.
@MainActor
struct Statement {
    enum Right: Hashable {
        case superview, safeArea, margins, item, stranger, guide, number
        /// The anchor of the same kind with this index, on another item or an area of the panel.
        case anchor(Int), safeAreaAnchor(Int), marginsAnchor(Int), guideAnchor(Int)
    }

    enum Change: CaseIterable {
        case none, offset, negativeOffset, offsets, inset, insets, directionalInsets, half, quarter, double, zero,
            mixture
    }

    let attribute: LayoutAttribute
    let relation: LayoutRelation
    let right: Right
    let change: Change
    let priority: LayoutPriority

    /// Makes the statement on one half of the scene.
    ///
    /// - Returns: the constraints.
    func state(on half: Scene.Half) -> [Constraint] {
        half.item.ndl.makeConstraints { make in
            switch attribute {
            case .left: relate(make.left, half, xs)
            case .right: relate(make.right, half, xs)
            case .leading: relate(make.leading, half, xs)
            case .trailing: relate(make.trailing, half, xs)
            case .centerX: relate(make.centerX, half, xs)
            case .top: relate(make.top, half, ys)
            case .bottom: relate(make.bottom, half, ys)
            case .centerY: relate(make.centerY, half, ys)
            case .firstBaseline: relate(make.firstBaseline, half, ys)
            case .lastBaseline: relate(make.lastBaseline, half, ys)
            case .width: relate(make.width, half, extents)
            case .height: relate(make.height, half, extents)
            }
        }
    }

    private func xs(_ source: any AnchorSource) -> [Anchor<XPosition>] {
        [source.left, source.right, source.leading, source.trailing, source.centerX]
    }

    private func ys(_ source: any AnchorSource) -> [Anchor<YPosition>] {
        [source.top, source.bottom, source.centerY, source.firstBaseline, source.lastBaseline]
    }

    private func extents(_ source: any AnchorSource) -> [Anchor<Extent>] { [source.width, source.height] }

    private func relate<Kind>(
        _ start: ConstraintStart<Kind>,
        _ half: Scene.Half,
        _ anchors: (any AnchorSource) -> [Anchor<Kind>]
    ) {
        switch right {
        case .superview:
            switch relation {
            case .equal: adjust(start.equalToSuperview())
            case .lessThanOrEqual: adjust(start.lessThanOrEqualToSuperview())
            case .greaterThanOrEqual: adjust(start.greaterThanOrEqualToSuperview())
            }
        case .safeArea: relate(start, half.panel.ndl.safeArea)
        case .margins: relate(start, half.panel.ndl.margins)
        case .item: relate(start, half.other)
        case .stranger: relate(start, half.stranger)
        case .guide: relate(start, half.guide)
        case .number:
            switch relation {
            case .equal: adjust(start.equalTo(48))
            case .lessThanOrEqual: adjust(start.lessThanOrEqualTo(48))
            case .greaterThanOrEqual: adjust(start.greaterThanOrEqualTo(48))
            }
        case .anchor(let index): relate(start, anchors(half.other.ndl)[index])
        case .safeAreaAnchor(let index): relate(start, anchors(half.panel.ndl.safeArea)[index])
        case .marginsAnchor(let index): relate(start, anchors(half.panel.ndl.margins)[index])
        case .guideAnchor(let index): relate(start, anchors(half.guide.ndl)[index])
        }
    }

    private func relate<Kind>(_ start: ConstraintStart<Kind>, _ area: some ConstraintOperand<Any>) {
        switch relation {
        case .equal: adjust(start.equalTo(area))
        case .lessThanOrEqual: adjust(start.lessThanOrEqualTo(area))
        case .greaterThanOrEqual: adjust(start.greaterThanOrEqualTo(area))
        }
    }

    private func relate<Kind>(_ start: ConstraintStart<Kind>, _ item: any Constrainable) {
        switch relation {
        case .equal: adjust(start.equalTo(item))
        case .lessThanOrEqual: adjust(start.lessThanOrEqualTo(item))
        case .greaterThanOrEqual: adjust(start.greaterThanOrEqualTo(item))
        }
    }

    private func relate<Kind>(_ start: ConstraintStart<Kind>, _ anchor: Anchor<Kind>) {
        switch relation {
        case .equal: adjust(start.equalTo(anchor))
        case .lessThanOrEqual: adjust(start.lessThanOrEqualTo(anchor))
        case .greaterThanOrEqual: adjust(start.greaterThanOrEqualTo(anchor))
        }
    }

    private func adjust<Kind>(_ editor: ConstraintEditor<Kind>) {
        editor.priority(priority).labeled("swept")
        switch change {
        case .none: break
        case .offset: editor.offset(12)
        case .negativeOffset: editor.offset(-20)
        case .offsets: editor.offset(LayoutOffset(x: 10, y: 14))
        case .inset: editor.inset(6)
        case .insets: editor.inset(LayoutInsets(top: 2, left: 4, bottom: 6, right: 8))
        case .directionalInsets: editor.inset(DirectionalInsets(top: 2, leading: 4, bottom: 6, trailing: 8))
        case .half: editor.multipliedBy(0.5)
        case .quarter: editor.dividedBy(4)
        case .double: editor.multipliedBy(2).offset(4)
        case .zero: editor.multipliedBy(0).offset(24)
        case .mixture: editor.multipliedBy(0.5).inset(8).offset(2).priority(priority)
        }
    }
}
