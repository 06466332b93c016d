// Declarations of Apple's AppKit for type checks and recording views on other platforms.
@_exported import Foundation

typealias StandInPriority = NSLayoutConstraint.Priority
public typealias StandInView = NSView
public typealias StandInGuide = NSLayoutGuide

public enum NSUserInterfaceLayoutDirection: Int, @unchecked Sendable {
    case leftToRight = 0
    case rightToLeft = 1
}

public struct NSUserInterfaceItemIdentifier: Hashable, Equatable, RawRepresentable, Sendable {
    public var rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(rawValue: String) { self.rawValue = rawValue }
}

@MainActor
open class NSResponder: NSObject {}

@MainActor
open class NSLayoutGuide: NSObject {
    open weak var owningView: NSView?
    open var identifier = NSUserInterfaceItemIdentifier("")
}

@MainActor
open class NSView: NSResponder {
    public class var noIntrinsicMetric: CGFloat { -1 }

    nonisolated let standInAssociated = AssociatedValues()
    weak var standInSuperview: NSView?
    var standInSubviews: [NSView] = []
    var standInGuides: [NSLayoutGuide] = []
    var standInConstraints: [NSLayoutConstraint] = []
    private var safeArea: NSLayoutGuide?
    private var hugging = [NSLayoutConstraint.Priority.defaultLow, .defaultLow]
    private var resistance = [NSLayoutConstraint.Priority.defaultHigh, .defaultHigh]

    open var superview: NSView? { standInSuperview }
    open var subviews: [NSView] {
        get { standInSubviews }
        set { standInSubviews = newValue }
    }
    open var translatesAutoresizingMaskIntoConstraints = true
    open var isHidden = false
    open var userInterfaceLayoutDirection = NSUserInterfaceLayoutDirection.leftToRight
    open var intrinsicContentSize: NSSize {
        NSSize(width: NSView.noIntrinsicMetric, height: NSView.noIntrinsicMetric)
    }
    open func invalidateIntrinsicContentSize() {}
    open var safeAreaLayoutGuide: NSLayoutGuide {
        if let safeArea { return safeArea }
        let guide = NSLayoutGuide()
        guide.identifier = NSUserInterfaceItemIdentifier("safe area")
        guide.owningView = self
        safeArea = guide
        return guide
    }

    open func contentHuggingPriority(
        for orientation: NSLayoutConstraint.Orientation
    ) -> NSLayoutConstraint.Priority { hugging[orientation.rawValue] }
    open func setContentHuggingPriority(
        _ priority: NSLayoutConstraint.Priority,
        for orientation: NSLayoutConstraint.Orientation
    ) {
        hugging[orientation.rawValue] = priority
    }
    open func contentCompressionResistancePriority(
        for orientation: NSLayoutConstraint.Orientation
    ) -> NSLayoutConstraint.Priority { resistance[orientation.rawValue] }
    open func setContentCompressionResistancePriority(
        _ priority: NSLayoutConstraint.Priority,
        for orientation: NSLayoutConstraint.Orientation
    ) {
        resistance[orientation.rawValue] = priority
    }
}
