internal import NeedleKit

#if canImport(UIKit)
    internal import UIKit
#else
    internal import AppKit
#endif

/// What the system is told over time: changes in place, replacements, groups, waiting, release.
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
        refusals()
        content()
        collapse()
        guides()
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
            for (view, name) in [(root, "root"), (item, "item"), (other, "other")] { view.layoutNode.name = name }
        }
    }

    private func changesInPlace() {
        let tree = Tree()
        let made = tree.item.ndl.makeConstraints { make in
            make.left.equalTo(tree.other.ndl.right).offset(1)
            make.width.equalTo(5).priority(400).labeled("width")
        }
        let before = tree.root.constraints + tree.item.constraints
        checker.equal(before.count, 2, "constraints in force")
        checker.expect(!tree.item.translatesAutoresizingMaskIntoConstraints, "the item's mask is off")
        checker.expect(tree.other.translatesAutoresizingMaskIntoConstraints, "the target's mask stays")
        try? made[0].setConstant(9)
        try? made[1].setConstant(7)
        made[1].setPriority(800)
        tree.item.ndl.updateConstraints { make in make.left.equalTo(tree.other.ndl.right).offset(11).labeled("x") }
        let after = tree.root.constraints + tree.item.constraints
        checker.expect(zip(before, after).allSatisfy { $0 === $1 } && after.count == 2, "the same objects in force")
        checker.equal(after.map { Double($0.constant) }, [11, 7], "constants")
        checker.equal(after.map(\.priority.rawValue), [1000, 800], "priorities")
        checker.expect(after[0].identifier?.hasPrefix("x (AppleLayoutCheck/Behaviour.swift:") == true, "the new label")
    }

    private func replacements() {
        let tree = Tree()
        let made = tree.item.ndl.makeConstraints { make in make.width.equalTo(tree.other) }
        func only(_ what: String) -> NSLayoutConstraint? {
            let found = tree.root.constraints + tree.item.constraints
            checker.equal(found.count, 1, "constraints in force after \(what)")
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
        let byItem = replaced("another item") { try made[0].setTarget(tree.root) }
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
        checker.expect(tree.root.constraints.isEmpty, "a group out of force")
        edges.activate()
        try? edges.setInset(5)
        checker.equal(tree.root.constraints.map { Double($0.constant) }, [5, 5, -5, -5], "a group's inset")
        edges.remove()
        checker.expect(tree.root.constraints.isEmpty && tree.item.ndl.constraints.isEmpty, "a group away")
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
        }
        checker.equal(
            tree.item.ndl.constraints.map(\.constant),
            [12.5, 3, 40, 50, 1, 2, -3, -4, 5, -6, 7, 8, -9, -10],
            "the platform's own numbers, sizes and insets"
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
        checker.equal(panel.constraints.count, 1, "what can be in force")
        let early = panel.ndl.settle()
        checker.equal(early.count, 5, "what waits")
        checker.expect(early.contains { "\($0)".contains("across") }, "what waits is named")
        root.addSubview(panel)
        checker.equal(root.ndl.settle(), [], "nothing waits")
        checker.equal(root.constraints.count, 5, "all in force")
        panel.removeFromSuperview()
        checker.equal(root.constraints.count, 0, "the system takes out what leaves")
        let second = SystemView()
        second.addSubview(panel)
        checker.equal(second.ndl.settle().count, 1, "what still refers to the first root waits")
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
        checker.equal(tree.root.constraints.map { Int($0.constant) }, Array(0..<24), "back in the order of statement")
    }

    private func released() {
        let tree = Tree()
        var made: [Constraint] = []
        autoreleased {
            let brief = SystemView()
            brief.layoutNode.name = "brief"
            tree.root.addSubview(brief)
            made = tree.item.ndl.makeConstraints { $0.top.equalTo(brief.ndl.bottom).labeled("below") }
            checker.equal(tree.root.constraints.count, 1, "in force while it lives")
            brief.removeFromSuperview()
        }
        checker.equal(tree.root.constraints.count, 0, "gone with its target")
        let told = tree.root.ndl.settle()
        checker.equal(told.count, 1, "told once")
        checker.expect("\(told)".contains("below"), "named")
        checker.expect(tree.item.ndl.constraints.isEmpty && made.allSatisfy { !$0.isActive }, "taken away")
        checker.equal(tree.root.ndl.settle(), [], "not told twice")
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
            return checker.expect(false, "no view came to stand at that address")
        }
        tree.root.addSubview(next)
        tree.item.ndl.updateConstraints { $0.top.equalTo(next.ndl.bottom) }
        checker.expect(tree.root.constraints.first?.secondItem === next, "the view that stands there now is the target")
        checker.equal(tree.root.ndl.settle(), [], "nothing is told")
    }

    private func autoreleased(_ body: () -> Void) { body() }

    private func refusals() {
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
        let told = tree.root.ndl.settle().map { "\($0)" }
        for label in ["not a number", "too large", "itself", "apart", "of the engine", "endless", "twice"] {
            checker.expect(
                told.contains { $0.hasPrefix("“\(label)”") && $0.contains("Behaviour.swift:") },
                "\(label) is told"
            )
        }
        checker.equal(tree.root.constraints.map { Double($0.constant) }, [1], "what is in force")
        checker.expect(tree.item.constraints.isEmpty, "nothing of what was refused")
    }

    private func content() {
        let tree = Tree()
        checker.equal(tree.item.contentPriorities, [250, 250, 750, 750], "priorities as they come")
        tree.item.ndl.setHugging(600, .vertical)
        tree.item.ndl.setCompressionResistance(.required, .horizontal)
        checker.equal(tree.item.contentPriorities, [250, 600, 1000, 750], "priorities that were set")
        checker.equal(tree.item.intrinsicLayoutSize, .none, "no content")
    }

    private func collapse() {
        let tree = Tree()
        tree.item.ndl.makeConstraints { make in
            make.top.equalTo(tree.other.ndl.bottom).offset(8)
            make.height.equalTo(20)
        }
        tree.item.layoutNode.isHidden = true
        checker.expect(tree.item.isHidden, "hidden")
        checker.equal(tree.item.constraints.map { Double($0.constant) }, [20], "hidden, it keeps its room")
        tree.item.layoutNode.collapsesWhenHidden = true
        checker.equal(tree.root.constraints.map { Double($0.constant) }, [0], "its distance collapses")
        checker.equal(tree.item.constraints.map { Double($0.constant) }, [0, 0], "no width, no height")
        checker.equal(tree.item.constraints.map(\.priority.rawValue), [999, 999], "just below required")
        checker.equal(tree.item.contentPriorities, [1, 1, 1, 1], "its content asks for nothing")
        tree.item.layoutNode.isHidden = false
        checker.expect(!tree.item.isHidden, "shown")
        checker.equal(tree.root.constraints.map { Double($0.constant) }, [8], "its distance is back")
        checker.equal(tree.item.constraints.map { Double($0.constant) }, [20], "its height is back")
        checker.equal(tree.item.contentPriorities, [250, 250, 750, 750], "its content asks again")
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
        guide.remove()
        checker.expect(
            tree.root.layoutGuides.isEmpty && tree.root.constraints.isEmpty,
            "the guide goes with all that is tied to it"
        )
        tree.root.layoutNode.margins = LayoutInsets(top: 1, left: 2, bottom: 3, right: 4)
        tree.item.ndl.remakeConstraints { $0.edges.equalToMargins() }
        tree.root.layoutNode.margins = LayoutInsets(7)
        let margins = tree.root.constraints.filter { ($0.firstItem as? SystemGuide)?.name == "margins" }
        checker.equal(margins.map { Double($0.constant) }, [7, 7, -7, -7], "margins that changed")
        checker.equal(tree.root.constraints.count, 8, "margins and edges")
    }

    /// The view of the article "One layout, two platforms".
    private func article() {
        let root = makeProfile()
        checker.equal(root.subviews.count, 3, "the article's views")
        checker.equal(root.ndl.settle(), [], "nothing refused")
        let labels = root.subviews[0].constraints.compactMap(\.identifier)
        checker.expect(
            labels.count == 2 && labels.allSatisfy { $0.hasPrefix("picture size (") },
            "the label: \(labels)"
        )
        checker.equal(root.constraints.map { Double($0.constant) }, [2, 2, 0, 2, -2, 1, 0, -2, -2], "the constants")
    }
}
