#if canImport(UIKit) && !os(watchOS)
    internal import UIKit
#elseif canImport(AppKit)
    internal import AppKit
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
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
            native.constant = CGFloat(constraint.presentConstant)
            native.identifier = constraint.identifier
        }

        func priorityChanged(_ constraint: Constraint) {
            guard let native = installed[ObjectIdentifier(constraint)]?.native else { return install(constraint) }
            let priority = constraint.priority.native
            // The system takes no change from or to required while the constraint is in force.
            guard (native.priority == .required) == (priority == .required) else { return install(constraint) }
            native.priority = priority
            constantChanged(constraint)
        }

        func expressionChanged(_ constraint: Constraint) {
            install(constraint)
        }

        func constraintRefused(_ error: LayoutError) {
            refusals.tell(error)
        }

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

        /// Tries again what waited for its items to be in one tree, and what the system took out when an item left its.
        func settle() {
            for constraint in waiting { install(constraint) }
            for entry in installed.values.sorted(by: { $0.sequence < $1.sequence })
            where !entry.native.isActive { install(entry.constraint) }
        }

        /// What was refused since the last call, and what still waits.
        func takeDiagnostics() -> [LayoutDiagnostic] {
            refusals.take().map { .refused($0) } + waiting.map { .refused(.noCommonAncestor($0.source)) }
        }
    }

    extension Constraint {
        /// Label, file and line, for the system's own messages.
        var identifier: String { label.map { "\($0) (\(file):\(line))" } ?? "\(file):\(line)" }
    }
#endif
