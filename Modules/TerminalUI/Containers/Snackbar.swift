internal import NeedleKit

/// A short message at the lower edge with a button that closes it.
public final class Snackbar: View {
    /// What it says.
    public let label: Label
    /// The button that closes it.
    public let closeButton = Button("✕", kind: .bar)
    /// The button that does something about it, where there is one.
    public let actionButton: Button?

    /// A message, with an action where one is told.
    public init(_ text: String, action: String? = nil, onAction: (() -> Void)? = nil, onClose: (() -> Void)? = nil) {
        label = Label(text, numberOfLines: 2)
        actionButton = action.map { Button($0, kind: .bar, onTap: onAction) }
        super.init()
        closeButton.accessibilityLabel = "Close"
        closeButton.onTap = onClose
        let buttons = [actionButton, closeButton].compactMap(\.self)
        for view in [label] + buttons { addSubview(view) }
        label.ndl.makeConstraints { make in
            make.left.equalTo(self).offset(1)
            make.top.equalTo(self)
            make.bottom.equalTo(self)
            make.right.equalTo(buttons[0].ndl.left).offset(-1)
        }
        for (index, button) in buttons.enumerated() {
            button.ndl.makeConstraints { make in
                make.top.equalTo(self)
                if index + 1 < buttons.count {
                    make.right.equalTo(buttons[index + 1].ndl.left)
                } else {
                    make.right.equalTo(self)
                }
            }
        }
    }

    /// Takes the snackbar's colours of the window's theme.
    public override func didMoveToWindow() { background = theme.snackbar }
    /// Takes the snackbar's colours anew.
    public override func traitsDidChange() { background = theme.snackbar }
}
