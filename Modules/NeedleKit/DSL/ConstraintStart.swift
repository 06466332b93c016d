/// The left side of a constraint, waiting for its relation: `make.top`, or chained, `make.top.left`.
@MainActor
public struct ConstraintStart<Kind: AnchorKind> {
    let maker: ConstraintMaker
    let attributes: [LayoutAttribute]

    private func state(
        _ relation: LayoutRelation,
        _ right: ConstraintStatement.Right,
        _ file: StaticString,
        _ line: UInt
    ) -> ConstraintEditor<Kind> {
        let statement = ConstraintStatement(
            item: maker.item,
            attributes: attributes,
            relation: relation,
            right: right,
            file: "\(file)",
            line: line
        )
        maker.statements.append(statement)
        return ConstraintEditor(statement: statement)
    }

    // MARK: - What each relation can refer to

    func relate(
        _ relation: LayoutRelation,
        to item: any LayoutItem,
        _ area: LayoutArea,
        _ file: StaticString,
        _ line: UInt
    ) -> ConstraintEditor<Kind> {
        state(relation, .item(item, area: area), file, line)
    }

    func relate(
        _ relation: LayoutRelation,
        to anchor: Anchor<Kind>,
        _ file: StaticString,
        _ line: UInt
    ) -> ConstraintEditor<Kind> {
        state(relation, .anchor(anchor.item, anchor.attributes, area: anchor.area), file, line)
    }

    func relate(
        _ relation: LayoutRelation,
        toParent area: LayoutArea,
        _ file: StaticString,
        _ line: UInt
    ) -> ConstraintEditor<Kind> {
        state(relation, .parent(area: area), file, line)
    }

    func relate(
        _ relation: LayoutRelation,
        to number: some LayoutNumber,
        _ file: StaticString,
        _ line: UInt
    ) -> ConstraintEditor<Kind> {
        state(relation, .numbers(attributes.map { _ in number.layoutValue }), file, line)
    }

    func relate(
        _ relation: LayoutRelation,
        to size: LayoutSize,
        _ file: StaticString,
        _ line: UInt
    ) -> ConstraintEditor<Kind> {
        state(relation, .numbers([size.width, size.height]), file, line)
    }

    func relate(
        _ relation: LayoutRelation,
        to insets: LayoutInsets,
        _ file: StaticString,
        _ line: UInt
    ) -> ConstraintEditor<Kind> {
        state(relation, .numbers(attributes.map { $0.constant(of: insets) }), file, line)
    }

    func relate(
        _ relation: LayoutRelation,
        to insets: DirectionalInsets,
        _ file: StaticString,
        _ line: UInt
    ) -> ConstraintEditor<Kind> {
        state(relation, .numbers([insets.top, insets.leading, -insets.bottom, -insets.trailing]), file, line)
    }
}
