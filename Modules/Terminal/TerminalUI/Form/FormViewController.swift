/// A screen with a form: its first element has the focus when it appears, and Escape goes back.
@MainActor
open class FormViewController: ViewController {
    /// The form, and the line for the request under way.
    public let panel = FormPanel()

    /// Adds the panel; a subclass then shows its form in it.
    open override func viewDidLoad() {
        super.viewDidLoad()
        view.fill(with: panel)
    }

    /// Moves the focus to the first element of the form.
    open override func viewDidAppear() {
        super.viewDidAppear()
        panel.focusFirst()
    }

    /// Goes back on Escape. The screen's router closes it, not the navigation, so that its RIB is detached with its view.
    open override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.escape) else { return false }
        goBack()
        return true
    }

    /// Called when the user goes back; does nothing by default.
    open func goBack() {}
}
