import NeedleKit
package import TerminalUI

/// A view made of ``ViewElement``s, one below the other from the top; what they show is read again on ``refresh()``.
@MainActor
package final class Screen: View {
    private var refreshers: [@MainActor () -> Void] = []

    /// Makes the views.
    ///
    /// - Parameters:
    ///   - margin: the columns left free at both sides.
    ///   - spacing: the rows left free between the elements.
    ///   - content: the elements.
    package init(margin: Double = 2, spacing: Double = 0, @ViewElementBuilder content: () -> [any ViewElement]) {
        super.init()
        let stack = VStack(spacing: spacing, elements: content()).makeView(in: self)
        addSubview(stack)
        // The lower edge is free: where there is little room, what stands last is cut.
        stack.ndl.makeConstraints { make in
            make.top.equalTo(self)
            make.left.equalTo(self).offset(margin)
            make.right.equalTo(self).offset(-margin)
        }
    }

    /// Shows everything as it is now. What the user has typed is part of that: a ``Field`` has told its binding.
    package func refresh() {
        for refresher in refreshers { refresher() }
    }

    /// Calls `update` now and on every ``refresh()``.
    package func onRefresh(_ update: @escaping @MainActor () -> Void) {
        refreshers.append(update)
        update()
    }

    /// Gives the focus to the first element that takes it.
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
}

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
package protocol ViewElement {
    /// Makes the view; what may change later is told to the screen by ``Screen/onRefresh(_:)``.
    func makeView(in screen: Screen) -> View
}

/// Collects the elements that a closure lists, with `if`, `else` and `for` where they are wanted.
@resultBuilder
@MainActor
package enum ViewElementBuilder {
    package static func buildExpression(_ element: any ViewElement) -> [any ViewElement] { [element] }
    package static func buildBlock(_ parts: [any ViewElement]...) -> [any ViewElement] { parts.flatMap(\.self) }
    package static func buildOptional(_ part: [any ViewElement]?) -> [any ViewElement] { part ?? [] }
    package static func buildEither(first part: [any ViewElement]) -> [any ViewElement] { part }
    package static func buildEither(second part: [any ViewElement]) -> [any ViewElement] { part }
    package static func buildArray(_ parts: [[any ViewElement]]) -> [any ViewElement] { parts.flatMap(\.self) }
}

/// A value that somebody else keeps: read when a screen refreshes, written when the user changes it.
@MainActor
package struct Binding<Value> {
    /// The value now.
    package let get: @MainActor () -> Value
    /// Keeps another.
    package let set: @MainActor (Value) -> Void

    /// A value behind two closures; they should hold their owner weakly.
    package init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.get = get
        self.set = set
    }

    /// A property of an object, which is held weakly; `fallback` is its value once the object is gone.
    package init<Owner: AnyObject>(_ owner: Owner, _ path: ReferenceWritableKeyPath<Owner, Value>, fallback: Value) {
        self.init(
            get: { [weak owner] in owner?[keyPath: path] ?? fallback },
            set: { [weak owner] in owner?[keyPath: path] = $0 }
        )
    }
}
