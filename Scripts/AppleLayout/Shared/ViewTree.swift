@_exported import Foundation

/// The properties that views of both platforms have.
@MainActor
open class StandInViewState: NSObject {
    public class var noIntrinsicMetric: CGFloat { -1 }

    nonisolated let standInAssociated = AssociatedValues()
    weak var standInSuperview: StandInView?
    var standInSubviews: [StandInView] = []
    var standInGuides: [StandInGuide] = []
    var standInConstraints: [NSLayoutConstraint] = []
    private var safeArea: StandInGuide?
    private var hugging = [StandInPriority.defaultLow, .defaultLow]
    private var resistance = [StandInPriority.defaultHigh, .defaultHigh]

    open var superview: StandInView? { standInSuperview }
    open var translatesAutoresizingMaskIntoConstraints = true
    open var isHidden = false
    open var intrinsicContentSize: CGSize {
        CGSize(width: StandInView.noIntrinsicMetric, height: StandInView.noIntrinsicMetric)
    }
    open func invalidateIntrinsicContentSize() {}
    open var safeAreaLayoutGuide: StandInGuide {
        if let safeArea { return safeArea }
        let guide = StandInGuide()
        guide.setStandInName("safe area")
        guide.owningView = self as? StandInView
        safeArea = guide
        return guide
    }

    open func contentHuggingPriority(for axis: StandInAxis) -> StandInPriority { hugging[axis.rawValue] }
    open func setContentHuggingPriority(_ priority: StandInPriority, for axis: StandInAxis) {
        hugging[axis.rawValue] = priority
    }
    open func contentCompressionResistancePriority(for axis: StandInAxis) -> StandInPriority {
        resistance[axis.rawValue]
    }
    open func setContentCompressionResistancePriority(_ priority: StandInPriority, for axis: StandInAxis) {
        resistance[axis.rawValue] = priority
    }
}

/// The common behaviour of both platforms' views.
extension StandInView {
    /// The view of a constraint's item: the item itself or the owner of a guide.
    static func owning(_ object: AnyObject?) -> StandInView? {
        (object as? StandInView) ?? (object as? StandInGuide)?.owningView
    }

    public func isDescendant(of view: StandInView) -> Bool {
        var candidate: StandInView? = self
        while let next = candidate, next !== view { candidate = next.superview }
        return candidate != nil
    }

    public func addSubview(_ view: StandInView) {
        view.removeFromSuperview()
        standInSubviews.append(view)
        view.standInSuperview = self
    }

    public func removeFromSuperview() {
        // Removes the constraints between this subtree and other views.
        var outside = superview
        while let view = outside {
            for constraint in view.constraints {
                let ends = [constraint.firstItem, constraint.secondItem].compactMap { StandInView.owning($0) }
                if ends.contains(where: { $0.isDescendant(of: self) }) { constraint.isActive = false }
            }
            outside = view.superview
        }
        standInSuperview?.standInSubviews.removeAll { $0 === self }
        standInSuperview = nil
    }

    public func addLayoutGuide(_ guide: StandInGuide) {
        standInGuides.append(guide)
        guide.owningView = self
    }

    public func removeLayoutGuide(_ guide: StandInGuide) {
        var view: StandInView? = self
        while let next = view {
            for constraint in next.constraints where constraint.firstItem === guide || constraint.secondItem === guide {
                constraint.isActive = false
            }
            view = next.superview
        }
        standInGuides.removeAll { $0 === guide }
        guide.owningView = nil
    }

    /// The active constraints of this view.
    public var constraints: [NSLayoutConstraint] { standInConstraints.filter(\.isWhole) }

    public var layoutGuides: [StandInGuide] { standInGuides }
}

public struct NSDirectionalEdgeInsets: Hashable, Sendable {
    public var top: CGFloat
    public var leading: CGFloat
    public var bottom: CGFloat
    public var trailing: CGFloat
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }
}
