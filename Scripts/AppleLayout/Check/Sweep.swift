internal import NeedleKit

#if canImport(UIKit)
    internal import UIKit
#else
    internal import AppKit
#endif

/// Every attribute with every relation, target, offset, inset, factor and priority, in both reading directions.
@MainActor
struct Sweep {
    let checker: Checker

    func run() {
        for isRightToLeft in [false, true] {
            let scene = Scene(isRightToLeft: isRightToLeft)
            _ = scene.engine.layout()
            for attribute in LayoutAttribute.allCases {
                for right in rights(of: attribute) {
                    for relation in LayoutRelation.allCases {
                        for change in Statement.Change.allCases {
                            for priority in [LayoutPriority.required, .high, 1] {
                                let statement = Statement(
                                    attribute: attribute,
                                    relation: relation,
                                    right: right,
                                    change: change,
                                    priority: priority
                                )
                                check(statement, in: scene)
                            }
                        }
                    }
                }
            }
        }
    }

    /// The operands of an attribute. Guides and areas have no baselines.
    private func rights(of attribute: LayoutAttribute) -> [Statement.Right] {
        let isBaseline = attribute == .firstBaseline || attribute == .lastBaseline
        var found: [Statement.Right] = [.superview, .item, .stranger, .number]
        if !isBaseline { found += [.safeArea, .margins, .guide] }
        let count = attribute.isExtent ? 2 : 5
        let plain = attribute.axis == .vertical && !attribute.isExtent ? 3 : count
        found += (0..<count).map { .anchor($0) }
        for index in 0..<plain { found += [.safeAreaAnchor(index), .marginsAnchor(index), .guideAnchor(index)] }
        return found
    }

    private func check(_ statement: Statement, in scene: Scene) {
        let onView = statement.state(on: scene.views)
        let onBox = statement.state(on: scene.boxes)
        defer {
            ConstraintGroup(onView).remove()
            ConstraintGroup(onBox).remove()
        }
        checker.equal(onView.count, 1, "constraints of \(statement)")
        guard let constraint = onBox.first, onBox.count == 1, let own = onView.first else { return }
        let natives = scene.natives.filter { $0.identifier?.hasPrefix("swept ") == true }
        checker.equal(natives.count, 1, "native constraints of \(statement)")
        guard let native = natives.first else { return }
        compareTuple(native, own, constraint, scene, statement)
        if statement.priority == .required { compareMeaning(native, constraint, scene, statement) }
    }

    /// Compares the native constraint with the engine's constraint term by term.
    private func compareTuple(
        _ native: NSLayoutConstraint,
        _ own: Constraint,
        _ constraint: Constraint,
        _ scene: Scene,
        _ statement: Statement
    ) {
        let what = "\(statement)"
        checker.equal(name(native.firstItem), "item", "item of \(what)")
        checker.equal(names[native.firstAttribute], "\(constraint.attribute)", "attribute of \(what)")
        let relations: [NSLayoutConstraint.Relation: LayoutRelation] = [
            .equal: .equal, .lessThanOrEqual: .lessThanOrEqual, .greaterThanOrEqual: .greaterThanOrEqual,
        ]
        checker.equal(relations[native.relation], constraint.relation, "relation of \(what)")
        checker.equal(Double(native.constant), constraint.constant, "constant of \(what)")
        checker.equal(native.priority.rawValue, Float(constraint.priority.value), "priority of \(what)")
        checker.equal(native.identifier, "swept (\(own.file):\(own.line))", "identifier of \(what)")
        guard let target = constraint.targetItem, let attribute = constraint.targetAttribute else {
            checker.expect(native.secondItem == nil, "\(what) has a target")
            checker.equal(names[native.secondAttribute], "none", "target's attribute of \(what)")
            return
        }
        // A factor of zero has a different form, so that only its meaning can be compared.
        guard constraint.multiplier != 0 else { return }
        checker.equal(Double(native.multiplier), constraint.multiplier, "multiplier of \(what)")
        let area = constraint.targetArea == .frame ? "" : constraint.targetArea == .safeArea ? "safe area" : "margins"
        let expected = area.isEmpty ? target.layoutNode.name : area
        checker.equal(name(native.secondItem), expected, "target of \(what)")
        checker.equal(
            names[native.secondAttribute],
            family(attribute, of: constraint.attribute, scene.isRightToLeft),
            "target's attribute of \(what)"
        )
    }

    /// Checks that the engine's frames satisfy the native constraint.
    private func compareMeaning(
        _ native: NSLayoutConstraint,
        _ constraint: Constraint,
        _ scene: Scene,
        _ statement: Statement
    ) {
        let isMirrored = scene.isRightToLeft && (constraint.attribute == .leading || constraint.attribute == .trailing)
        // Optional constraints that push the item against the bound of an inequality and determine the rest of its frame.
        let isUpper = (constraint.relation == .lessThanOrEqual) != isMirrored
        let press: Double =
            constraint.relation == .equal ? 0 : isUpper ? 100_000 : constraint.attribute.isExtent ? 0 : -100_000
        let optional = scene.boxes.item.ndl.makeConstraints { make in
            if constraint.attribute.isExtent {
                if constraint.attribute == .width {
                    make.width.equalTo(press).priority(10)
                } else {
                    make.height.equalTo(press).priority(10)
                }
            } else if constraint.attribute.axis == .horizontal {
                make.left.equalTo(press).priority(10)
            } else {
                make.top.equalTo(press).priority(10)
            }
            make.width.equalTo(40).priority(5)
            make.height.equalTo(24).priority(5)
            make.left.equalTo(8).priority(5)
            make.top.equalTo(8).priority(5)
        }
        _ = scene.engine.layout()
        checker.expect(scene.engine.diagnostics.isEmpty, "the engine rejects \(statement)")
        if let residual = scene.semantics.residual(of: native) {
            checker.expect(abs(residual) < 0.51, "\(statement) is off by \(residual)")
        } else {
            checker.expect(false, "\(statement) has no frame")
        }
        ConstraintGroup(optional).remove()
    }

    private func name(_ object: AnyObject?) -> String? {
        (object as? SystemView)?.ndl.node.name ?? (object as? SystemGuide)?.name
    }

    private let names: [NSLayoutConstraint.Attribute: String] = [
        .left: "left", .right: "right", .top: "top", .bottom: "bottom", .leading: "leading", .trailing: "trailing",
        .width: "width", .height: "height", .centerX: "centerX", .centerY: "centerY", .firstBaseline: "firstBaseline",
        .lastBaseline: "lastBaseline", .notAnAttribute: "none",
    ]

    /// The same edge in the family of the other attribute: the system relates sides to sides and leading to trailing.
    private func family(_ target: LayoutAttribute, of own: LayoutAttribute, _ isRightToLeft: Bool) -> String {
        let directional: Set<LayoutAttribute> = [.leading, .trailing]
        guard target.axis == .horizontal, !target.isExtent, target != .centerX,
            directional.contains(target) != directional.contains(own)
        else { return "\(target)" }
        let isStart = (target == .leading || target == .left)
        if directional.contains(own) { return isStart != isRightToLeft ? "leading" : "trailing" }
        return isStart != isRightToLeft ? "left" : "right"
    }
}
