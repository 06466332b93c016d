import NeedleKit
import TestSupport
import Testing

/// Required content against statements and the root's size: every conflict is reported, and the outcome does not depend on
/// the order.
@MainActor
@Suite("Required content")
struct ContentConflictTests {
    private let box = Box("box", content: IntrinsicSize(width: 30, height: 1))
    private let stage: Stage

    init() {
        stage = Stage(width: 80, height: 24, box)
        box.ndl.makeConstraints { make in
            make.left.top.equalTo(0)
            make.width.equalTo(10).labeled("narrow")
        }
    }

    private func onlyConflict(_ location: SourceLocation = #_sourceLocation) throws -> LayoutConflict {
        let diagnostics = stage.engine.diagnostics
        #expect(diagnostics.count == 1, sourceLocation: location)
        return try #require(diagnostics.first?.conflict, "\(diagnostics)", sourceLocation: location)
    }

    @Test(
        "Content that becomes required drops the conflicting statement, which is active again when the content yields"
    )
    func becomesRequired() throws {
        #expect(stage.frame(of: box).width == 10 && stage.engine.diagnostics.isEmpty)
        let line: UInt = #line + 1
        box.ndl.setCompressionResistance(.required)
        stage.layout()
        let conflict = try onlyConflict()
        #expect(conflict.dropped.label == "narrow" && conflict.members.map(\.label) == ["narrow"])
        #expect(box.laidOut.width == 30)
        let content = try #require(conflict.systemMembers.first)
        #expect(conflict.systemMembers.count == 1)
        #expect(content.origin == .content && content.item == "box" && content.priority == .required)
        #expect(content.file == "NeedleKitTests/ContentConflictTests.swift" && content.line == line)
        #expect(conflict.description.contains("the width of box's content >= 30 (NeedleKitTests/"))
        box.ndl.setCompressionResistance(.high)
        #expect(stage.frame(of: box).width == 10 && stage.engine.diagnostics.isEmpty)
    }

    @Test("The outcome does not depend on whether the content, the width or the priority comes first", arguments: 0..<4)
    func orders(_ order: Int) throws {
        box.ndl.removeConstraints()
        box.content = .none
        let steps: [() -> Void] = [
            { box.content = IntrinsicSize(width: 30, height: 1) },
            { box.ndl.setCompressionResistance(.required) },
            { box.ndl.makeConstraints { $0.width.equalTo(10).labeled("narrow") } },
        ]
        for step in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]][order] {
            steps[step]()
            stage.engine.invalidateIntrinsicSize(of: box)
            stage.layout()
        }
        #expect(box.laidOut.width == 30)
        #expect(try onlyConflict().dropped.label == "narrow")
        box.content = IntrinsicSize(width: 10, height: 1)
        stage.engine.invalidateIntrinsicSize(of: box)
        #expect(stage.frame(of: box).width == 10 && stage.engine.diagnostics.isEmpty)
    }

    @Test(
        "The root's size prevails over its own required content, which is reported and applies again with enough space"
    )
    func root() throws {
        stage.root.content = IntrinsicSize(width: 30, height: 1)
        stage.root.ndl.setCompressionResistance(.required, .horizontal)
        #expect(stage.problems().isEmpty)
        for _ in 0..<3 {
            stage.engine.setSize(width: 20, height: 24)
            #expect(stage.frame(of: stage.root).width == 20)
            let conflict = try onlyConflict()
            #expect(conflict.members.isEmpty)
            #expect(conflict.systemMembers.map(\.origin) == [.layout, .content])
            #expect(conflict.dropped.origin == .content && conflict.dropped.item == "root")
            #expect(conflict.dropped.line != nil)
            // It is reported once, as long as it lasts.
            stage.engine.setSize(width: 21, height: 24)
            #expect(stage.frame(of: stage.root).width == 21)
            _ = try onlyConflict()
            stage.engine.setSize(width: 40, height: 24)
            #expect(stage.frame(of: stage.root).width == 40 && stage.engine.diagnostics.isEmpty)
        }
        // It is active again: the root cannot be smaller.
        stage.engine.setSize(width: 20, height: 24)
        stage.layout()
        stage.root.ndl.setCompressionResistance(.high, .horizontal)
        #expect(stage.frame(of: stage.root).width == 20 && stage.engine.diagnostics.isEmpty)
    }

    @Test("Unmet content is removed with its item")
    func gone() {
        let engine = stage.engine
        stage.root.content = IntrinsicSize(width: 90)
        stage.root.ndl.setCompressionResistance(.required)
        stage.layout()
        #expect(engine.diagnostics.count == 1)
        stage.root.content = .none
        engine.invalidateIntrinsicSize(of: stage.root)
        stage.layout()
        #expect(engine.diagnostics.isEmpty)
        box.ndl.setCompressionResistance(.required)
        stage.layout()
        #expect(engine.diagnostics.count == 1)
        stage.root.remove(box)
        engine.itemRemoved(box)
        stage.layout()
        #expect(engine.diagnostics.isEmpty)
    }

    @Test("A constraint dropped for one that is dropped itself is active again in the same layout")
    func chain() throws {
        let (one, two) = (Box("one"), Box("two"))
        stage.root.add(one, two)
        for item in [one, two] { stage.engine.itemAdded(item) }
        let first =
            one.ndl.makeConstraints { $0.left.equalTo(20) }
            + two.ndl.makeConstraints { make in
                make.left.lessThanOrEqualTo(one).offset(2)
            }
        one.ndl.makeConstraints { $0.left.equalTo(10).labeled("ten") }
        two.ndl.makeConstraints { make in
            make.left.greaterThanOrEqualTo(one).offset(5).labeled("apart")
            make.left.equalTo(one).labeled("together")
            make.left.equalTo(20).labeled("twenty")
        }
        #expect(stage.problems().count == 2 && two.laidOut.x == 20)
        // "ten" returns and drops "twenty"; "apart" returns and drops "together", so that "twenty" can return.
        for constraint in first { constraint.remove() }
        #expect(stage.layout().count == 1)
        #expect(try onlyConflict().dropped.label == "together")
        #expect(one.laidOut.x == 10 && two.laidOut.x == 20)
    }

    @Test("After any sequence of changes, a dropped constraint conflicts with earlier active ones")
    func noneStale() {
        var found = 0
        for seed in UInt64(0)..<150 {
            var generator = SeededGenerator(seed: 70_000 + seed)
            let boxes = (0..<3).map { Box("b\($0)", content: IntrinsicSize(width: 12, height: 1)) }
            let stage = Stage(width: 60, height: 9, boxes[0], boxes[1], boxes[2])
            var made: [Constraint] = []
            for number in 0..<40 {
                let box = boxes[Int.random(in: 0..<3, using: &generator)]
                let other = boxes[Int.random(in: 0..<3, using: &generator)]
                let constant = Int.random(in: 0...30, using: &generator)
                switch Int.random(in: 0..<9, using: &generator) {
                case 0: if !made.isEmpty { made.remove(at: Int.random(in: 0..<made.count, using: &generator)).remove() }
                case 1: box.ndl.setCompressionResistance([.required, .high].randomElement(using: &generator) ?? .low)
                case 2: try? made.randomElement(using: &generator)?.setConstant(Double(constant))
                case 3: stage.engine.setSize(width: Double(30 + constant), height: 9)
                default:
                    made += box.ndl.makeConstraints { make in
                        switch Int.random(in: 0..<5, using: &generator) {
                        case 0: make.left.equalTo(constant).labeled("c\(number)")
                        case 1: make.width.equalTo(constant).labeled("c\(number)")
                        case 2: make.left.greaterThanOrEqualTo(other.ndl.right).labeled("c\(number)")
                        case 3: make.right.lessThanOrEqualToSuperview().inset(constant).labeled("c\(number)")
                        default: make.width.lessThanOrEqualTo(other).offset(-constant).labeled("c\(number)")
                        }
                    }
                }
                stage.layout()
                let conflicts = stage.engine.conflicts
                found += conflicts.count
                let leftOut = Set(conflicts.map(\.dropped))
                for conflict in conflicts {
                    #expect(conflict.members.last == conflict.dropped, "seed \(seed), \(number): \(conflict)")
                    let others = Set(conflict.members.dropLast() + conflict.systemMembers)
                    #expect(leftOut.isDisjoint(with: others), "seed \(seed), \(number): \(conflict)")
                }
            }
        }
        #expect(found > 1000)
    }

    @Test("A constraint that cannot return drops no other")
    func inVain() throws {
        let one = Box("one")
        stage.add(one)
        one.ndl.makeConstraints { make in
            make.width.equalTo(20).labeled("20")
            make.width.greaterThanOrEqualTo(25).labeled("25")
            make.width.lessThanOrEqualTo(24).labeled("24")
        }
        stage.root.content = IntrinsicSize(width: 90)
        stage.root.ndl.setCompressionResistance(.required, .horizontal)
        stage.root.ndl.makeConstraints { $0.width.lessThanOrEqualTo(85).labeled("root") }
        for width in [80.0, 60, 80, 60] {
            stage.engine.setSize(width: width, height: 24)
            stage.layout()
            let dropped = stage.engine.conflicts.map { $0.dropped.label ?? $0.dropped.item }
            #expect(dropped == ["root", "25"])
            #expect(one.laidOut.width == 20 && stage.root.laidOut.width == Int(width))
        }
    }

    @Test("A content priority set without a location no longer refers to the line that set it before")
    func outdatedLocation() throws {
        let line: UInt = #line + 1
        box.ndl.setCompressionResistance(800, .horizontal)
        stage.layout()
        let first = try #require(stage.engine.violations.first)
        #expect(first.constraint.line == line && first.priority == 800)
        box.layoutNode.horizontalCompressionResistance = 801
        stage.layout()
        let second = try #require(stage.engine.violations.first)
        #expect(second.constraint.line == nil && second.constraint.file == nil && second.priority == 801)
    }
}
