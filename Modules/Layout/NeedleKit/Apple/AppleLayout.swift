#if canImport(UIKit) && !os(watchOS)
    internal import UIKit
#elseif canImport(AppKit)
    internal import AppKit
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
    /// The constraints of one view as NSLayoutConstraints: on Apple platforms the system takes the role of ``LayoutEngine``.
    ///
    /// Each view stores one, from the first use of `ndl` on. It is the layout item that stands for the view.
    @MainActor
    final class AppleLayout {
        /// A constraint with its NSLayoutConstraint.
        struct Installed {
            let constraint: Constraint
            let native: NSLayoutConstraint
            /// The position in the order of activation, in which constraints are restored.
            let sequence: Int
        }

        let layoutNode = LayoutNode()
        private(set) weak var view: PlatformView?
        var installed: [ObjectIdentifier: Installed] = [:]
        var nextSequence = 0
        /// Constraints whose items are not in one view hierarchy yet.
        var waiting: [Constraint] = []
        var errors = LayoutErrorLog()
        var guides: [ObjectIdentifier: PlatformGuide] = [:]
        var marginsGuide: PlatformGuide?
        /// The constraints of the margins guide: top, left, bottom and right.
        var marginEdges: [NSLayoutConstraint] = []
        /// The constraints that shrink a collapsed item, by its node.
        var collapsed: [ObjectIdentifier: [NSLayoutConstraint]] = [:]
        var isHidden = false
        /// The content priorities last set on the view.
        var contentPriorities: [LayoutPriority] = []

        private init(_ view: PlatformView) {
            self.view = view
            layoutNode.item = self
            layoutNode.platformObject = view
            adoptContentPriorities(of: view)
            layoutNode.backend = self
        }

        /// Returns the layout of a view, creating it at the first call.
        static func of(_ view: PlatformView) -> AppleLayout {
            if let present = existing(of: view) { return present }
            let layout = AppleLayout(view)
            objc_setAssociatedObject(view, AssociationKey.layout, layout, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
            return layout
        }

        /// Returns the layout of a view that has one.
        static func existing(of view: PlatformView) -> AppleLayout? {
            objc_getAssociatedObject(view, AssociationKey.layout) as? AppleLayout
        }
    }

    extension AppleLayout: LayoutItem {
        var layoutParent: (any LayoutItem)? { view?.superview.map(AppleLayout.of) }
    }

    /// The layout item that stands for a layout guide of the system, which stores it from the first use of `ndl` on.
    @MainActor
    final class AppleGuide: LayoutItem {
        private let node = LayoutNode()
        private(set) weak var guide: PlatformGuide?

        private init(_ guide: PlatformGuide) {
            self.guide = guide
            node.item = self
            node.platformObject = guide
        }

        /// Returns the item of a guide, creating it at the first call.
        static func of(_ guide: PlatformGuide) -> AppleGuide {
            if let present = existing(of: guide) { return present }
            let item = AppleGuide(guide)
            objc_setAssociatedObject(guide, AssociationKey.layout, item, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
            return item
        }

        /// Returns the item of a guide that has one.
        private static func existing(of guide: PlatformGuide) -> AppleGuide? {
            objc_getAssociatedObject(guide, AssociationKey.layout) as? AppleGuide
        }

        /// Installs in a view's layout the constraints that were made on its guides before the view owned them.
        static func settleGuides(of view: PlatformView) {
            for item in view.layoutGuides.compactMap(existing) {
                let layout = AppleLayout.of(view)
                for error in item.node.pendingErrors.takeAll() { layout.errors.append(error) }
                for constraint in item.layoutNode.constraints
                where constraint.isActive && constraint.backend !== layout {
                    constraint.backend?.constraintRemoved(constraint)
                    layout.constraintAdded(constraint)
                }
            }
        }

        /// The node, whose backend is the layout of the view that owns the guide.
        var layoutNode: LayoutNode {
            if let view = guide?.owningView { node.backend = AppleLayout.of(view) }
            return node
        }
        var layoutParent: (any LayoutItem)? { guide?.owningView.map(AppleLayout.of) }
    }

    /// The key under which a view stores its layout, and a guide its item.
    @MainActor
    private enum AssociationKey {
        static let layout = UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
    }

    extension AppleLayout: LayoutBackend {
        func constraintAdded(_ constraint: Constraint) {
            constraint.backend = self
            install(constraint)
        }

        func constraintRemoved(_ constraint: Constraint) {
            uninstall(constraint)
            constraint.backend = nil
        }

        func constantChanged(_ constraint: Constraint) {
            guard let native = installed[ObjectIdentifier(constraint)]?.native else { return install(constraint) }
            native.constant = CGFloat(constraint.effectiveConstant)
            native.identifier = constraint.identifier
        }

        func priorityChanged(_ constraint: Constraint) {
            guard let native = installed[ObjectIdentifier(constraint)]?.native else { return install(constraint) }
            let priority = constraint.priority.native
            // The system does not allow a change from or to required while the constraint is active.
            guard (native.priority == .required) == (priority == .required) else { return install(constraint) }
            native.priority = priority
            constantChanged(constraint)
        }

        func expressionChanged(_ constraint: Constraint) { install(constraint) }

        func statementRejected(_ error: LayoutError) { errors.append(error) }

        func guideAdded(_ guide: LayoutGuide, to node: LayoutNode) {
            guard let view else { return }
            let native = PlatformGuide()
            if let name = guide.layoutNode.name { native.setName(name) }
            view.addLayoutGuide(native)
            guides[ObjectIdentifier(guide)] = native
            guide.layoutNode.backend = self
            for constraint in guide.layoutNode.constraints where constraint.isActive { constraintAdded(constraint) }
        }

        func guideRemoved(_ guide: LayoutGuide) {
            for constraint in guide.layoutNode.constraints where constraint.isActive { constraintRemoved(constraint) }
            if let native = guides.removeValue(forKey: ObjectIdentifier(guide)) { view?.removeLayoutGuide(native) }
            collapsed[ObjectIdentifier(guide.layoutNode)] = nil
            guide.layoutNode.backend = nil
        }

        /// Installs the constraints that waited for a common view hierarchy, and those that the system removed when a view left
        /// its superview.
        func settle() {
            for constraint in waiting { install(constraint) }
            for entry in installed.values.sorted(by: { $0.sequence < $1.sequence })
            where !entry.native.isActive { install(entry.constraint) }
        }

        /// Returns the rejected constraints since the last call, and those that still wait.
        func takeDiagnostics() -> [LayoutDiagnostic] {
            errors.takeAll().map { .rejected($0) } + waiting.map { .rejected(.noCommonAncestor($0.source)) }
        }
    }

    extension Constraint {
        /// Label, file and line, for the system's own messages.
        var identifier: String { label.map { "\($0) (\(file):\(line))" } ?? "\(file):\(line)" }
    }

    extension LayoutDSL {
        /// Activates the constraints of this view and all views below that waited for a common view hierarchy.
        ///
        /// Constraints may be stated before a view has a superview. They wait, and are activated by this call or by the next
        /// change of one of them. The same applies to constraints on a layout guide that no view owned yet, and to those that
        /// the system removed because a view left its superview.
        ///
        /// - Returns: the constraints that were rejected since the last call, and those that still wait.
        @discardableResult
        public func settle() -> [LayoutDiagnostic] {
            guard let view = (item as? AppleLayout)?.view else { return [] }
            var found: [LayoutDiagnostic] = []
            var views = [view]
            while let next = views.popLast() {
                views += next.subviews.reversed()
                AppleGuide.settleGuides(of: next)
                guard let layout = AppleLayout.existing(of: next) else { continue }
                layout.settle()
                found += layout.takeDiagnostics()
            }
            return found
        }
    }
#endif
