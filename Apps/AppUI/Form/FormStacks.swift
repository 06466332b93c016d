import NeedleKit
package import TerminalUI

/// Elements one below the other, each as wide as the stack.
package struct VStack: FormElement {
    private let spacing: Double
    private let elements: [any FormElement]

    /// Creates a stack.
    ///
    /// - Parameters:
    ///   - spacing: the number of free rows between the elements.
    ///   - content: the elements.
    package init(spacing: Double = 0, @FormBuilder content: () -> [any FormElement]) {
        self.init(spacing: spacing, elements: content())
    }

    init(spacing: Double, elements: [any FormElement]) {
        self.spacing = spacing
        self.elements = elements
    }

    package func makeView(in form: Form) -> View {
        let stack = View()
        let views = elements.map { $0.makeView(in: form) }
        for view in views { stack.addSubview(view) }
        stack.ndl.stack(views, spacing: spacing)
        return stack
    }
}

/// Elements side by side from the left, each as wide as its content.
package struct HStack: FormElement {
    private let spacing: Double
    private let elements: [any FormElement]

    /// Creates a stack.
    ///
    /// - Parameters:
    ///   - spacing: the number of free columns between the elements.
    ///   - content: the elements.
    package init(spacing: Double = 0, @FormBuilder content: () -> [any FormElement]) {
        self.spacing = spacing
        elements = content()
    }

    package func makeView(in form: Form) -> View {
        let stack = View()
        let views = elements.map { $0.makeView(in: form) }
        for view in views { stack.addSubview(view) }
        stack.ndl.stack(views, axis: .horizontal, spacing: spacing, distribution: .start)
        return stack
    }
}

/// An element with its name in front of it. The names of all rows have the same width.
package struct Row: FormElement {
    private static let nameWidth = 10.0

    private let name: String
    private let element: any FormElement

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - name: the name, at most ten columns wide.
    ///   - content: the element, which fills the rest of the row.
    package init(_ name: String, content: () -> any FormElement) {
        self.name = name
        element = content()
    }

    package func makeView(in form: Form) -> View {
        let row = View()
        let label = Label(name, role: .secondary)
        let view = element.makeView(in: form)
        view.accessibilityLabel = name
        row.addSubview(label)
        row.addSubview(view)
        label.ndl.makeConstraints { $0.width.equalTo(Self.nameWidth) }
        row.ndl.stack([label, view], axis: .horizontal)
        return row
    }
}
