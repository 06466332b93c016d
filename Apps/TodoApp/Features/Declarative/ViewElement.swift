import TerminalUI

/// A part of a screen, told by what it is; a ``Screen`` makes it a view, once.
///
///     Screen {
///         Text("Profile", role: .title)
///         Row("Name") { Field(text: Binding { typed.name } set: { typed.name = $0 }) }
///         HStack(spacing: 2) {
///             Action("Save", kind: .primary) { save() }
///             Action("Back") { close() }
///         }
///     }
@MainActor
protocol ViewElement {
    /// Makes the view; what may change later is told to the screen by ``Screen/onRefresh(_:)``.
    func makeView(in screen: Screen) -> View
}

/// Collects the elements that a closure lists, with `if`, `else` and `for` where they are wanted.
@resultBuilder
@MainActor
enum ViewElementBuilder {
    static func buildExpression(_ element: any ViewElement) -> [any ViewElement] { [element] }
    static func buildBlock(_ parts: [any ViewElement]...) -> [any ViewElement] { parts.flatMap(\.self) }
    static func buildOptional(_ part: [any ViewElement]?) -> [any ViewElement] { part ?? [] }
    static func buildEither(first part: [any ViewElement]) -> [any ViewElement] { part }
    static func buildEither(second part: [any ViewElement]) -> [any ViewElement] { part }
    static func buildArray(_ parts: [[any ViewElement]]) -> [any ViewElement] { parts.flatMap(\.self) }
}
