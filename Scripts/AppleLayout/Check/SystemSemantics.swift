internal import NeedleKit

#if canImport(UIKit)
    internal import UIKit
#else
    internal import AppKit
#endif

/// The meaning of a native constraint according to Apple's documentation, applied to the engine's frames: positions are
/// measured from the nearest common superview, from its right edge for leading and trailing from right to left.
@MainActor
struct SystemSemantics {
    struct Frame {
        var left, top, width, height: Double
    }

    let isRightToLeft: Bool
    /// The frames in the root's coordinates.
    let frame: (AnyObject) -> Frame?

    /// Returns the left side of a native constraint less its right side; `nil` if an item has no frame.
    func residual(of native: NSLayoutConstraint) -> Double? {
        guard let first = native.firstItem, let own = frame(first) else { return nil }
        guard let second = native.secondItem else {
            return value(native.firstAttribute, own, own, false) - Double(native.constant)
        }
        guard let target = frame(second), let ancestor = ancestor(first, second), let origin = frame(ancestor) else {
            return nil
        }
        let isMirrored =
            isRightToLeft
            && [native.firstAttribute, native.secondAttribute].contains { $0 == .leading || $0 == .trailing }
        let left = value(native.firstAttribute, own, origin, isMirrored)
        let right = value(native.secondAttribute, target, origin, isMirrored)
        return left - (Double(native.multiplier) * right + Double(native.constant))
    }

    private func value(
        _ attribute: NSLayoutConstraint.Attribute,
        _ frame: Frame,
        _ origin: Frame,
        _ isMirrored: Bool
    ) -> Double {
        let x = frame.left - origin.left
        let y = frame.top - origin.top
        let fromRight = origin.left + origin.width - frame.left - frame.width
        switch attribute {
        case .left: return x
        case .right: return x + frame.width
        case .leading: return isMirrored ? fromRight : x
        case .trailing: return isMirrored ? fromRight + frame.width : x + frame.width
        case .centerX: return isMirrored ? fromRight + frame.width / 2 : x + frame.width / 2
        case .width: return frame.width
        case .height: return frame.height
        case .top: return y
        case .bottom: return y + frame.height
        case .centerY: return y + frame.height / 2
        case .firstBaseline: return y + Baseline.firstFromTop
        case .lastBaseline: return y + frame.height - Baseline.lastFromBottom
        default: return .nan
        }
    }

    private func ancestor(_ first: AnyObject, _ second: AnyObject) -> SystemView? {
        let other = SystemSemantics.view(of: second)
        var candidate = SystemSemantics.view(of: first)
        while let view = candidate, other?.isDescendant(of: view) != true { candidate = view.superview }
        return candidate
    }

    static func view(of object: AnyObject) -> SystemView? {
        (object as? SystemView) ?? (object as? SystemGuide)?.owningView
    }
}

extension Scene {
    /// The engine's frames for the system's objects.
    var semantics: SystemSemantics {
        SystemSemantics(isRightToLeft: isRightToLeft) { [self] object in
            MainActor.assumeIsolated {
                if let guide = object as? SystemGuide {
                    guard let owner = guide.owningView, let box = box(of: owner), var frame = absolute(box) else {
                        return nil
                    }
                    switch guide.name {
                    case "safe area": frame.shrink(by: box.layoutNode.safeAreaInsets)
                    case "margins":
                        frame.shrink(by: box.layoutNode.safeAreaInsets)
                        frame.shrink(by: box.layoutNode.margins)
                    default:
                        guard let inner = guides[guide.name].map(\.layoutNode.frame) else { return nil }
                        return .init(
                            left: frame.left + Double(inner.x),
                            top: frame.top + Double(inner.y),
                            width: Double(inner.width),
                            height: Double(inner.height)
                        )
                    }
                    return frame
                }
                return (object as? SystemView).flatMap(box(of:)).flatMap(absolute)
            }
        }
    }

    /// The engine's guides by name.
    private var guides: [String: LayoutGuide] {
        var found: [String: LayoutGuide] = [boxes.guide.layoutNode.name ?? "": boxes.guide]
        for half in [boxes.root, boxes.panel] {
            for guide in half.ndl.node.guides { found[guide.layoutNode.name ?? ""] = guide }
        }
        return found
    }

    private func box(of view: SystemView) -> Box? {
        let all = [boxes.root, boxes.panel, boxes.item, boxes.other, boxes.stranger]
        return all.first { $0.ndl.node.name == view.ndl.node.name } as? Box
    }

    private func absolute(_ box: Box) -> SystemSemantics.Frame? {
        guard let frame = engine.frame(of: box) else { return nil }
        let origin = box.parent.flatMap(absolute)
        return .init(
            left: (origin?.left ?? 0) + Double(frame.x),
            top: (origin?.top ?? 0) + Double(frame.y),
            width: Double(frame.width),
            height: Double(frame.height)
        )
    }
}

extension SystemSemantics.Frame {
    mutating func shrink(by insets: LayoutInsets) {
        left += insets.left
        top += insets.top
        width -= insets.left + insets.right
        height -= insets.top + insets.bottom
    }
}
