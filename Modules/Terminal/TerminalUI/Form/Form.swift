internal import NeedleKit

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
public final class Form: View {
    /// How a form fills its place.
    public enum Style: Hashable, Sendable {
        /// From the top edge down. Where the room is short, the last elements are cut.
        case page
        /// A framed panel that is exactly as high as its elements.
        case panel
    }

    /// Called when a field has discarded input, with the number of discarded characters and the maximum length.
    public var onTruncate: (@MainActor (_ discarded: Int, _ limit: Int) -> Void)?

    private let style: Style
    private let margin: Double
    private var stack: View?
    /// The width below which a form has no margin.
    private static let narrow = 20
    private var refreshers: [@MainActor () -> Void] = []
    /// The smallest width of the names of the rows.
    private static let nameWidth = 10
    private var names: [Label] = []

    /// Creates a form and its views.
    ///
    /// - Parameters:
    ///   - style: how the form fills its place.
    ///   - margin: the number of free columns at either side.
    ///   - spacing: the number of free rows between the elements.
    ///   - content: the elements.
    public init(
        style: Style = .page,
        margin: Double = 2,
        spacing: Double = 0,
        @FormBuilder content: () -> [any FormElement]
    ) {
        self.style = style
        self.margin = margin
        super.init()
        if style == .panel { surface = \.panel }
        let stack = VStack(spacing: spacing, elements: content()).makeView(in: self)
        self.stack = stack
        addSubview(stack)
        let nameWidth = names.reduce(Self.nameWidth) { max($0, DisplayWidth.of($1.text) + 1) }
        for name in names { name.ndl.makeConstraints { $0.width.equalTo(Double(nameWidth)) } }
        stack.ndl.makeConstraints { make in
            make.horizontal.equalTo(self).inset(margin)
            switch style {
            case .page:
                make.top.equalTo(self)
                make.bottom.equalTo(self).priority(200)
                make.bottom.lessThanOrEqualTo(self).priority(900)
            case .panel:
                make.vertical.equalTo(self).inset(1)
            }
        }
    }

    /// Removes the margin where the form is narrow.
    public override func layoutSubviews() {
        let margin = bounds.width < Form.narrow ? 0 : margin
        stack?.ndl.updateConstraints { $0.horizontal.equalTo(self).inset(margin) }
    }

    /// Reads all values again and shows them. Text that the user has typed is already in its binding, so it stays.
    public func refresh() {
        for refresher in refreshers { refresher() }
    }

    /// Calls `update` now and on every ``refresh()``.
    public func onRefresh(_ update: @escaping @MainActor () -> Void) {
        refreshers.append(update)
        update()
    }

    /// Adds the name of a row. All names of a form are as wide as the longest.
    func align(_ name: Label) { names.append(name) }

    /// Moves the focus to the first element that accepts it.
    public func focusFirst() {
        func first(in view: View) -> View? {
            if view.canBecomeFirstResponder { return view }
            for child in view.subviews where !child.isHidden {
                if let found = first(in: child) { return found }
            }
            return nil
        }
        first(in: self)?.becomeFirstResponder()
    }

    /// Moves the focus to the element of a ``Row``.
    ///
    /// - Parameter name: the name of the row.
    public func focus(row name: String) {
        func element(in view: View) -> View? {
            if view.accessibilityLabel == name, view.canBecomeFirstResponder { return view }
            return view.subviews.lazy.compactMap { element(in: $0) }.first
        }
        element(in: self)?.becomeFirstResponder()
    }

    /// Draws the frame of a panel.
    public override func draw(in canvas: Canvas) {
        // Without colours, the frame alone separates the panel from the screen behind it.
        if style == .panel { canvas.frame(bounds, style: theme.border) }
    }
}

/// A part of a ``Form``.
@MainActor
public protocol FormElement {
    /// Creates the element's view. Values that change later are registered with ``Form/onRefresh(_:)``.
    func makeView(in form: Form) -> View
}

/// Collects the elements that a closure lists, with `if`, `else` and `for`.
@resultBuilder
@MainActor
public enum FormBuilder {
    /// Adds an element.
    public static func buildExpression(_ element: any FormElement) -> [any FormElement] { [element] }
    /// Adds the elements of a list.
    public static func buildExpression(_ elements: [any FormElement]) -> [any FormElement] { elements }
    /// Joins the parts of a closure.
    public static func buildBlock(_ parts: [any FormElement]...) -> [any FormElement] { parts.flatMap(\.self) }
    /// Supports `if` without `else`.
    public static func buildOptional(_ part: [any FormElement]?) -> [any FormElement] { part ?? [] }
    /// Supports the first branch of `if` and `else`.
    public static func buildEither(first part: [any FormElement]) -> [any FormElement] { part }
    /// Supports the second branch of `if` and `else`.
    public static func buildEither(second part: [any FormElement]) -> [any FormElement] { part }
    /// Supports `for`.
    public static func buildArray(_ parts: [[any FormElement]]) -> [any FormElement] { parts.flatMap(\.self) }
}

/// A value that another object owns: read when a form refreshes, written when the user changes it.
@MainActor
public struct Binding<Value> {
    /// Returns the current value.
    public let get: @MainActor () -> Value
    /// Stores a new value.
    public let set: @MainActor (Value) -> Void

    /// Creates a binding from two closures, which should hold the owner weakly.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.get = get
        self.set = set
    }

    /// Creates a binding to a property of an object, which is held weakly.
    ///
    /// - Parameters:
    ///   - owner: the object.
    ///   - path: the property.
    ///   - fallback: the value once the object has been released.
    public init<Owner: AnyObject>(_ owner: Owner, _ path: ReferenceWritableKeyPath<Owner, Value>, fallback: Value) {
        self.init(
            get: { [weak owner] in owner?[keyPath: path] ?? fallback },
            set: { [weak owner] in owner?[keyPath: path] = $0 }
        )
    }
}
