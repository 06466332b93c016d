#if canImport(UIKit) && !os(watchOS)
    internal import UIKit
#elseif canImport(AppKit)
    internal import AppKit
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
    extension AppleLayout {
        func intrinsicSizeChanged(_ node: LayoutNode) {
            guard node === layoutNode, let view else { return }
            pushContentPriorities(to: view)
            view.invalidateIntrinsicContentSize()
        }

        func geometryChanged(_ node: LayoutNode) {
            if node === layoutNode, let view {
                for (edge, constant) in zip(marginEdges, node.margins.edgeConstants) { edge.constant = constant }
                if isHidden != node.isHidden {
                    isHidden = node.isHidden
                    view.isHidden = node.isHidden
                }
            }
            let key = ObjectIdentifier(node)
            guard node.isCollapsed != (collapsed[key] != nil) else { return }
            for native in collapsed.removeValue(forKey: key) ?? [] { native.isActive = false }
            if node.isCollapsed { collapse(node) }
            if node === layoutNode, let view { pushContentPriorities(to: view) }
            for constraint in node.constraints where constraint.isActive && constraint.backend === self {
                if constraint.attribute.isExtent { install(constraint) } else { constantChanged(constraint) }
            }
        }

        private func collapse(_ node: LayoutNode) {
            let guide =
                (node.item as? LayoutGuide).flatMap { guides[ObjectIdentifier($0)] }
                ?? (node.item as? AppleGuide)?.guide
            guard let object: AnyObject = guide ?? (node === layoutNode ? view : nil) else { return }
            let natives = [NSLayoutConstraint.Attribute.width, .height].map { attribute in
                let native = NSLayoutConstraint(
                    item: object,
                    attribute: attribute,
                    relatedBy: .equal,
                    toItem: nil,
                    attribute: .notAnAttribute,
                    multiplier: 1,
                    constant: 0
                )
                // Below required, so that required constraints can prevent the collapse.
                native.priority = LayoutPriority(999).native
                native.identifier = "\(node.displayName) is collapsed"
                return native
            }
            collapsed[ObjectIdentifier(node)] = natives
            for native in natives { native.isActive = true }
        }

        // MARK: - Content

        /// Reads the view's own priorities, so that only those that change are set.
        func adoptContentPriorities(of view: PlatformView) {
            layoutNode.horizontalHugging = LayoutPriority(view.contentHuggingPriority(for: .horizontal))
            layoutNode.verticalHugging = LayoutPriority(view.contentHuggingPriority(for: .vertical))
            layoutNode.horizontalCompressionResistance =
                LayoutPriority(view.contentCompressionResistancePriority(for: .horizontal))
            layoutNode.verticalCompressionResistance =
                LayoutPriority(view.contentCompressionResistancePriority(for: .vertical))
            contentPriorities = layoutNode.contentPriorities
        }

        private func pushContentPriorities(to view: PlatformView) {
            // The content of a collapsed item does not count.
            let wanted = layoutNode.isCollapsed ? Array(repeating: 1, count: 4) : layoutNode.contentPriorities
            let axes: [PlatformAxis] = [.horizontal, .vertical]
            for (index, axis) in axes.enumerated() {
                if wanted[index] != contentPriorities[index] {
                    view.setContentHuggingPriority(wanted[index].native, for: axis)
                }
                if wanted[index + 2] != contentPriorities[index + 2] {
                    view.setContentCompressionResistancePriority(wanted[index + 2].native, for: axis)
                }
            }
            contentPriorities = wanted
        }

        // MARK: - Margins

        /// Returns the guide of the margins inside the safe area, creating it at the first call.
        func guideOfMargins(in view: PlatformView) -> PlatformGuide {
            if let marginsGuide { return marginsGuide }
            let guide = PlatformGuide()
            guide.setName("margins")
            view.addLayoutGuide(guide)
            let attributes: [NSLayoutConstraint.Attribute] = [.top, .left, .bottom, .right]
            marginEdges = zip(attributes, layoutNode.margins.edgeConstants).map { attribute, constant in
                NSLayoutConstraint(
                    item: guide,
                    attribute: attribute,
                    relatedBy: .equal,
                    toItem: view.safeAreaLayoutGuide,
                    attribute: attribute,
                    multiplier: 1,
                    constant: constant
                )
            }
            for edge in marginEdges { edge.isActive = true }
            marginsGuide = guide
            return guide
        }
    }

    extension LayoutNode {
        /// Hugging along both axes, then compression resistance along both axes.
        fileprivate var contentPriorities: [LayoutPriority] {
            [horizontalHugging, verticalHugging, horizontalCompressionResistance, verticalCompressionResistance]
        }
    }

    extension LayoutInsets {
        /// Top, left, bottom and right as constants along the axes.
        fileprivate var edgeConstants: [CGFloat] { [CGFloat(top), CGFloat(left), CGFloat(-bottom), CGFloat(-right)] }
    }
#endif
