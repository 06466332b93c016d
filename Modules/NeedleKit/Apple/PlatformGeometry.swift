#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    extension UIEdgeInsets: LayoutInsetsConvertible {
        /// The insets in the layout's own type.
        public var layoutInsets: LayoutInsets {
            LayoutInsets(top: Double(top), left: Double(left), bottom: Double(bottom), right: Double(right))
        }
    }
#elseif canImport(AppKit)
    public import AppKit

    extension NSEdgeInsets: LayoutInsetsConvertible {
        /// The insets in the layout's own type.
        public var layoutInsets: LayoutInsets {
            LayoutInsets(top: Double(top), left: Double(left), bottom: Double(bottom), right: Double(right))
        }
    }
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
    extension CGFloat: LayoutNumber {
        /// The number itself.
        public var layoutValue: Double { Double(self) }
    }

    extension CGSize: LayoutSizeConvertible {
        /// The size in the layout's own type.
        public var layoutSize: LayoutSize { LayoutSize(width: Double(width), height: Double(height)) }
    }

    extension NSDirectionalEdgeInsets: DirectionalInsetsConvertible {
        /// The insets in the layout's own type.
        public var directionalInsets: DirectionalInsets {
            DirectionalInsets(
                top: Double(top),
                leading: Double(leading),
                bottom: Double(bottom),
                trailing: Double(trailing)
            )
        }
    }
#endif
