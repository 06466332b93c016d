internal import NeedleKit

#if canImport(UIKit)
    internal import UIKit
#else
    internal import AppKit
#endif

/// The system's constraints over time: changes in place, replacements, groups, waiting, release.
@MainActor
struct Behaviour {
    let checker: Checker

    func run() {
        changesInPlace()
        replacements()
        groups()
        platformNumbers()
        waiting()
        order()
        released()
        addressReused()
        rejections()
        content()
        collapse()
        guides()
        systemGuides()
        article()
    }

    @MainActor
    private struct Tree {
        let root = SystemView()
        let item = SystemView()
        let other = SystemView()

        init() {
            root.addSubview(item)
            root.addSubview(other)
            for (view, name) in [(root, "root"), (item, "item"), (other, "other")] { view.ndl.node.name = name }
        }
    }

    private func changesInPlace() {
        let tree = Tree()
        let made = tree.item.ndl.makeConstraints { make in
            make.left.equalTo(tree.other.ndl.right).offset(1)
            make.width.equalTo(5).priority(400).labeled("width")
        }
        let before = tree.root.constraints + tree.item.constraints
        checker.equal(before.count, 2, "active constraints")
        checker.expect(!tree.item.translatesAutoresizingMaskIntoConstraints, "the item's mask is off")
        checker.expect(tree.other.translatesAutoresizingMaskIntoConstraints, "the target's mask stays")
        try? made[0].setConstant(9)
        try? made[1].setConstant(7)
        made[1].setPriority(800)
        tree.item.ndl.updateConstraints { make in make.left.equalTo(tree.other.ndl.right).offset(11).labeled("x") }
        let after = tree.root.constraints + tree.item.constraints
        checker.expect(zip(before, after).allSatisfy { $0 === $1 } && after.count == 2, "the same active objects")
        checker.equal(after.map { Double($0.constant) }, [11, 7], "constants")
        checker.equal(after.map(\.priority.rawValue), [1000, 800], "priorities")
        made[1].isActive = false
        checker.expect(!before[1].isActive && tree.item.constraints.isEmpty, "an inactive constraint")
        made[1].isActive = true
        checker.equal(tree.item.constraints.map { Double($0.constant) }, [7], "an active constraint")
        try? made[0].setInset(3)
        checker.equal(tree.root.constraints.map { Double($0.constant) }, [3], "a constraint's inset")
        try? made[0].setConstant(11)
        checker.expect(after[0].identifier?.hasPrefix("x (AppleLayoutCheck/Behaviour.swift:") == true, "the new label")
    }

    private func replacements() {
        let tree = Tree()
        let made = tree.item.ndl.makeConstraints { make in make.width.equalTo(tree.other) }
        func only(_ what: String) -> NSLayoutConstraint? {
            let found = tree.root.constraints + tree.item.constraints
            checker.equal(found.count, 1, "active constraints after \(what)")
            return found.first
        }
        var former = only("the first")
        func replaced(_ what: String, _ change: () throws -> Void) -> NSLayoutConstraint? {
            try? change()
            let present = only(what)
            checker.expect(present !== former && former?.isActive == false, "\(what) replaces the object")
            former = present
            return present
        }
        let byFactor = replaced("a factor") { try made[0].setMultiplier(0.5) }
        checker.equal(byFactor.map { Double($0.multiplier) }, 0.5, "factor")
        let byAnchor = replaced("a target") { try made[0].setTarget(tree.other.ndl.height) }
        checker.equal(byAnchor?.secondAttribute, .height, "target's attribute")
        let byItem = replaced("another item") { made[0].setTarget(tree.root) }
        checker.expect(byItem?.secondItem === tree.root, "the new target")
        let byPriority = replaced("no longer required") { made[0].setPriority(999) }
        checker.equal(byPriority?.priority.rawValue, 999, "priority")
        _ = replaced("required again") { made[0].setPriority(.required) }
        let byUpdate = replaced("an update") {
            tree.item.ndl.updateConstraints { $0.width.equalTo(30).priority(20) }
        }
        checker.equal(byUpdate.map { Double($0.constant) }, 30, "number")
        checker.expect(byUpdate?.secondItem == nil && made[0].targetItem == nil, "no target")
    }

    private func groups() {
        let tree = Tree()
        var edges = ConstraintGroup()
        tree.item.ndl.makeConstraints { make in
            edges = make.edges.equalTo(LayoutInsets(top: 1, left: 2, bottom: 3, right: 4)).group
        }
        checker.equal(tree.root.constraints.map { Double($0.constant) }, [1, 2, -3, -4], "insets")
        edges.deactivate()
        checker.expect(tree.root.constraints.isEmpty, "an inactive group")
        edges.activate()
        try? edges.setInset(5)
        checker.equal(tree.root.constraints.map { Double($0.constant) }, [5, 5, -5, -5], "a group's inset")
        edges.remove()
        checker.expect(tree.root.constraints.isEmpty && tree.item.ndl.constraints.isEmpty, "a removed group")
        tree.item.ndl.remakeConstraints { make in
            make.directionalEdges.equalTo(DirectionalInsets(top: 1, leading: 2, bottom: 3, trailing: 4))
            make.size.lessThanOrEqualTo(LayoutSize(width: 6, height: 7))
            make.aspectRatio(2)
        }
        let all = tree.root.constraints + tree.item.constraints
        checker.equal(
            all.map(\.firstAttribute),
            [.top, .leading, .bottom, .trailing, .width, .height, .width],
            "attributes"
        )
        checker.equal(all.map { Double($0.constant) }, [1, 2, -3, -4, 6, 7, 0], "constants")
        checker.equal(all.last.map { Double($0.multiplier) }, 2, "aspect ratio")
        checker.expect(all.last?.secondItem === tree.item && all.last?.secondAttribute == .height, "width to height")
        tree.item.ndl.removeConstraints()
        checker.expect((tree.root.constraints + tree.item.constraints).isEmpty, "all removed")
    }

    private func platformNumbers() {
        let tree = Tree()
        tree.item.ndl.makeConstraints { make in
            make.width.equalTo(CGFloat(12.5))
            make.left.equalTo(tree.other.ndl.right).offset(CGFloat(3))
            make.size.lessThanOrEqualTo(CGSize(width: 40, height: 50))
            make.edges.greaterThanOrEqualTo(SystemInsets(top: 1, left: 2, bottom: 3, right: 4))
            make.vertical.equalToSuperview().inset(SystemInsets(top: 5, left: 0, bottom: 6, right: 0))
            make.directionalEdges.equalTo(NSDirectionalEdgeInsets(top: 7, leading: 8, bottom: 9, trailing: 10))
            make.center.equalTo(CGPoint(x: 11, y: 12))
            make.width.height.equalTo(CGSize(width: 13, height: 14))
            make.leading.trailing.equalToSuperview().inset(
                NSDirectionalEdgeInsets(top: 0, leading: 15, bottom: 0, trailing: 16)
            )
        }
        checker.equal(
            tree.item.ndl.constraints.map(\.constant),
            [12.5, 3, 40, 50, 1, 2, -3, -4, 5, -6, 7, 8, -9, -10, 11, 12, 13, 14, 15, -16],
            "the platform's numbers, sizes, points and insets"
        )
    }

    private func waiting() {
        let root = SystemView()
        let panel = SystemView()
        let item = SystemView()
        panel.addSubview(item)
        panel.ndl.makeConstraints { $0.edges.equalToSuperview() }
        item.ndl.makeConstraints { make in
            make.top.equalTo(root.ndl.top).labeled("across")
            make.left.equalToSuperview()
        }
        checker.equal(panel.constraints.count, 1, "the constraints that can be active")
        let early = panel.ndl.settle()
        checker.equal(early.count, 5, "waiting constraints")
        checker.expect(early.contains { "\($0)".contains("across") }, "waiting constraints are named")
        root.addSubview(panel)
        checker.equal(root.ndl.settle(), [], "nothing waits")
        checker.equal(root.constraints.count, 5, "all active")
        panel.removeFromSuperview()
        checker.equal(root.constraints.count, 0, "the system removes the constraints of a removed view")
        let second = SystemView()
        second.addSubview(panel)
        checker.equal(second.ndl.settle().count, 1, "a constraint on the first root waits")
        checker.equal(second.constraints.count, 4, "edges in the second root")
        checker.expect(second.constraints.allSatisfy { $0.secondItem === second }, "the new superview")
    }

    private func order() {
        let tree = Tree()
        tree.item.ndl.makeConstraints { make in
            for index in 0..<24 { make.left.equalToSuperview().offset(index).priority(500) }
        }
        tree.item.removeFromSuperview()
        tree.root.addSubview(tree.item)
        checker.equal(tree.root.ndl.settle(), [], "nothing waits")
        checker.equal(
            tree.root.constraints.map { Int($0.constant) },
            Array(0..<24),
            "restored in the order of statement"
        )
    }

    private func released() {
        let tree = Tree()
        var made: [Constraint] = []
        autoreleased {
            let brief = SystemView()
            brief.ndl.node.name = "brief"
            tree.root.addSubview(brief)
            made = tree.item.ndl.makeConstraints { $0.top.equalTo(brief.ndl.bottom).labeled("below") }
            checker.equal(tree.root.constraints.count, 1, "active while its target exists")
            brief.removeFromSuperview()
        }
        checker.equal(tree.root.constraints.count, 0, "removed with its target")
        let reports = tree.root.ndl.settle()
        checker.equal(reports.count, 1, "reported once")
        checker.expect("\(reports)".contains("below"), "named")
        checker.expect(tree.item.ndl.constraints.isEmpty && made.allSatisfy { !$0.isActive }, "removed")
        checker.equal(tree.root.ndl.settle(), [], "not reported twice")
    }

    private func addressReused() {
        let tree = Tree()
        var address: ObjectIdentifier?
        autoreleased {
            let brief = SystemView()
            address = ObjectIdentifier(brief)
            tree.root.addSubview(brief)
            tree.item.ndl.makeConstraints { $0.top.equalTo(brief.ndl.bottom) }
            brief.removeFromSuperview()
        }
        var made: [SystemView] = []
        while made.count < 10_000, made.last.map({ ObjectIdentifier($0) }) != address { made.append(SystemView()) }
        guard let next = made.last, ObjectIdentifier(next) == address else {
            return checker.expect(false, "no view was created at that address")
        }
        tree.root.addSubview(next)
        tree.item.ndl.updateConstraints { $0.top.equalTo(next.ndl.bottom) }
        checker.expect(tree.root.constraints.first?.secondItem === next, "the view at that address is the target")
        checker.equal(tree.root.ndl.settle(), [], "nothing is reported")
    }

    private func autoreleased(_ body: () -> Void) { body() }

    private func rejections() {
        let tree = Tree()
        let stranger = SystemView()
        tree.item.ndl.makeConstraints { make in
            make.width.equalTo(Double.nan).labeled("not a number")
            make.height.equalTo(1e300).labeled("too large")
            make.width.equalTo(tree.item.ndl.width).labeled("itself")
            make.left.equalTo(stranger.ndl.right).labeled("apart")
            make.left.equalTo(Box("box")).labeled("of the engine")
        }
        let prepared = tree.item.ndl.prepareConstraints { $0.top.equalTo(Double.infinity).labeled("endless") }
        prepared[0].activate()
        prepared[0].activate()
        let twice = tree.item.ndl.makeConstraints { $0.top.equalTo(1).labeled("twice") }
        twice[0].activate()
        let reports = tree.root.ndl.settle().map { "\($0)" }
        for label in ["not a number", "too large", "itself", "apart", "of the engine", "endless", "twice"] {
            checker.expect(
                reports.contains { $0.hasPrefix("“\(label)”") && $0.contains("Behaviour.swift:") },
                "\(label) is reported"
            )
        }
        checker.equal(tree.root.constraints.map { Double($0.constant) }, [1], "the active constraints")
        checker.expect(tree.item.constraints.isEmpty, "no rejected constraint")
    }

    private func content() {
        let tree = Tree()
        checker.equal(tree.item.contentPriorities, [250, 250, 750, 750], "default priorities")
        tree.item.ndl.setHugging(600, .vertical)
        tree.item.ndl.setCompressionResistance(.required, .horizontal)
        checker.equal(tree.item.contentPriorities, [250, 600, 1000, 750], "changed priorities")
    }

    private func collapse() {
        let tree = Tree()
        tree.item.ndl.makeConstraints { make in
            make.top.equalTo(tree.other.ndl.bottom).offset(8)
            make.height.equalTo(20)
        }
        tree.item.ndl.node.isHidden = true
        checker.expect(tree.item.isHidden, "hidden")
        checker.equal(tree.item.constraints.map { Double($0.constant) }, [20], "a hidden view retains its height")
        tree.item.ndl.node.collapsesWhenHidden = true
        checker.equal(tree.root.constraints.map { Double($0.constant) }, [0], "the offset collapses")
        checker.equal(tree.item.constraints.map { Double($0.constant) }, [0, 0], "no width, no height")
        checker.equal(tree.item.constraints.map(\.priority.rawValue), [999, 999], "just below required")
        checker.equal(tree.item.contentPriorities, [1, 1, 1, 1], "the content has no priority")
        tree.item.ndl.node.isHidden = false
        checker.expect(!tree.item.isHidden, "shown")
        checker.equal(tree.root.constraints.map { Double($0.constant) }, [8], "the offset is restored")
        checker.equal(tree.item.constraints.map { Double($0.constant) }, [20], "the height is restored")
        checker.equal(tree.item.contentPriorities, [250, 250, 750, 750], "the content priorities are restored")
    }

    private func guides() {
        let tree = Tree()
        let guide = LayoutGuide(in: tree.root, name: "gutter")
        guide.ndl.makeConstraints { make in
            make.left.vertical.equalToSuperview()
            make.width.equalTo(6)
        }
        tree.item.ndl.makeConstraints { $0.left.equalTo(guide.ndl.right) }
        checker.equal(tree.root.layoutGuides.map(\.name), ["gutter"], "a guide of the system")
        checker.equal(tree.root.constraints.count, 5, "its constraints")
        let inner = LayoutGuide(in: guide, name: "inner")
        inner.ndl.makeConstraints { $0.edges.equalToSuperview() }
        checker.equal(tree.root.layoutGuides.count, 2, "a guide inside a guide")
        guide.remove()
        checker.expect(
            tree.root.layoutGuides.isEmpty && tree.root.constraints.isEmpty,
            "a guide is removed with all its constraints"
        )
        tree.root.ndl.node.margins = LayoutInsets(top: 1, left: 2, bottom: 3, right: 4)
        tree.item.ndl.remakeConstraints { $0.edges.equalTo(tree.root.ndl.margins) }
        tree.root.ndl.node.margins = LayoutInsets(7)
        let margins = tree.root.constraints.filter { ($0.firstItem as? SystemGuide)?.name == "margins" }
        checker.equal(margins.map { Double($0.constant) }, [7, 7, -7, -7], "margins that changed")
        checker.equal(tree.root.constraints.count, 8, "margins and edges")
    }

    /// Layout guides that the system creates, such as the keyboard's, as targets and as constrained items.
    private func systemGuides() {
        let tree = Tree()
        let keyboard = SystemGuide()
        tree.item.ndl.makeConstraints { $0.bottom.equalTo(keyboard.ndl.top).labeled("above the keyboard") }
        checker.equal(tree.root.constraints.count, 0, "a guide without a view waits")
        tree.root.addLayoutGuide(keyboard)
        checker.equal(tree.root.ndl.settle(), [], "nothing waits")
        checker.equal(tree.root.constraints.count, 1, "a guide as a target")
        let target = tree.root.constraints.first
        checker.expect(target?.secondItem === keyboard && target?.secondAttribute == .top, "the guide's top edge")
        keyboard.ndl.makeConstraints { make in
            make.horizontal.bottom.equalToSuperview()
            make.height.greaterThanOrEqualTo(tree.other).multipliedBy(0.5)
        }
        let own = tree.root.constraints.filter { $0.firstItem === keyboard }
        checker.equal(own.map(\.firstAttribute), [.left, .right, .bottom, .height], "constraints on a guide")
        checker.expect(own.prefix(3).allSatisfy { $0.secondItem === tree.root }, "the guide's view is its superview")
        keyboard.ndl.updateConstraints { $0.bottom.equalToSuperview().offset(-3) }
        checker.equal(own[2].constant, -3, "a changed constant")
        keyboard.ndl.removeConstraints()
        checker.equal(tree.root.constraints.count, 1, "removed constraints")

        let early = SystemGuide()
        let made = early.ndl.makeConstraints { make in
            make.left.equalToSuperview()
            make.width.equalTo(4).labeled("twice")
        }
        made[1].activate()
        let (first, second) = (SystemView(), SystemView())
        for view in [first, second] {
            view.addLayoutGuide(early)
            let reports = view.ndl.settle().map { "\($0)" }
            checker.equal(reports.count, view === first ? 1 : 0, "an error of a guide without a view is reported once")
            checker.expect(reports.allSatisfy { $0.hasPrefix("“twice”") }, "named: \(reports)")
            checker.equal(view.constraints.map(\.firstAttribute), [.left, .width], "constraints made before")
            view.removeLayoutGuide(early)
            checker.equal(view.constraints.count, 0, "the system removes the constraints of a removed guide")
        }
    }

    /// The view of the article "UIKit and AppKit".
    private func article() {
        let root = makeProfile()
        checker.equal(root.subviews.count, 3, "the article's views")
        checker.equal(root.ndl.settle(), [], "nothing rejected")
        let labels = root.subviews[0].constraints.compactMap(\.identifier)
        checker.expect(
            labels.count == 2 && labels.allSatisfy { $0.hasPrefix("picture size (") },
            "the label: \(labels)"
        )
        checker.equal(root.constraints.map { Double($0.constant) }, [2, 2, 0, 2, -2, 1, 0, -2, -2], "the constants")
    }
}
