internal import NeedleKit

/// The content of a screen with a form: the form, which scrolls where the room is short, over a line for the request under way.
@MainActor
public final class FormPanel: View {
    private let spinner = Spinner("")
    private var screen: ScrollingForm?

    /// The form that is shown.
    public var form: Form? { screen?.form }

    /// Creates an empty panel.
    public override init() {
        super.init()
        addSubview(spinner)
        spinner.ndl.makeConstraints { $0.bottom.centerX.equalTo(self) }
    }

    /// Shows a form of a maximum width in place of the one before, and moves the focus to it.
    public func show(_ form: Form, width: Int = 60) {
        screen?.removeFromSuperview()
        let screen = ScrollingForm(width: width, form)
        self.screen = screen
        insertSubview(screen, at: 0)
        screen.ndl.makeConstraints { make in
            make.top.horizontal.equalTo(self)
            make.bottom.equalTo(spinner.ndl.top)
        }
        if window != nil { form.focusFirst() }
    }

    /// Shows a request under way, in words and by a sign that moves; `nil` for none.
    public func show(activity: String?) {
        guard let activity else { return spinner.stopAnimating() }
        spinner.text = activity
        spinner.startAnimating()
    }

    /// Moves the focus to the first element of the form that accepts it.
    public func focusFirst() { screen?.form.focusFirst() }

    /// Reads the values of the form again.
    public func refresh() { screen?.form.refresh() }
}

extension TextField.Validity {
    /// The mark of a field whose text is valid or invalid; no mark without a value.
    public init(_ isValid: Bool?) {
        self =
            switch isValid {
            case true?: .valid
            case false?: .invalid
            case nil: .neutral
            }
    }
}
