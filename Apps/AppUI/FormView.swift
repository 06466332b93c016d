import And
import NeedleKit
package import TerminalUI

/// A framed panel of named fields, one a row, with two lines for what is wrong and buttons beneath.
@MainActor
package final class FormView: View {
    private static let nameWidth = 10.0

    private let heading: Label
    private let problemLabel = Label("", role: .error).and { $0.numberOfLines = 2 }
    private var lastRow: View
    private var lastButton: View?

    /// What is wrong with the fields; `nil` where nothing is.
    package var problem: String? {
        didSet { problemLabel.text = problem ?? "" }
    }

    /// A form without fields yet.
    package init(title: String) {
        heading = Label(title, role: .title)
        lastRow = heading
        super.init()
        for child in [heading, problemLabel] { addSubview(child) }
        heading.ndl.makeConstraints { make in
            make.top.equalTo(self).offset(1)
            make.left.equalTo(self).offset(2)
        }
        placeProblem()
    }

    /// Adds a field under the others.
    package func addRow(_ name: String, _ field: TextField) {
        let label = Label(name)
        addSubview(label)
        addSubview(field)
        field.accessibilityLabel = name
        let previous = lastRow
        label.ndl.makeConstraints { make in
            make.left.equalTo(self).offset(2)
            make.width.equalTo(Self.nameWidth)
            make.top.equalTo(previous.ndl.bottom)
        }
        field.ndl.makeConstraints { make in
            make.left.equalTo(label.ndl.right)
            make.right.equalTo(self).offset(-2)
            make.top.equalTo(previous.ndl.bottom)
            make.height.equalTo(1)
        }
        lastRow = field
        placeProblem()
    }

    /// Adds a button beside the others.
    package func addButton(_ button: Button) {
        addSubview(button)
        let previous = lastButton
        button.ndl.makeConstraints { make in
            make.top.equalTo(problemLabel.ndl.bottom)
            make.bottom.equalTo(self).offset(-1)
            if let previous {
                make.left.equalTo(previous.ndl.right).offset(2)
            } else {
                make.left.equalTo(self).offset(2)
            }
        }
        lastButton = button
    }

    /// Keeps the line for what is wrong under the last field.
    private func placeProblem() {
        problemLabel.ndl.remakeConstraints { make in
            make.top.equalTo(lastRow.ndl.bottom)
            make.left.equalTo(self).offset(2)
            make.right.equalTo(self).offset(-2)
            make.height.equalTo(2)
        }
    }

    package override func draw(in canvas: Canvas) {
        // Without colours the frame alone tells the panel from what is behind it.
        canvas.frame(bounds, style: theme.border)
    }

    package override func didMoveToWindow() { background = theme.panel }

    package override func traitsDidChange() { background = theme.panel }
}
