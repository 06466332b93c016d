/// What an item's content requires and cannot have at present.
@MainActor
struct LeftOut {
    let own: OwnConstraint
    let diagnostic: LayoutDiagnostic
}
