#if canImport(UIKit) && !os(watchOS)
    internal import UIKit

    typealias PlatformView = UIView
    typealias PlatformGuide = UILayoutGuide
    typealias PlatformPriority = UILayoutPriority
    typealias PlatformAxis = NSLayoutConstraint.Axis

    extension UIView {
        var isRightToLeft: Bool { effectiveUserInterfaceLayoutDirection == .rightToLeft }
    }

    extension UILayoutGuide {
        func setName(_ name: String) { identifier = name }
    }
#elseif canImport(AppKit)
    internal import AppKit

    typealias PlatformView = NSView
    typealias PlatformGuide = NSLayoutGuide
    typealias PlatformPriority = NSLayoutConstraint.Priority
    typealias PlatformAxis = NSLayoutConstraint.Orientation

    extension NSView {
        var isRightToLeft: Bool { userInterfaceLayoutDirection == .rightToLeft }
    }

    extension NSLayoutGuide {
        func setName(_ name: String) { identifier = NSUserInterfaceItemIdentifier(name) }
    }
#endif
