internal import ConstraintSolver

extension LayoutEngine {
    /// The layout as a picture: one SVG document (1.1) with each item and guide, and each constraint that is violated, was
    /// left out or refused marked on the part it speaks of, numbered, and told below with label, file and line.
    ///
    /// The same layout gives the same text. Nothing is drawn behind the items, and all colors are legible on white and on
    /// black, so the picture can stand on any page.
    ///
    /// - Parameters:
    ///   - unitWidth: pixels for each unit across; more than zero, other numbers are taken as the default.
    ///   - unitHeight: pixels for each unit down, likewise; twice as many by default, as terminals' cells are.
    /// - Returns: the document, ending in a line feed.
    public func svg(unitWidth: Double = 8, unitHeight: Double = 16) -> String {
        var picture = LayoutPicture(
            unitWidth: unitWidth > 0 && unitWidth.isFinite ? unitWidth : 8,
            unitHeight: unitHeight > 0 && unitHeight.isFinite ? unitHeight : 16
        )
        if let rootRecord { draw(rootRecord, &picture) }
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
        /// How far from the top or, for a last baseline, the bottom the part is.
        var offset = 0.0
        var text: String
    }

    /// What is wrong, each with the part it speaks of: violated wishes, then what is left out.
    private func marks() -> [Mark] {
        var marks: [Mark] = []
        for violation in solver.violatedPreferences() {
            guard let text = tell(violation)?.description else { continue }
            if let record = recordsByID[violation.id] {
                if let mark = mark(record, text) { marks.append(mark) }
            } else if let own = ownByID[violation.id] {
                marks.append(Mark(edges: own.record.edges, attribute: own.attribute, text: text))
            }
        }
        for one in leftOut {
            let text =
                switch one.diagnostic {
                case .conflict(let conflict): "\(conflict.dropped) is left out: conflict"
                case .refused(let error): error.description
                }
            marks.append(Mark(edges: one.own.record.edges, attribute: one.own.attribute, text: text))
        }
        for record in waiting.sorted(by: { $0.sequence < $1.sequence }) {
            switch record.state {
            case .dropped: if let mark = mark(record, "\(record.source) is left out: conflict") { marks.append(mark) }
            case .refused(let error): if let mark = mark(record, error.description) { marks.append(mark) }
            case .waiting, .inForce, .resting, .removed: break
            }
        }
        return marks
    }

    private func mark(_ record: ConstraintRecord, _ text: String) -> Mark? {
        guard let own = record.item else { return nil }
        let attribute = record.constraint.attribute.side(in: layoutDirection)
        var offset = 0.0
        if attribute == .firstBaseline {
            offset = own.item?.firstBaselineFromTop ?? Double(own.edges.bottom - own.edges.top)
        }
        if attribute == .lastBaseline { offset = own.item?.lastBaselineFromBottom ?? 0 }
        return Mark(edges: own.edges, attribute: attribute, offset: offset, text: text)
    }
}
