internal import NeedleKit

/// Elements one below the other, each as wide as the stack. While all of them are empty texts, or without any, the stack takes
/// no room.
public struct VStack: FormElement {
    private let spacing: Double
    private let elements: [any FormElement]

    /// Creates a stack of elements with a number of free rows between them.
    public init(spacing: Double = 0, @FormBuilder content: () -> [any FormElement]) {
        self.init(spacing: spacing, elements: content())
    }

    init(spacing: Double, elements: [any FormElement]) {
        self.spacing = spacing
        self.elements = elements
    }

    /// Creates the view.
    public func makeView(in form: Form) -> View {
        let stack = View()
        let views = elements.map { $0.makeView(in: form) }
        for view in views { stack.addSubview(view) }
        stack.ndl.stack(views, spacing: spacing)
        stack.layoutNode.collapsesWhenHidden = true
        form.onRefresh { [weak stack] in
            guard let stack else { return }
            stack.isHidden = stack.subviews.allSatisfy { $0.isHidden && $0.layoutNode.collapsesWhenHidden }
        }
        return stack
    }
}

/// Elements side by side from the left, each as wide as its content, in as many rows as they need. Without any, the stack takes
/// no room.
public struct HStack: FormElement {
    private let spacing: Double
    private let elements: [any FormElement]

    /// Creates a stack of elements with a number of free columns between them.
    public init(spacing: Double = 0, @FormBuilder content: () -> [any FormElement]) {
        self.spacing = spacing
        elements = content()
    }

    /// Creates the view.
    public func makeView(in form: Form) -> View {
        let stack = ElementRows(elements.map { $0.makeView(in: form) }, spacing: spacing)
        stack.layoutNode.collapsesWhenHidden = elements.isEmpty
        stack.isHidden = elements.isEmpty
        form.onRefresh { [weak stack] in stack?.arrange() }
        return stack
    }
}

/// Views side by side, in as many rows as they need.
private final class ElementRows: View {
    private let views: [View]
    private let spacing: Double
    /// The number of views in each row.
    private var counts: [Int] = []
    private var guides: [LayoutGuide] = []
    private var stacks: [ConstraintGroup] = []

    init(_ views: [View], spacing: Double) {
        self.views = views
        self.spacing = spacing
        super.init()
        for view in views { addSubview(view) }
    }

    override func layoutSubviews() { arrange() }

    /// Distributes the views over the rows, after a change of the room or of what they show.
    func arrange() {
        let rows = views.rows(in: bounds.width > 0 ? Double(bounds.width) : .infinity, spacing: spacing)
        guard rows.map(\.count) != counts else { return }
        counts = rows.map(\.count)
        for stack in stacks { stack.remove() }
        for guide in guides { guide.remove() }
        guides = rows.map { _ in LayoutGuide(in: self) }
        stacks = zip(guides, rows).map { guide, row in
            guide.ndl.stack(row, axis: .horizontal, spacing: spacing, distribution: .start)
        }
        stacks.append(ndl.stack(guides))
    }
}

@MainActor
extension [View] {
    /// Distributes the views, each as wide as its content, over as many rows of a width as they need. A view that is wider
    /// has a row of its own.
    func rows(in width: Double, spacing: Double) -> [[View]] {
        var rows: [[View]] = []
        var free = 0.0
        for view in self {
            let isCollapsed = view.isHidden && view.layoutNode.collapsesWhenHidden
            let wanted = isCollapsed ? 0 : spacing + (view.intrinsicContentSize.width ?? 0)
            if rows.isEmpty || wanted > free {
                rows.append([])
                free = width + spacing
            }
            rows[rows.count - 1].append(view)
            free -= wanted
        }
        return rows
    }
}

/// An element with its name in front of it. The names of all rows of a form have the same width.
public struct Row: FormElement {
    private let name: String
    private let element: any FormElement

    /// Creates a row of a name and an element, which fills the rest of the row.
    public init(_ name: String, content: () -> any FormElement) {
        self.name = name
        element = content()
    }

    /// Creates the view.
    public func makeView(in form: Form) -> View {
        let row = View()
        let label = Label(name, role: .secondary)
        // The element decides the height of the row.
        label.layoutNode.verticalHugging = .low
        let view = element.makeView(in: form)
        view.accessibilityLabel = name
        row.addSubview(label)
        row.addSubview(view)
        form.align(label)
        row.ndl.stack([label, view], axis: .horizontal)
        return row
    }
}

/// Elements that are created again when a value changes, while the rest of the form stays as it is: with its focus, and with
/// a button that is pressed at that moment.
public struct Group<ID: Equatable>: FormElement {
    private let id: @MainActor () -> ID
    private let content: @MainActor () -> [any FormElement]

    /// Creates a group.
    ///
    /// - Parameters:
    ///   - id: returns the value that decides the elements, read on every refresh.
    ///   - content: the elements for the present value. Names of rows are as wide as the longest one of the group.
    public init(id: @escaping @MainActor () -> ID, @FormBuilder content: @escaping @MainActor () -> [any FormElement]) {
        self.id = id
        self.content = content
    }

    /// Creates the view.
    public func makeView(in form: Form) -> View {
        let view = View()
        view.layoutNode.collapsesWhenHidden = true
        var shown: ID?
        weak var part: Form?
        form.onRefresh { [weak view, weak form] in
            let id = id()
            guard id != shown else {
                part?.refresh()
                return
            }
            guard let view, let form else { return }
            shown = id
            let hadFocus = part?.containsFirstResponder == true
            part?.removeFromSuperview()
            let elements = content()
            view.isHidden = elements.isEmpty
            if !elements.isEmpty {
                let new = Form(margin: 0) { elements }
                new.onTruncate = { [weak form] in form?.onTruncate?($0, $1) }
                view.addSubview(new)
                new.ndl.makeConstraints { $0.edges.equalTo(view) }
                part = new
            }
            if hadFocus { (part ?? form).focusFirst() }
        }
        return view
    }
}
