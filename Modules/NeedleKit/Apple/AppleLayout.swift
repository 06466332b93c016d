#if canImport(UIKit) && !os(watchOS)
    internal import UIKit
#elseif canImport(AppKit)
    internal import AppKit
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
    /// One view's constraints as NSLayoutConstraints: what ``LayoutEngine`` is elsewhere, the system is here.
    ///
    /// Each view keeps one, from the first use of `ndl` on.
    @MainActor
    final class AppleLayout {
        /// A constraint with what stands for it in the system.
        struct Installed {
            let constraint: Constraint
            let native: NSLayoutConstraint
            /// Rises with each that is put into force: what is put back keeps the order.
            let sequence: Int
        }

        let node = LayoutNode()
        private(set) weak var view: PlatformView?
        var installed: [ObjectIdentifier: Installed] = [:]
        var nextSequence = 0
        /// Constraints whose items are not in one tree yet.
        var waiting: [Constraint] = []
        var refusals = RefusalList()
        var guides: [ObjectIdentifier: PlatformGuide] = [:]
        var marginsGuide: PlatformGuide?
        /// Top, left, bottom and right of the margins.
        var marginEdges: [NSLayoutConstraint] = []
        /// What shrinks a collapsed item, by its node.
        var collapsed: [ObjectIdentifier: [NSLayoutConstraint]] = [:]
        var isHidden = false
        /// Hugging and compression resistance as the view has them.
        var contentPriorities: [LayoutPriority] = []

        private init(_ view: PlatformView) {
            self.view = view
            node.item = view
            adoptContentPriorities(of: view)
            node.backend = self
        }

        /// The layout of a view, made at the first call.
        static func of(_ view: PlatformView) -> AppleLayout {
            if let present = existing(of: view) { return present }
            let layout = AppleLayout(view)
            objc_setAssociatedObject(view, AssociationKey.layout, layout, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
            return layout
        }

        /// The layout of a view that has one.
        static func existing(of view: PlatformView) -> AppleLayout? {
            objc_getAssociatedObject(view, AssociationKey.layout) as? AppleLayout
        }
    }

    /// The address that a view keeps its layout under.
    @MainActor
    private enum AssociationKey {
        static let layout = UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
    }
#endif
