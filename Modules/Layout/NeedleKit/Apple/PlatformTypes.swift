#if canImport(UIKit) && !os(watchOS)
    internal import UIKit

    typealias PlatformView = UIView
    typealias PlatformGuide = UILayoutGuide
    typealias PlatformInsets = UIEdgeInsets
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
    typealias PlatformInsets = NSEdgeInsets
    typealias PlatformPriority = NSLayoutConstraint.Priority
    typealias PlatformAxis = NSLayoutConstraint.Orientation

    extension NSView {
        var isRightToLeft: Bool { userInterfaceLayoutDirection == .rightToLeft }
    }

    extension NSLayoutGuide {
        func setName(_ name: String) { identifier = NSUserInterfaceItemIdentifier(name) }
    }
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
    extension LayoutAttribute {
        var native: NSLayoutConstraint.Attribute {
            switch self {
            case .top: .top
            case .bottom: .bottom
            case .left: .left
            case .right: .right
            case .width: .width
            case .height: .height
            case .centerX: .centerX
            case .centerY: .centerY
            case .firstBaseline: .firstBaseline
            case .lastBaseline: .lastBaseline
            case .leading: .leading
            case .trailing: .trailing
            }
        }

        /// The attribute from which positions along the axis are measured.
        var origin: LayoutAttribute { axis == .vertical ? .top : isDirectional ? .leading : .left }

        /// The same edge in the family of another attribute, by side or by reading direction: the system does not relate left
        /// and right to leading and trailing.
        func inFamily(of other: LayoutAttribute, _ isRightToLeft: Bool) -> LayoutAttribute {
            switch self {
            case .left where other.isDirectional: isRightToLeft ? .trailing : .leading
            case .right where other.isDirectional: isRightToLeft ? .leading : .trailing
            case .leading where !other.isDirectional: isRightToLeft ? .right : .left
            case .trailing where !other.isDirectional: isRightToLeft ? .left : .right
            default: self
            }
        }
    }

    extension LayoutRelation {
        var native: NSLayoutConstraint.Relation {
            switch self {
            case .equal: .equal
            case .lessThanOrEqual: .lessThanOrEqual
            case .greaterThanOrEqual: .greaterThanOrEqual
            }
        }
    }

    extension LayoutPriority {
        var native: PlatformPriority { PlatformPriority(rawValue: Float(value)) }

        init(_ native: PlatformPriority) {
            self.init(native.rawValue.isFinite ? Int(min(1000, max(1, native.rawValue.rounded()))) : 1000)
        }
    }
#endif
