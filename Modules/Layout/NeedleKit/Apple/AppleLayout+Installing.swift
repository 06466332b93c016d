#if canImport(UIKit) && !os(watchOS)
    internal import UIKit
#elseif canImport(AppKit)
    internal import AppKit
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
    extension AppleLayout {
        /// A view or guide that the system constrains, and the view that it belongs to.
        private struct Endpoint {
            let object: AnyObject
            let view: PlatformView
        }

        /// Replaces the NSLayoutConstraint of a constraint by one with its present values.
        func install(_ constraint: Constraint) {
            uninstall(constraint)
            guard constraint.isActive, let item = constraint.item else { return }
            if constraint.isSuspended { return }
            do throws(LayoutError) {
                let native = try native(of: constraint, on: item)
                (item as? AppleLayout)?.view?.translatesAutoresizingMaskIntoConstraints = false
                installed[ObjectIdentifier(constraint)] = Installed(
                    constraint: constraint,
                    native: native,
                    sequence: nextSequence
                )
                nextSequence += 1
                native.isActive = true
            } catch {
                switch error {
                case .noCommonAncestor: waiting.append(constraint)
                case .itemReleased:
                    errors.append(error)
                    constraint.isMarkedActive = false
                    constraint.remove()
                default: errors.append(error)
                }
            }
        }

        func uninstall(_ constraint: Constraint) {
            waiting.removeAll { $0 === constraint }
            installed.removeValue(forKey: ObjectIdentifier(constraint))?.native.isActive = false
        }

        private func native(
            of constraint: Constraint,
            on item: any LayoutItem
        ) throws(LayoutError) -> NSLayoutConstraint {
            try LayoutError.check(constraint)
            guard let own = endpoint(item, .frame) else { throw .noCommonAncestor(constraint.source) }
            var attribute = NSLayoutConstraint.Attribute.notAnAttribute
            var target: AnyObject?
            var multiplier = constraint.effectiveMultiplier
            if constraint.target.kind != .number {
                let other = try targetEndpoint(of: constraint)
                guard let ancestor = own.view.nearest(holding: other.view) else {
                    throw .noCommonAncestor(constraint.source)
                }
                let family = constraint.target.attribute.inFamily(of: constraint.attribute, own.view.isRightToLeft)
                guard own.object !== other.object || family != constraint.attribute || multiplier != 1 else {
                    throw .noVariables(constraint.source)
                }
                (target, attribute) = (other.object, family.native)
                if multiplier == 0 {
                    // The system does not allow a factor of zero: an extent becomes a number, a position is measured from
                    // the origin of the nearest common superview.
                    multiplier = 1
                    (target, attribute) =
                        constraint.attribute.isExtent
                        ? (nil, .notAnAttribute) : (ancestor, constraint.attribute.origin.native)
                }
            } else {
                multiplier = 1
            }
            let native = NSLayoutConstraint(
                item: own.object,
                attribute: constraint.attribute.native,
                relatedBy: constraint.relation.native,
                toItem: target,
                attribute: attribute,
                multiplier: CGFloat(multiplier),
                constant: CGFloat(constraint.effectiveConstant)
            )
            native.priority = constraint.priority.native
            native.identifier = constraint.identifier
            return native
        }

        private func targetEndpoint(of constraint: Constraint) throws(LayoutError) -> Endpoint {
            guard let item = constraint.targetItem else {
                throw constraint.target.kind == .item
                    ? .itemReleased(constraint.source) : .noCommonAncestor(constraint.source)
            }
            guard let found = endpoint(item, constraint.target.area) else {
                throw .noCommonAncestor(constraint.source)
            }
            return found
        }

        private func endpoint(_ item: any LayoutItem, _ area: LayoutArea) -> Endpoint? {
            if let layout = item as? AppleLayout {
                guard let view = layout.view else { return nil }
                switch area {
                case .frame: return Endpoint(object: view, view: view)
                case .safeArea: return Endpoint(object: view.safeAreaLayoutGuide, view: view)
                case .margins: return Endpoint(object: layout.guideOfMargins(in: view), view: view)
                }
            }
            if let guide = (item as? AppleGuide)?.guide {
                return guide.owningView.map { Endpoint(object: guide, view: $0) }
            }
            guard let guide = item as? LayoutGuide, let layout = guide.layoutNode.backend as? AppleLayout,
                let native = layout.guides[ObjectIdentifier(guide)], let view = layout.view
            else { return nil }
            return Endpoint(object: native, view: view)
        }
    }

    extension PlatformView {
        /// Returns the nearest view that contains both views, or is one of them and contains the other.
        fileprivate func nearest(holding other: PlatformView) -> PlatformView? {
            var candidate: PlatformView? = self
            while let view = candidate, !other.isDescendant(of: view) { candidate = view.superview }
            return candidate
        }
    }
#endif
