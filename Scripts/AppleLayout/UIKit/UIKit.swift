// Declarations of Apple's UIKit for type checks and recording views on other platforms.
@_exported import Foundation

typealias StandInPriority = UILayoutPriority
public typealias StandInView = UIView
public typealias StandInGuide = UILayoutGuide

public struct UILayoutPriority: Hashable, Equatable, RawRepresentable, Sendable {
    public var rawValue: Float
    public init(_ rawValue: Float) { self.rawValue = rawValue }
    public init(rawValue: Float) { self.rawValue = rawValue }
    public static let required = UILayoutPriority(rawValue: 1000)
    public static let defaultHigh = UILayoutPriority(rawValue: 750)
    public static let defaultLow = UILayoutPriority(rawValue: 250)
    public static let fittingSizeLevel = UILayoutPriority(rawValue: 50)
}

public enum UIUserInterfaceLayoutDirection: Int, @unchecked Sendable {
    case leftToRight = 0
    case rightToLeft = 1
}

public enum UISemanticContentAttribute: Int, @unchecked Sendable {
    case unspecified = 0
    case playback = 1
    case spatial = 2
    case forceLeftToRight = 3
    case forceRightToLeft = 4
}

public struct UIEdgeInsets: Hashable, Sendable {
    public var top: CGFloat
    public var left: CGFloat
    public var bottom: CGFloat
    public var right: CGFloat
    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}

@MainActor
open class UIResponder: NSObject {}

@MainActor
open class UILayoutGuide: NSObject {
    open weak var owningView: UIView?
    open var identifier = ""
}

@MainActor
open class UIView: UIResponder {
    public class var noIntrinsicMetric: CGFloat { -1 }

    nonisolated let standInAssociated = AssociatedValues()
    weak var standInSuperview: UIView?
    var standInSubviews: [UIView] = []
    var standInGuides: [UILayoutGuide] = []
    var standInConstraints: [NSLayoutConstraint] = []
    private var safeArea: UILayoutGuide?
    private var hugging = [UILayoutPriority.defaultLow, .defaultLow]
    private var resistance = [UILayoutPriority.defaultHigh, .defaultHigh]

    open var superview: UIView? { standInSuperview }
    open var subviews: [UIView] { standInSubviews }
    open var translatesAutoresizingMaskIntoConstraints = true
    open var isHidden = false
    open var semanticContentAttribute = UISemanticContentAttribute.unspecified
    open var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection {
        semanticContentAttribute == .forceRightToLeft ? .rightToLeft : .leftToRight
    }
    open var intrinsicContentSize: CGSize {
        CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric)
    }
    open func invalidateIntrinsicContentSize() {}
    open var safeAreaLayoutGuide: UILayoutGuide {
        if let safeArea { return safeArea }
        let guide = UILayoutGuide()
        guide.identifier = "safe area"
        guide.owningView = self
        safeArea = guide
        return guide
    }

    open func contentHuggingPriority(for axis: NSLayoutConstraint.Axis) -> UILayoutPriority { hugging[axis.rawValue] }
    open func setContentHuggingPriority(_ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis) {
        hugging[axis.rawValue] = priority
    }
    open func contentCompressionResistancePriority(for axis: NSLayoutConstraint.Axis) -> UILayoutPriority {
        resistance[axis.rawValue]
    }
    open func setContentCompressionResistancePriority(
        _ priority: UILayoutPriority,
        for axis: NSLayoutConstraint.Axis
    ) {
        resistance[axis.rawValue] = priority
    }
}
