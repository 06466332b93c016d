internal import NeedleKit

/// Elements one below the other, each as wide as the stack. While all of them are empty texts, the stack takes no room.
public struct VStack: FormElement {
    private let spacing: Double
    private let elements: [any FormElement]

    /// Creates a stack.
    ///
    /// - Parameters:
    ///   - spacing: the number of free rows between the elements.
    ///   - content: the elements.
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
            guard let stack, !stack.subviews.isEmpty else { return }
            stack.isHidden = stack.subviews.allSatisfy { $0.isHidden && $0.layoutNode.collapsesWhenHidden }
        }
        return stack
    }
}

/// Elements side by side from the left, each as wide as its content.
public struct HStack: FormElement {
    private let spacing: Double
    private let elements: [any FormElement]

    /// Creates a stack.
    ///
    /// - Parameters:
    ///   - spacing: the number of free columns between the elements.
    ///   - content: the elements.
    public init(spacing: Double = 0, @FormBuilder content: () -> [any FormElement]) {
        self.spacing = spacing
        elements = content()
    }

    /// Creates the view.
    public func makeView(in form: Form) -> View {
        let stack = View()
        let views = elements.map { $0.makeView(in: form) }
        for view in views { stack.addSubview(view) }
        stack.ndl.stack(views, axis: .horizontal, spacing: spacing, distribution: .start)
        return stack
    }
}

/// An element with its name in front of it. The names of all rows of a form have the same width.
public struct Row: FormElement {
    private let name: String
    private let element: any FormElement

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - content: the element, which fills the rest of the row.
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
