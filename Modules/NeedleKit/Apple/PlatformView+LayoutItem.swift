#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    /// Views take part in layouts as they are: `view.ndl.makeConstraints { ... }` puts NSLayoutConstraints into force.
    extension UIView: LayoutItem {
        /// The view's side of the layout, made when it is first asked for and kept by the view.
        public var layoutNode: LayoutNode { AppleLayout.of(self).node }
        /// The superview.
        public var layoutParent: (any LayoutItem)? { superview }
        /// The subviews.
        public var layoutChildren: [any LayoutItem] { subviews }
        /// What the view's content asks for.
        public var intrinsicLayoutSize: IntrinsicSize {
            IntrinsicSize(intrinsicContentSize, none: UIView.noIntrinsicMetric)
        }
    }
#elseif canImport(AppKit)
    public import AppKit

    /// Views take part in layouts as they are: `view.ndl.makeConstraints { ... }` puts NSLayoutConstraints into force.
    extension NSView: LayoutItem {
        /// The view's side of the layout, made when it is first asked for and kept by the view.
        public var layoutNode: LayoutNode { AppleLayout.of(self).node }
        /// The superview.
        public var layoutParent: (any LayoutItem)? { superview }
        /// The subviews.
        public var layoutChildren: [any LayoutItem] { subviews }
        /// What the view's content asks for.
        public var intrinsicLayoutSize: IntrinsicSize {
            IntrinsicSize(intrinsicContentSize, none: NSView.noIntrinsicMetric)
        }
    }
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
    extension IntrinsicSize {
        fileprivate init(_ size: CGSize, none: CGFloat) {
            self.init(
                width: size.width == none ? nil : Double(size.width),
                height: size.height == none ? nil : Double(size.height)
            )
        }
    }
#endif
