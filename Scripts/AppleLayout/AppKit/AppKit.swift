// Declarations of Apple's AppKit for type checks and recording views on other platforms.
@_exported import Foundation

public typealias StandInPriority = NSLayoutConstraint.Priority
public typealias StandInAxis = NSLayoutConstraint.Orientation
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
open class NSLayoutGuide: NSObject {
    nonisolated let standInAssociated = AssociatedValues()
    open weak var owningView: NSView?
    open var identifier = NSUserInterfaceItemIdentifier("")
    func setStandInName(_ name: String) { identifier = NSUserInterfaceItemIdentifier(name) }
}

@MainActor
open class NSView: StandInViewState {
    open var subviews: [NSView] {
        get { standInSubviews }
        set { standInSubviews = newValue }
    }
    open var userInterfaceLayoutDirection = NSUserInterfaceLayoutDirection.leftToRight
}
