import TerminalUI

extension GalleryExample {
    /// A form that is described by its elements: it scrolls in a low window, and stores what is typed in its bindings.
    static let form = GalleryExample("form", "Form") { FormExampleController() }
}

private final class FormExampleController: FormViewController {
    private var name = "보리"
    private var isDog = true
    private var size = 1
    private var result = ""

    override func viewDidLoad() {
        super.viewDidLoad()
        let form = Form(spacing: 1) {
            Text("A new pet 반려동물", role: .title)
            VStack {
                Row("Name") { Field("its name", limit: 20, text: Binding(self, \.name, fallback: "")) }
                Row("Size") { Options(["small", "medium 보통", "large"], selected: Binding(self, \.size, fallback: 0)) }
                Check("It is a dog", isOn: Binding(self, \.isDog, fallback: true))
            }
            Text(role: .success) { [weak self] in self?.result ?? "" }
            HStack(spacing: 2) {
                Action("Save", kind: .primary) { [weak self] in self?.save() }
                Action("Clear") { [weak self] in self?.clear() }
            }
        }
        panel.show(form, width: 44)
    }

    private func save() {
        result = "Saved: \(name), a \(isDog ? "dog" : "cat")."
        panel.refresh()
    }

    private func clear() {
        (name, result) = ("", "")
        panel.refresh()
    }
}
