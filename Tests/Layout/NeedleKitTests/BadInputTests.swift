import NeedleKit
import Testing

/// Invalid input: each is reported with its constraint, and everything else is unchanged.
@MainActor
@Suite("Bad input")
struct BadInputTests {
    private let box = Box("box")
    private let other = Box("other")
    private let stage: Stage
    private let made: [Constraint]

    init() {
        stage = Stage(width: 60, height: 40, box, other)
        made = box.pin(left: 3, top: 4, width: 20, height: 10)
        stage.layout()
    }

    /// The only error reported since the last call, checked for its kind, the constraint's label and line, and that nothing
    /// moved.
    @discardableResult
    private func onlyRefusal(
        of label: String,
        _ kind: ((ConstraintSource) -> LayoutError)? = nil,
        from first: UInt,
        to last: UInt,
        _ location: SourceLocation = #_sourceLocation
    ) -> LayoutError? {
        #expect(stage.layout().isEmpty, sourceLocation: location)
        #expect(box.laidOut == LayoutRect(3, 4, 20, 10), sourceLocation: location)
        let diagnostics = stage.engine.diagnostics
        guard diagnostics.count == 1, let error = diagnostics[0].error else {
            Issue.record("\(diagnostics)", sourceLocation: location)
            return nil
        }
        if let kind { #expect(error == kind(error.constraint), sourceLocation: location) }
        #expect(error.constraint.label == label, sourceLocation: location)
        #expect(error.constraint.file == "NeedleKitTests/BadInputTests.swift", sourceLocation: location)
        #expect((first...last).contains(error.constraint.line ?? 0), sourceLocation: location)
        #expect(error.description.hasPrefix("“\(label)” "), sourceLocation: location)
        return error
    }

    nonisolated static let invalidNumbers: [Double] = [
        .nan, -.nan, .signalingNaN, .infinity, -.infinity, 1e300, -1e300, .greatestFiniteMagnitude, 1.1e9, -1.1e9,
    ]

    @Test("An invalid number is rejected in every part of a statement", arguments: invalidNumbers)
    func numbers(_ bad: Double) {
        let item = other
        let statements: [@MainActor (ConstraintMaker) -> ConstraintGroup] = [
            { $0.width.equalTo(bad).labeled("bad").group },
            { $0.left.lessThanOrEqualTo(bad).labeled("bad").group },
            { $0.top.greaterThanOrEqualToSuperview().offset(bad).labeled("bad").group },
            { $0.right.equalTo(item).inset(bad).labeled("bad").group },
            { $0.bottom.equalTo(item.ndl.top).constant(bad).labeled("bad").group },
            { $0.leading.equalTo(item).multipliedBy(bad).labeled("bad").group },
            { $0.height.equalTo(item).dividedBy(1 / bad).labeled("bad").group },
            { $0.aspectRatio(bad).labeled("bad").group },
            { $0.centerX.equalTo(item).offset(LayoutOffset(x: bad, y: 0)).labeled("bad").group },
            { $0.top.equalTo(item).inset(LayoutInsets(top: bad)).labeled("bad").group },
            { $0.trailing.equalTo(item).inset(DirectionalInsets(trailing: bad)).labeled("bad").group },
        ]
        for statement in statements {
            let first: UInt = #line - 13
            let count = box.ndl.constraints.count
            var group = ConstraintGroup()
            box.ndl.makeConstraints { group = statement($0) }
            #expect(group.constraints.count == 1)
            #expect(group.constraints.allSatisfy { !$0.isActive })
            #expect(box.ndl.constraints.count == count)
            let error = onlyRefusal(of: "bad", from: first, to: first + 11)
            switch error {
            case .notFinite, .outOfRange: break
            default: Issue.record("\(String(describing: error))")
            }
        }
    }

    @Test("Of a statement with several attributes, those with a valid number are made")
    func partial() {
        let size = other.ndl.makeConstraints { make in
            make.size.equalTo(LayoutSize(width: .nan, height: 7)).labeled("size")
        }
        #expect(size.map(\.attribute) == [.height])
    }

    @Test("A change to an invalid number throws and changes nothing", arguments: invalidNumbers)
    func changes(_ bad: Double) {
        let width = made[2]
        #expect(throws: LayoutError.self) { try width.setConstant(bad) }
        #expect(throws: LayoutError.self) { try width.setMultiplier(bad) }
        #expect(throws: LayoutError.self) { try ConstraintGroup(made).setConstant(bad) }
        #expect(throws: LayoutError.self) { try ConstraintGroup(made).setInset(bad) }
        #expect(throws: LayoutError.self) { try ConstraintGroup(made).setMultiplier(bad) }
        #expect(made.map(\.constant) == [3, 4, 20, 10])
        #expect(made.allSatisfy { $0.multiplier == 1 })
        #expect(stage.layout().isEmpty)
        #expect(stage.engine.diagnostics.isEmpty)
    }

    @Test("Invalid insets of an item are ignored", arguments: invalidNumbers)
    func nodeInsets(_ bad: Double) {
        let pane = Box("pane")
        stage.add(pane)
        stage.root.layoutNode.safeAreaInsets = LayoutInsets(1)
        stage.root.layoutNode.margins = LayoutInsets(2)
        pane.ndl.makeConstraints { $0.edges.equalTo(stage.root.ndl.margins) }
        stage.layout()
        stage.root.layoutNode.safeAreaInsets.left = bad
        stage.root.layoutNode.margins.bottom = bad
        #expect(stage.root.layoutNode.safeAreaInsets == LayoutInsets(1))
        #expect(stage.root.layoutNode.margins == LayoutInsets(2))
        #expect(stage.layout().isEmpty)
        #expect(pane.laidOut == LayoutRect(3, 3, 54, 34))
        #expect(stage.engine.diagnostics.isEmpty)
    }

    @Test("A divisor of zero and a factor near zero are rejected, a factor of zero is accepted")
    func tinyMultipliers() {
        let first: UInt = #line + 1
        box.ndl.makeConstraints { $0.width.equalTo(other).multipliedBy(1e-300).labeled("tiny") }
        onlyRefusal(of: "tiny", LayoutError.outOfRange, from: first, to: first)
        box.ndl.makeConstraints { $0.width.equalTo(other).dividedBy(0).labeled("by zero") }
        onlyRefusal(of: "by zero", LayoutError.notFinite, from: first, to: first + 5)
        other.ndl.makeConstraints { $0.width.equalTo(box).multipliedBy(0).offset(6) }
        #expect(stage.frame(of: other).width == 6)
    }

    @Test("An anchor related to itself states a fact, which holds, is unsatisfiable if required, or is violated")
    func facts() throws {
        box.ndl.makeConstraints { make in
            make.width.equalTo(box.ndl.width)
            make.left.greaterThanOrEqualTo(box.ndl.left).offset(-3)
        }
        #expect(stage.problems().isEmpty)
        #expect(box.ndl.constraints.count { $0.isActive } == 6)

        let required = box.ndl.makeConstraints {
            $0.width.equalTo(box.ndl.width).offset(4).labeled("wider than itself")
        }[0]
        #expect(stage.layout().isEmpty)
        let conflict = try #require(stage.engine.conflicts.first)
        #expect(conflict.members == [required.source] && conflict.dropped == required.source)
        #expect(stage.engine.diagnostics.count == 1)

        required.setPriority(.medium)
        #expect(stage.layout().isEmpty)
        #expect(stage.engine.diagnostics.isEmpty)
        let violated = try #require(stage.engine.violations.first)
        #expect(violated.constraint == required.source && violated.residual == -4)
        try required.setConstant(0)
        #expect(stage.problems().isEmpty && stage.engine.violations.isEmpty)
    }

    @Test("A change can make a constraint relate an anchor to itself")
    func changedToFacts() throws {
        let width = other.ndl.makeConstraints { $0.width.equalTo(box).multipliedBy(2) }[0]
        #expect(stage.frame(of: other).width == 40)
        width.setTarget(other)
        #expect(stage.frame(of: other).width == 0 && stage.engine.diagnostics.isEmpty)
        try width.setMultiplier(1)
        try width.setConstant(1)
        #expect(stage.problems().first?.conflict != nil)
        width.setTarget(box.layoutParent ?? box)
        #expect(stage.problems().isEmpty)
        #expect(other.laidOut.width == 61)
    }

    @Test("A constraint that is activated twice is reported and active once")
    func addedTwice() {
        let first: UInt = #line + 1
        let twice = box.ndl.makeConstraints { $0.width.lessThanOrEqualTo(30).labeled("twice") }
        stage.layout()
        twice[0].activate()
        #expect(box.ndl.constraints.count == 5)
        onlyRefusal(of: "twice", LayoutError.alreadyActive, from: first, to: first)
        // One call removes it: it was never added twice.
        twice[0].deactivate()
        #expect(!twice[0].isActive)
        #expect(stage.layout().isEmpty && stage.engine.diagnostics.isEmpty)
        // A group does not report it.
        ConstraintGroup(made).activate()
        #expect(stage.layout().isEmpty && stage.engine.diagnostics.isEmpty)
    }

    @Test("Deactivating an inactive constraint is reported and affects no other")
    func removedTwice() {
        let first: UInt = #line + 1
        let never = box.ndl.prepareConstraints { $0.width.lessThanOrEqualTo(1).labeled("never") }
        never[0].deactivate()
        onlyRefusal(of: "never", LayoutError.notActive, from: first, to: first)
        ConstraintGroup(never).deactivate()
        never[0].remove()
        #expect(stage.layout().isEmpty && stage.engine.diagnostics.isEmpty)
        #expect(box.ndl.constraints.count == 4)
    }

    @Test("Items without a common ancestor are reported until they have one, then related")
    func noCommonAncestor() {
        let stranger = Box("stranger")
        let first: UInt = #line + 1
        box.ndl.makeConstraints { $0.right.lessThanOrEqualTo(stranger.ndl.left).labeled("apart") }
        for _ in 0..<3 { onlyRefusal(of: "apart", LayoutError.noCommonAncestor, from: first, to: first) }
        stranger.pin(left: 13, top: 0, width: 1, height: 1)
        stage.add(stranger)
        #expect(stage.problems().first?.conflict?.members.contains { $0.label == "apart" } == true)
    }

    @Test("An item released while constrained is reported once, and its constraints are removed")
    func released() {
        let first: UInt = #line + 6
        var stored: [Constraint] = []
        do {
            let brief = Box("brief")
            stage.add(brief)
            brief.ndl.makeConstraints { $0.edges.equalTo(0) }
            stored = box.ndl.makeConstraints { $0.width.lessThanOrEqualTo(brief).labeled("beside") }
            stage.layout()
            stage.root.remove(brief)
        }
        let error = onlyRefusal(of: "beside", LayoutError.itemReleased, from: first - 1, to: first + 1)
        #expect(error?.constraint.statement == "box.width <= brief.width")
        #expect(stored.allSatisfy { !$0.isActive })
        #expect(box.ndl.constraints.count == 4)
        for _ in 0..<3 {
            stage.engine.setSize(width: 61, height: 40)
            #expect(stage.problems().isEmpty)
        }
    }

    @Test("A released subtree removes its own constraints without a report")
    func releasedSubtree() {
        for _ in 0..<50 {
            do {
                let (screen, title) = (Box("screen"), Box("title"))
                screen.add(title)
                stage.add(screen)
                screen.ndl.makeConstraints { $0.edges.equalToSuperview() }
                title.ndl.makeConstraints { make in
                    make.top.left.equalTo(screen)
                    make.width.equalTo(box)
                    make.bottom.lessThanOrEqualTo(screen.ndl.bottom)
                }
                stage.layout()
                stage.root.remove(screen)
            }
            #expect(stage.problems().isEmpty)
        }
        #expect(stage.engine.description.split(separator: "\n").count == 7)
    }

    @Test("The number of stored errors is limited")
    func bounded() {
        for index in 0..<1000 {
            box.ndl.makeConstraints { $0.width.equalTo(Double.nan).labeled("bad \(index)") }
        }
        let diagnostics = stage.engine.diagnostics
        #expect(diagnostics.count == 100)
        #expect(diagnostics.last?.description.contains("bad 999") == true)
        // Reading them changes nothing; a layout without errors removes them.
        #expect(stage.engine.diagnostics == diagnostics)
        #expect(stage.problems() == diagnostics)
        box.ndl.makeConstraints { $0.width.equalTo(Double.nan).labeled("again") }
        #expect(stage.engine.diagnostics.count == 100)
        #expect(stage.problems().count == 1)
        box.ndl.makeConstraints { $0.width.equalTo(Double.nan).labeled("again") }
        #expect(stage.problems().count == 1)
        #expect(stage.problems().isEmpty)
    }

    @Test("An error before there is an engine is reported by the first engine")
    func reportedLater() {
        let loose = Box("loose")
        let wrong = loose.ndl.makeConstraints { $0.width.equalTo(Double.infinity).labeled("endless") }
        #expect(wrong.isEmpty)
        stage.add(loose)
        #expect(stage.engine.diagnostics.map(\.error?.constraint.label) == ["endless"])
    }

    @Test("A target on another axis is rejected")
    func wrongAxis() {
        #expect(throws: LayoutError.wrongAxis(made[0].source)) { try made[0].setTarget(other.ndl.top) }
        #expect(throws: LayoutError.wrongAxis(made[0].source)) { try made[0].setTarget(other.ndl.width) }
        #expect(throws: LayoutError.wrongAxis(made[2].source)) { try made[2].setTarget(other.ndl.left) }
        #expect(throws: LayoutError.wrongAxis(made[2].source)) { try made[2].setTarget(other.ndl.size) }
        #expect(made[0].targetItem === stage.root && made[2].targetItem == nil)
        #expect(stage.layout().isEmpty && stage.engine.diagnostics.isEmpty)
    }

    @Test("Priorities outside 1 to 1000 are clamped, also after arithmetic with huge steps")
    func priorities() {
        #expect(LayoutPriority(0) == 1 && LayoutPriority(-5) == 1 && LayoutPriority(Int.min) == 1)
        #expect(LayoutPriority(1001) == .required && LayoutPriority(Int.max) == .required)
        #expect(LayoutPriority.high + Int.max == .required && LayoutPriority.high - Int.max == 1)
        #expect(LayoutPriority.high + Int.min == 1 && LayoutPriority.high - Int.min == .required)
    }

    @Test("Numbers at the limits are accepted, the next ones beyond are rejected")
    func limits() throws {
        let relative = try #require(box.ndl.makeConstraints { $0.width.equalTo(other).priority(1) }.first)
        for limit in [1e9, -1e9] {
            try relative.setConstant(limit)
            #expect(relative.constant == limit)
            #expect(throws: LayoutError.outOfRange(relative.source)) { try relative.setConstant(limit * 1.000_001) }
        }
        try relative.setConstant(0)
        for limit in [1e-6, -1e-6] {
            try relative.setMultiplier(limit)
            #expect(throws: LayoutError.outOfRange(relative.source)) { try relative.setMultiplier(limit / 1.000_001) }
            #expect(relative.multiplier == limit)
        }
        for limit in [1e6, -1e6] {
            try relative.setMultiplier(limit)
            #expect(throws: LayoutError.outOfRange(relative.source)) { try relative.setMultiplier(limit * 1.000_001) }
            #expect(relative.multiplier == limit)
        }
    }

    @Test("An error that is repeated after a layout is reported for another layout")
    func repeated() {
        for _ in 0..<3 {
            box.ndl.makeConstraints { $0.width.equalTo(Double.nan).labeled("repeated") }
            #expect(stage.engine.diagnostics.count == 1)
            #expect(stage.problems().count == 1)
        }
        #expect(stage.problems().isEmpty)
    }
}
