import NeedleKit
package import TerminalUI

/// Elements one below the other, each as wide as the stack.
package struct VStack: ViewElement {
    private let spacing: Double
    private let elements: [any ViewElement]

    /// A stack with free rows between its elements.
    package init(spacing: Double = 0, @ViewElementBuilder content: () -> [any ViewElement]) {
        self.init(spacing: spacing, elements: content())
    }

    package init(spacing: Double, elements: [any ViewElement]) {
        self.spacing = spacing
        self.elements = elements
    }

    package func makeView(in screen: Screen) -> View {
        let stack = View()
        var above: View?
        for element in elements {
            let view = element.makeView(in: screen)
            stack.addSubview(view)
            view.ndl.makeConstraints { make in
                make.horizontal.equalTo(stack)
                if let above {
                    make.top.equalTo(above.ndl.bottom).offset(spacing)
                } else {
                    make.top.equalTo(stack)
                }
            }
            above = view
        }
        above?.ndl.makeConstraints { $0.bottom.equalTo(stack) }
        return stack
    }
}

/// Elements side by side from the left, each as wide as it wants; what can stretch fills the rest.
package struct HStack: ViewElement {
    /// Above a field's wish to stay narrow, below a button's.
    private static let filling: LayoutPriority = 150

    private let spacing: Double
    private let elements: [any ViewElement]

    /// A stack with free columns between its elements.
    package init(spacing: Double = 0, @ViewElementBuilder content: () -> [any ViewElement]) {
        self.spacing = spacing
        elements = content()
    }

    package func makeView(in screen: Screen) -> View {
        let stack = View()
        var before: View?
        for element in elements {
            let view = element.makeView(in: screen)
            stack.addSubview(view)
            view.ndl.makeConstraints { make in
                make.vertical.equalTo(stack)
                if let before {
                    make.left.equalTo(before.ndl.right).offset(spacing)
                } else {
                    make.left.equalTo(stack)
                }
            }
            before = view
        }
        before?.ndl.makeConstraints { make in
            make.right.lessThanOrEqualTo(stack)
            make.right.equalTo(stack).priority(Self.filling)
        }
        return stack
    }
}

/// An element with its name before it; the names of all rows are equally wide.
package struct Row: ViewElement {
    private static let nameWidth = 10.0

    private let name: String
    private let element: any ViewElement

    /// A named element.
    package init(_ name: String, content: () -> any ViewElement) {
        self.name = name
        element = content()
    }

    package func makeView(in screen: Screen) -> View {
        let row = View()
        let label = Label(name, role: .secondary)
        let view = element.makeView(in: screen)
        view.accessibilityLabel = name
        row.addSubview(label)
        row.addSubview(view)
        label.ndl.makeConstraints { make in
            make.top.equalTo(row)
            make.left.equalTo(row)
            make.bottom.lessThanOrEqualTo(row)
            make.width.equalTo(Self.nameWidth)
        }
        view.ndl.makeConstraints { make in
            make.left.equalTo(label.ndl.right)
            make.right.equalTo(row)
            make.vertical.equalTo(row)
        }
        return row
    }
}
