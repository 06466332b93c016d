#if canImport(UIKit) && !os(watchOS)
    public import UIKit
#elseif canImport(AppKit)
    public import AppKit
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
    /// `view.ndl.makeConstraints { ... }` activates NSLayoutConstraints.
    extension PlatformView: Constrainable {
        /// The view's constraints and anchors.
        public var ndl: LayoutDSL { LayoutDSL(item: AppleLayout.of(self)) }
    }

    /// The system's layout guides are targets and can be constrained, for example the keyboard's, a scroll view's content or the
    /// readable width: `view.keyboardLayoutGuide.ndl.top`.
    extension PlatformGuide: Constrainable {
        /// The guide's constraints and anchors.
        public var ndl: LayoutDSL { LayoutDSL(item: AppleGuide.of(self)) }
    }

    // MARK: - Geometry

    extension PlatformInsets: LayoutInsetsConvertible {
        /// The same distances as ``LayoutInsets``.
        public var layoutInsets: LayoutInsets {
            LayoutInsets(top: Double(top), left: Double(left), bottom: Double(bottom), right: Double(right))
        }
    }

    extension CGFloat: LayoutNumber {
        /// The number as `Double`.
        public var layoutValue: Double { Double(self) }
    }

    extension CGSize: ConstraintOperand {
        /// The kind of the attributes that can be compared with the value.
        public typealias OperandKind = Extents
        /// The width for a width, the height for a height.
        @MainActor public var constraintRightSide: ConstraintRightSide {
            LayoutSize(width: Double(width), height: Double(height)).constraintRightSide
        }
    }

    extension CGPoint: ConstraintOperand {
        /// The kind of the attributes that can be compared with the value.
        public typealias OperandKind = Centers
        /// The parent's same attribute plus the distance along its axis.
        @MainActor public var constraintRightSide: ConstraintRightSide {
            LayoutOffset(x: Double(x), y: Double(y)).constraintRightSide
        }
    }

    extension NSDirectionalEdgeInsets: ConstraintOperand {
        /// The kind of the attributes that can be compared with the value.
        public typealias OperandKind = AllDirectionalEdges
        /// The parent's same edge, moved inward.
        @MainActor public var constraintRightSide: ConstraintRightSide { directionalInsets.constraintRightSide }

        fileprivate var directionalInsets: DirectionalInsets {
            DirectionalInsets(
                top: Double(top),
                leading: Double(leading),
                bottom: Double(bottom),
                trailing: Double(trailing)
            )
        }
    }

    extension ConstraintEditor {
        /// Moves inward by a distance for each edge. Left moves by the leading distance and right by the trailing one, in both
        /// reading directions.
        @discardableResult
        public func inset(_ insets: NSDirectionalEdgeInsets) -> ConstraintEditor {
            inset(insets.directionalInsets)
        }
    }
#endif
