package import AppLanguage
import NeedleKit
package import TerminalUI

/// A view that is described by its elements: texts, fields and buttons, one below the other.
///
///     Form {
///         Text("Profile", role: .title)
///         Row("Name") { Field("your name", limit: 60, text: Binding(self, \.name, fallback: "")) }
///         HStack(spacing: 2) {
///             Action("Save", kind: .primary) { save() }
///             Action("Back") { close() }
///         }
///     }
///
/// The views are created once. The values they show are read again on ``refresh()``.
@MainActor
package final class Form: View {
    /// How a form fills its place.
    package enum Style: Hashable, Sendable {
        /// From the top edge down. Where the room is short, the last elements are cut.
        case page
        /// A framed panel that is exactly as high as its elements.
        case panel
    }

    /// Called with a message when a field has not accepted all of its input.
    package var onProblem: (@MainActor (LocalizedText) -> Void)?

    private let style: Style
    private var refreshers: [@MainActor () -> Void] = []

    /// Creates a form and its views.
    ///
    /// - Parameters:
    ///   - style: how the form fills its place.
    ///   - margin: the number of free columns at either side.
    ///   - spacing: the number of free rows between the elements.
    ///   - content: the elements.
    package init(
        style: Style = .page,
        margin: Double = 2,
        spacing: Double = 0,
        @FormBuilder content: () -> [any FormElement]
    ) {
        self.style = style
        super.init()
        let stack = VStack(spacing: spacing, elements: content()).makeView(in: self)
        addSubview(stack)
        stack.ndl.makeConstraints { make in
            make.left.equalTo(self).offset(margin)
            make.right.equalTo(self).offset(-margin)
            switch style {
            case .page:
                make.top.equalTo(self)
                make.bottom.equalTo(self).priority(200)
                make.bottom.lessThanOrEqualTo(self).priority(900)
            case .panel:
                make.top.equalTo(self).offset(1)
                make.bottom.equalTo(self).offset(-1)
            }
        }
    }

    /// Reads all values again and shows them. Text that the user has typed is already in its binding, so it stays.
    package func refresh() {
        for refresher in refreshers { refresher() }
    }

    /// Calls `update` now and on every ``refresh()``.
    package func onRefresh(_ update: @escaping @MainActor () -> Void) {
        refreshers.append(update)
        update()
    }

    func report(_ problem: LocalizedText) { onProblem?(problem) }

    /// Moves the focus to the first element that accepts it.
    package func focusFirst() {
        func first(in view: View) -> View? {
            if view.canBecomeFirstResponder { return view }
            for child in view.subviews where !child.isHidden {
                if let found = first(in: child) { return found }
            }
            return nil
        }
        first(in: self)?.becomeFirstResponder()
    }

    package override func draw(in canvas: Canvas) {
        // Without colours, the frame alone separates the panel from the screen behind it.
        if style == .panel { canvas.frame(bounds, style: theme.border) }
    }

    package override func didMoveToWindow() { updateBackground() }

    package override func traitsDidChange() { updateBackground() }

    private func updateBackground() {
        if style == .panel { background = theme.panel }
    }
}

/// A part of a ``Form``.
@MainActor
package protocol FormElement {
    /// Creates the element's view. Values that change later are registered with ``Form/onRefresh(_:)``.
    func makeView(in form: Form) -> View
}

/// Collects the elements that a closure lists, with `if`, `else` and `for`.
@resultBuilder
@MainActor
package enum FormBuilder {
    package static func buildExpression(_ element: any FormElement) -> [any FormElement] { [element] }
    package static func buildExpression(_ elements: [any FormElement]) -> [any FormElement] { elements }
    package static func buildBlock(_ parts: [any FormElement]...) -> [any FormElement] { parts.flatMap(\.self) }
    package static func buildOptional(_ part: [any FormElement]?) -> [any FormElement] { part ?? [] }
    package static func buildEither(first part: [any FormElement]) -> [any FormElement] { part }
    package static func buildEither(second part: [any FormElement]) -> [any FormElement] { part }
    package static func buildArray(_ parts: [[any FormElement]]) -> [any FormElement] { parts.flatMap(\.self) }
}

/// A value that another object owns: read when a form refreshes, written when the user changes it.
@MainActor
package struct Binding<Value> {
    /// Returns the current value.
    package let get: @MainActor () -> Value
    /// Stores a new value.
    package let set: @MainActor (Value) -> Void

    /// Creates a binding from two closures, which should hold the owner weakly.
    package init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.get = get
        self.set = set
    }

    /// Creates a binding to a property of an object, which is held weakly.
    ///
    /// - Parameters:
    ///   - owner: the object.
    ///   - path: the property.
    ///   - fallback: the value once the object has been released.
    package init<Owner: AnyObject>(
        _ owner: Owner,
        _ path: ReferenceWritableKeyPath<Owner, Value>,
        fallback: Value
    ) {
        self.init(
            get: { [weak owner] in owner?[keyPath: path] ?? fallback },
            set: { [weak owner] in owner?[keyPath: path] = $0 }
        )
    }
}
