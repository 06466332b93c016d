#if canImport(UIKit)
    internal import UIKit

    typealias SystemView = UIView
    typealias SystemGuide = UILayoutGuide
    typealias SystemInsets = UIEdgeInsets

    extension UIView {
        func setRightToLeft(_ isRightToLeft: Bool) {
            semanticContentAttribute = isRightToLeft ? .forceRightToLeft : .forceLeftToRight
        }
    }

    extension UILayoutGuide {
        var name: String { identifier }
    }

    let platform = "UIKit"
#else
    internal import AppKit

    typealias SystemView = NSView
    typealias SystemGuide = NSLayoutGuide
    typealias SystemInsets = NSEdgeInsets

    extension NSView {
        func setRightToLeft(_ isRightToLeft: Bool) {
            userInterfaceLayoutDirection = isRightToLeft ? .rightToLeft : .leftToRight
        }
    }

    extension NSLayoutGuide {
        var name: String { identifier.rawValue }
    }

    let platform = "AppKit"
#endif

extension SystemView {
    /// Hugging along x and y, then compression resistance along x and y.
    var contentPriorities: [Float] {
        [
            contentHuggingPriority(for: .horizontal).rawValue, contentHuggingPriority(for: .vertical).rawValue,
            contentCompressionResistancePriority(for: .horizontal).rawValue,
            contentCompressionResistancePriority(for: .vertical).rawValue,
        ]
    }
}
