import NeedleKit
import TestSupport
import Testing

@Suite("Diagnostics")
@MainActor
struct DiagnosticsTests {
    // MARK: - Violations

    @Test("Violated optional constraints are listed with their residuals, the highest priority first")
    func violations() {
        let box = Box("box", content: IntrinsicSize(width: 30, height: 1))
        let stage = Stage(width: 20, height: 5, box)
        var line: UInt = 0
        box.ndl.makeConstraints { make in
            make.left.top.equalToSuperview()
            make.right.lessThanOrEqualToSuperview()
            make.width.equalTo(26).priority(400).labeled("wide")
            line = #line - 1
            make.height.equalTo(1)
        }
        stage.layout()
        let violations = stage.engine.violations
        #expect(violations.map(\.priority) == [750, 400])
        #expect(violations.map(\.residual) == [-10, -6])
        #expect(violations[0].constraint.origin == .content && violations[0].constraint.item == "box")
        #expect(violations[0].description == "the width of box's content >= 30 @750 is violated: 10 too small")
        #expect(violations[1].constraint.label == "wide")
        #expect(violations[1].constraint.line == line)
        #expect(
            violations[1].description
                == "“wide” box.width == 26 @400 (NeedleKitTests/DiagnosticsTests.swift:\(line)) is violated: 6 too small"
        )
        #expect(stage.engine.violationsByPriority == [750: 10, 400: 6])
        stage.engine.setSize(width: 60, height: 5)
        stage.layout()
        #expect(stage.engine.violations.map(\.residual) == [4])
        #expect(stage.engine.violationsByPriority == [400: 4])
        // From right to left the residual has the sign of the statement, and what is collapsed violates nothing.
        let mark = Box("mark")
        stage.add(mark)
        mark.ndl.makeConstraints { make in
            make.leading.equalToSuperview().offset(5)
            make.leading.greaterThanOrEqualToSuperview().offset(10).priority(500)
            make.trailing.vertical.equalToSuperview()
        }
        box.layoutNode.collapsesWhenHidden = true
        box.layoutNode.isHidden = true
        for direction in [LayoutDirection.leftToRight, .rightToLeft] {
            stage.engine.layoutDirection = direction
            stage.layout()
            #expect(stage.engine.violations.map(\.residual) == [-5])
        }
        mark.layoutNode.collapsesWhenHidden = true
        mark.layoutNode.isHidden = true
        stage.layout()
        #expect(stage.engine.violationsByPriority.keys.allSatisfy { $0 == 500 })
    }

    // MARK: - Ambiguities

    private func describe(_ stage: Stage) -> [String] {
        stage.layout()
        return stage.engine.ambiguities.map(\.summary)
    }

    @Test("An ambiguity lists the active constraints with label, file and line, and the content")
    func openWithPlaces() throws {
        let title = Box("title", content: IntrinsicSize(width: 4, height: 1))
        let stage = Stage(width: 20, height: 5, title)
        let first: UInt = #line + 2
        title.ndl.makeConstraints { make in
            make.left.greaterThanOrEqualToSuperview().labeled("inside")
            make.top.equalToSuperview()
        }
        title.ndl.setHugging(300, .horizontal)
        stage.layout()
        let open = try #require(stage.engine.ambiguities.first)
        #expect(stage.engine.ambiguities.count == 1)
        #expect(open.constraints.map(\.line) == [first, first + 3, nil])
        let file = "NeedleKitTests/DiagnosticsTests.swift"
        #expect(
            open.description == """
                left of title is ambiguous, any value from 0 is possible: constrain title.left or title.right; \
                active constraints:
                  “inside” title.left >= parent.left (\(file):\(first))
                  the width of title's content <= 4 @300 (\(file):\(first + 3))
                  the width of title's content >= 4 @750
                """
        )
    }

    @Test("A unique layout has no ambiguity")
    func settled() {
        let box = Box("box")
        let stage = Stage(width: 20, height: 5, box)
        box.ndl.makeConstraints { make in make.edges.equalToSuperview().inset(1) }
        #expect(describe(stage) == [])
    }

    @Test("An ambiguous width is reported with its range and remedies")
    func width() {
        let title = Box("title")
        let stage = Stage(width: 20, height: 5, title)
        title.ndl.makeConstraints { make in
            make.left.vertical.equalToSuperview()
            make.right.lessThanOrEqualToSuperview()
        }
        #expect(
            describe(stage) == [
                "width of title is ambiguous, any value from 0 to 20 is possible: constrain title.width or title.right"
            ]
        )
        let remedy = title.ndl.makeConstraints { make in make.width.equalTo(3).priority(1) }
        #expect(describe(stage) == [])
        for constraint in remedy { constraint.remove() }
        #expect(describe(stage).count == 1)
        title.ndl.makeConstraints { make in make.right.equalToSuperview() }
        #expect(describe(stage) == [])
    }

    @Test("A missing position, a missing extent and both at once are reported with remedies")
    func parts() {
        let box = Box("box")
        let stage = Stage(width: 20, height: 5, box)
        box.ndl.makeConstraints { make in
            make.width.equalTo(4)
            make.bottom.equalToSuperview()
        }
        #expect(
            describe(stage) == [
                "left of box is ambiguous, any value is possible: constrain box.left or box.right",
                "height of box is ambiguous, any value from 0 is possible: constrain box.height or box.top",
                "top of box is ambiguous: it follows from box.height",
            ]
        )
        let free = Box("free")
        #expect(
            describe(Stage(width: 20, height: 5, free)) == [
                "width of free is ambiguous, any value from 0 is possible: constrain free.width or free.right",
                "left of free is ambiguous, any value is possible: constrain free.left or free.right",
                "height of free is ambiguous, any value from 0 is possible: constrain free.height or free.bottom",
                "top of free is ambiguous, any value is possible: constrain free.top or free.bottom",
            ]
        )
    }

    @Test("That no extent is negative limits what depends on it")
    func limited() {
        for limit in [0, 5] {
            let box = Box("box")
            let stage = Stage(width: 20, height: 5, box)
            box.ndl.makeConstraints { make in
                make.vertical.equalToSuperview()
                make.right.equalToSuperview().offset(-10)
                make.width.lessThanOrEqualTo(limit)
            }
            stage.layout()
            let ranges = stage.engine.ambiguities.map { [$0.lower, $0.upper] }
            #expect(ranges == (limit == 0 ? [] : [[0, 5], [5, 10]]), "at most \(limit)")
            let solver = stage.engine.description
            #expect(stage.layout().isEmpty && stage.engine.description == solver)
        }
        // No extent is above zero, so that nothing follows from one.
        let (first, second) = (Box("first"), Box("second"))
        let stage = Stage(width: 20, height: 1, first, second)
        stage.root.ndl.stack([first, second], spacing: 4)
        #expect(
            describe(stage) == [
                "top of second is ambiguous, any value from 1 to 4 is possible: constrain second.top"
            ]
        )
    }

    @Test("A part that depends on an ambiguous part follows from it, guides included")
    func follows() {
        let (first, second) = (Box("first"), Box("second"))
        let stage = Stage(width: 40, height: 5, first, second)
        let guide = LayoutGuide(in: stage.root, name: "gutter")
        for box in [first, second] {
            box.ndl.makeConstraints { make in
                make.vertical.equalToSuperview()
            }
        }
        first.ndl.makeConstraints { make in make.left.equalToSuperview() }
        guide.ndl.makeConstraints { make in
            make.vertical.equalToSuperview()
            make.left.equalTo(first.ndl.right)
            make.width.equalTo(2)
        }
        second.ndl.makeConstraints { make in
            make.left.equalTo(guide.ndl.right)
            make.width.equalTo(first.ndl.width)
        }
        #expect(
            describe(stage) == [
                "width of first is ambiguous, any value from 0 is possible: constrain first.width or first.right",
                "width of second is ambiguous: it follows from first.width",
                "left of second is ambiguous: it follows from first.width",
                "left of gutter is ambiguous: it follows from first.width",
            ]
        )
        second.ndl.makeConstraints { make in make.right.equalToSuperview() }
        #expect(describe(stage) == [])
        #expect(first.laidOut == LayoutRect(0, 0, 19, 5))
    }

    @Test("Conflicting constraints of the same priority leave the range between them ambiguous")
    func tie() {
        let box = Box("box")
        let stage = Stage(width: 20, height: 5, box)
        box.ndl.makeConstraints { make in
            make.left.vertical.equalToSuperview()
            make.width.equalTo(4).priority(250)
            make.width.equalTo(9).priority(250)
        }
        #expect(
            describe(stage) == [
                "width of box is ambiguous, any value from 4 to 9 is possible: constrain box.width or box.right"
            ]
        )
    }

    @Test("Constraining each first remedy makes any layout unique, and each is needed")
    func remedies() {
        for seed in UInt64(0)..<60 {
            var generator = SeededGenerator(seed: 40_000 + seed)
            let boxes = (0..<4).map { Box("b\($0)") }
            let stage = Stage(width: 80, height: 24, boxes: boxes)
            let engine = stage.engine
            for _ in 0..<Int.random(in: 2...10, using: &generator) {
                let box = boxes[Int.random(in: 0..<4, using: &generator)]
                let other = boxes[Int.random(in: 0..<4, using: &generator)]
                box.ndl.makeConstraints { make in
                    switch Int.random(in: 0..<6, using: &generator) {
                    case 0: make.left.equalToSuperview().offset(3)
                    case 1: make.width.equalTo(other.ndl.width).priority(600)
                    case 2: make.left.equalTo(other.ndl.right).offset(1).priority(700)
                    case 3: make.right.lessThanOrEqualToSuperview()
                    case 4: make.centerX.equalTo(other.ndl.centerX).priority(500)
                    default: make.width.equalTo(10).priority(300)
                    }
                }
            }
            _ = engine.layout()
            var missing = engine.ambiguities.filter { !$0.remedies.isEmpty }.count
            while let next = engine.ambiguities.first(where: { !$0.remedies.isEmpty }), missing > 0 {
                let box = boxes.first { next.item == $0.layoutNode.name }
                let value = max(next.lower, 0) + 1.5
                box?.ndl.makeConstraints { make in
                    switch next.attribute {
                    case .width: make.width.equalTo(value).priority(1)
                    case .left: make.left.equalTo(value).priority(1)
                    case .height: make.height.equalTo(value).priority(1)
                    default: make.top.equalTo(value).priority(1)
                    }
                }
                _ = engine.layout()
                missing -= 1
            }
            #expect(missing == 0, "seed \(seed)")
            #expect(engine.ambiguities.isEmpty, "seed \(seed): \(engine.ambiguities)")
        }
    }

    // MARK: - Conflicts

    @Test("Random conflicts are reported with label, file and line of each member, and are minimal")
    func conflicts() throws {
        var found = 0
        for seed in UInt64(0)..<(isLongRun ? 1500 : 60) {
            var generator = SeededGenerator(seed: 50_000 + seed)
            let boxes = (0..<3).map { Box("b\($0)") }
            let stage = Stage(width: 40, height: 10, boxes: boxes)
            let engine = stage.engine
            var all: [String: Constraint] = [:]
            for number in 0..<14 {
                let box = boxes[Int.random(in: 0..<3, using: &generator)]
                let other = boxes[Int.random(in: 0..<3, using: &generator)]
                let constant = Double(Int.random(in: 0...30, using: &generator))
                let made = box.ndl.makeConstraints { make in
                    switch Int.random(in: 0..<6, using: &generator) {
                    case 0: make.left.equalToSuperview().offset(constant).labeled("c\(number)")
                    case 1: make.width.equalTo(constant).labeled("c\(number)")
                    case 2: make.left.greaterThanOrEqualTo(other.ndl.right).offset(constant).labeled("c\(number)")
                    case 3: make.right.lessThanOrEqualToSuperview().inset(constant).labeled("c\(number)")
                    case 4: make.width.lessThanOrEqualTo(other.ndl.width).offset(-constant).labeled("c\(number)")
                    default: make.width.greaterThanOrEqualTo(constant).labeled("c\(number)")
                    }
                }
                for constraint in made { all["c\(number)"] = constraint }
            }
            _ = engine.layout()
            for conflict in engine.conflicts {
                found += 1
                #expect(conflict.members.contains(conflict.dropped))
                for member in conflict.members {
                    #expect(member.file == "NeedleKitTests/DiagnosticsTests.swift" && member.line ?? 0 > 180)
                    let constraint = try #require(all[member.label ?? ""])
                    #expect(constraint.source == member)
                }
                try isIrreducible(conflict, all, seed)
            }
        }
        #expect(found > 100)
    }

    /// Enters the members into a separate engine: all together conflict, all but any one do not.
    private func isIrreducible(_ conflict: LayoutConflict, _ all: [String: Constraint], _ seed: UInt64) throws {
        func excludes(without omitted: Int?) -> Bool {
            let boxes = (0..<3).map { Box("b\($0)") }
            let stage = Stage(width: 40, height: 10, boxes: boxes)
            let engine = stage.engine
            func twin(_ item: (any LayoutItem)?) -> any LayoutItem {
                boxes.first { $0.layoutNode.name == item?.layoutNode.name } ?? stage.root
            }
            for (place, member) in conflict.members.enumerated() where place != omitted {
                guard let constraint = all[member.label ?? ""] else { continue }
                restate(constraint, on: twin(constraint.item), to: constraint.targetItem.map(twin))
            }
            _ = engine.layout()
            return !engine.conflicts.isEmpty
        }
        #expect(excludes(without: nil), "seed \(seed): \(conflict)")
        for place in conflict.members.indices {
            #expect(!excludes(without: place), "seed \(seed): without member \(place): \(conflict)")
        }
    }

    private func restate(_ constraint: Constraint, on item: any LayoutItem, to target: (any LayoutItem)?) {
        item.ndl.makeConstraints { make in
            switch (constraint.attribute, constraint.relation) {
            case (.left, .equal): make.left.equalToSuperview().offset(constraint.constant)
            case (.left, _):
                if let target { make.left.greaterThanOrEqualTo(target.ndl.right).offset(constraint.constant) }
            case (.right, _): make.right.lessThanOrEqualToSuperview().offset(constraint.constant)
            case (_, .equal): make.width.equalTo(constraint.constant)
            case (_, .lessThanOrEqual):
                if let target { make.width.lessThanOrEqualTo(target.ndl.width).offset(constraint.constant) }
            default: make.width.greaterThanOrEqualTo(constraint.constant)
            }
        }
    }
}
