import NeedleKit
package import TerminalUI

/// A panel of a drawer: texts and buttons that scroll where the room is short. Up and Down move through the buttons.
@MainActor
package final class MenuViewController: ViewController {
    private let scroll = ScrollView()
    private var form: Form?
    private var elements: (() -> [any FormElement])?

    /// Creates an empty panel.
    package override init() {
        super.init()
    }

    /// Replaces the content of the panel.
    package func show(@FormBuilder _ elements: @escaping () -> [any FormElement]) {
        self.elements = elements
        if viewIfLoaded != nil { build() }
    }

    /// Reads the values of the content again.
    package func refresh() {
        form?.refresh()
    }

    package override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(scroll)
        scroll.ndl.makeConstraints { $0.edges.equalTo(view) }
        build()
    }

    package override func viewDidAppear() {
        super.viewDidAppear()
        form?.refresh()
        form?.focusFirst()
    }

    private func build() {
        guard let elements else { return }
        form?.removeFromSuperview()
        let form = Form(margin: 0) { VStack { elements() } }
        self.form = form
        scroll.contentView.addSubview(form)
        form.ndl.makeConstraints { make in
            make.top.equalTo(scroll.contentView)
            make.left.equalTo(scroll.contentView)
            make.right.equalTo(scroll.contentView)
            make.bottom.lessThanOrEqualTo(scroll.contentView)
        }
    }
}
