internal import ConstraintSolver

extension LayoutEngine {
    /// Returns a picture of the layout as an SVG document (1.1): every item and guide. Each constraint that is violated, was
    /// dropped or rejected is marked with a number on the constrained part and listed below with label, file and line.
    ///
    /// Equal layouts produce equal documents. The background is transparent, and all colors are legible on white and on black.
    ///
    /// - Parameters:
    ///   - unitWidth: pixels for each unit across, more than zero; other numbers mean the default.
    ///   - unitHeight: pixels for each unit down, likewise; by default twice the width, like a terminal's cells.
    /// - Returns: the document, ending in a line feed.
    public func svg(unitWidth: Double = 8, unitHeight: Double = 16) -> String {
        var picture = LayoutPicture(
            unitWidth: unitWidth > 0 && unitWidth.isFinite ? unitWidth : 8,
            unitHeight: unitHeight > 0 && unitHeight.isFinite ? unitHeight : 16
        )
        if let root = system.tree.root { draw(root, &picture) }
        for mark in marks() { picture.mark(mark.edges, mark.attribute, offset: mark.offset, mark.text) }
        return picture.document
    }

    private func draw(_ record: ItemRecord, _ picture: inout LayoutPicture) {
        picture.add(
            record.displayName,
            record.edges,
            kind: record.isGuide ? .guide : record.node?.isHidden == true ? .hidden : .item
        )
        for child in record.children { draw(child, &picture) }
    }

    private struct Mark {
        var edges: LayoutPicture.Edges
        var attribute: LayoutAttribute
        /// For a first baseline its distance from the top, for a last one from the bottom.
        var offset = 0.0
        var text: String
    }

    /// The violated constraints, then those that were dropped or rejected, each with its constrained part.
    private func marks() -> [Mark] {
        var marks: [Mark] = []
        for violation in system.solver.violatedPreferences() {
            guard let text = self.violation(violation)?.description else { continue }
            if let record = system.statements[violation.id] {
                if let mark = mark(record, text) { marks.append(mark) }
            } else if let constraint = system.implicit[violation.id] {
                marks.append(Mark(edges: constraint.record.edges, attribute: constraint.attribute, text: text))
            }
        }
        for unmet in system.unmetContent {
            let text =
                switch unmet.diagnostic {
                case .conflict(let conflict): "\(conflict.dropped) was dropped because of a conflict"
                case .rejected, .rootInUse: unmet.diagnostic.description
                }
            marks.append(Mark(edges: unmet.constraint.record.edges, attribute: unmet.constraint.attribute, text: text))
        }
        for record in system.unmetInOrder {
            switch record.state {
            case .dropped:
                if let mark = mark(record, "\(record.source) was dropped because of a conflict") { marks.append(mark) }
            case .rejected(let error): if let mark = mark(record, error.description) { marks.append(mark) }
            case .pending, .active, .suspended, .removed: break
            }
        }
        return marks
    }

    private func mark(_ record: ConstraintRecord, _ text: String) -> Mark? {
        guard let item = record.item else { return nil }
        let attribute = record.constraint.attribute.side(in: layoutDirection)
        var offset = 0.0
        if attribute == .firstBaseline {
            offset = item.item?.firstBaselineFromTop ?? Double(item.edges.bottom - item.edges.top)
        }
        if attribute == .lastBaseline { offset = item.item?.lastBaselineFromBottom ?? 0 }
        return Mark(edges: item.edges, attribute: attribute, offset: offset, text: text)
    }
}
