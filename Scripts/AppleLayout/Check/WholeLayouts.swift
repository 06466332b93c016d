internal import NeedleKit

#if canImport(UIKit)
    internal import UIKit
#else
    internal import AppKit
#endif

/// Whole arrangements, made on views and on items: the engine's frames satisfy every native constraint.
@MainActor
struct WholeLayouts {
    let checker: Checker

    private enum Arrangement: String, CaseIterable {
        case column, row, baselines, aligned, grid
        case equalSizes = "equal sizes"
        case equalGaps = "equal gaps"

        @MainActor
        func apply(to items: [any Constrainable], in panel: any Constrainable) -> ConstraintGroup {
            let (panel, row) = (panel.ndl, LayoutAxis.horizontal)
            switch self {
            case .column:
                return panel.stack(items, spacing: 8, insets: LayoutInsets(16), distribution: .start)
            case .row:
                return panel.stack(items, axis: row, spacing: 8, alignment: .center, distribution: .start)
            case .equalSizes:
                return panel.stack(items, axis: row, spacing: 16, alignment: .end, distribution: .equalSizes)
            case .equalGaps: return panel.distribute(items, spacing: 2)
            case .baselines:
                let ends = [items[0], items[2]]
                return panel.stack(ends, axis: row, alignment: .lastBaseline, distribution: .start)
            case .aligned: return panel.align(items, .trailing, .centerY, .width)
            case .grid:
                return panel.grid(
                    items,
                    columns: 2,
                    columnSpacing: 16,
                    rowSpacing: 8,
                    insets: LayoutInsets(8),
                    equalRows: true
                )
            }
        }
    }

    func run() {
        for isRightToLeft in [false, true] {
            for arrangement in Arrangement.allCases {
                for hidden in 0..<4 { check(arrangement, isRightToLeft, hidden) }
            }
        }
    }

    private func check(_ arrangement: Arrangement, _ isRightToLeft: Bool, _ hidden: Int) {
        let name = "\(arrangement.rawValue), hidden \(hidden)"
        let scene = Scene(isRightToLeft: isRightToLeft)
        scene.boxes.guide.ndl.removeConstraints()
        scene.boxes.other.ndl.removeConstraints()
        for half in [scene.views, scene.boxes] {
            let items: [any Constrainable] = [half.item, half.guide, half.other]
            half.panel.ndl.each([half.item, half.other]) { make in
                make.width.equalTo(64).priority(.high)
                make.height.equalTo(32).priority(.high)
            }
            half.guide.ndl.makeConstraints { $0.size.equalTo(LayoutSize(width: 64, height: 32)).priority(.low) }
            for (index, item) in [half.item, half.other].enumerated() {
                item.ndl.node.collapsesWhenHidden = true
                item.ndl.node.isHidden = hidden & 1 << index != 0
            }
            let group = arrangement.apply(to: items, in: half.panel)
            checker.expect(!group.constraints.isEmpty, "\(name) makes constraints")
        }
        _ = scene.engine.layout()
        checker.expect(scene.engine.diagnostics.isEmpty, "\(name): the engine refuses something")
        let required = scene.natives.filter { $0.priority.rawValue == 1000 }
        checker.expect(required.count > 4, "\(name): \(required.count) native constraints")
        for native in required {
            guard let residual = scene.semantics.residual(of: native) else {
                checker.expect(false, "\(name): an end of \(native.identifier ?? "") has no frame")
                continue
            }
            let isHeld =
                switch native.relation {
                case .equal: abs(residual) < 1.01
                case .lessThanOrEqual: residual < 1.01
                case .greaterThanOrEqual: residual > -1.01
                }
            checker.expect(
                isHeld,
                "\(name), right to left \(isRightToLeft): \(native.identifier ?? "") is off by \(residual)"
            )
        }
        // Both sides have the same number of active constraints, including those of guides.
        let views = count(scene.views)
        let boxes = count(scene.boxes)
        checker.equal(views, boxes, "\(name): constraints made")
    }

    private func count(_ half: Scene.Half) -> Int {
        let guides = half.panel.ndl.node.guides
        let items: [any Constrainable] = [half.item, half.other] + guides
        return items.reduce(0) { $0 + $1.ndl.constraints.count }
    }
}
