/// The left side of a constraint, waiting for its relation: `make.top`, or chained, `make.top.left`.
@MainActor
public struct ConstraintStart<Kind: AnchorKind> {
    let maker: ConstraintMaker
    let attributes: [LayoutAttribute]

    func state(
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
}
