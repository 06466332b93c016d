import NeedleKit
import RIBs
import TerminalUI

/// Who uses the app, how much is done, and where it is kept.
@MainActor
final class ProfileViewController: ViewController, ProfilePresentable, ViewControllable {
    weak var listener: (any ProfilePresentableListener)?

    private let form = FormView(title: "Profile")
    private let nameField = TextField(placeholder: "what to call you")
    private let breedField = TextField(placeholder: "any")
    private let facts = Label("")

    init(appearance: Appearance) {
        super.init()
        title = "Profile"
        breedField.placeholder = "any \(appearance.animal)"
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        for child in [form, facts] as [View] { view.addSubview(child) }
        form.ndl.makeConstraints { make in
            make.top.equalTo(view)
            make.left.equalTo(view)
            make.right.equalTo(view)
        }
        form.addRow("Name", nameField)
        form.addRow("Breed", breedField)
        nameField.maximumLength = 60
        breedField.maximumLength = 60
        for field in [nameField, breedField] { field.onSubmit = { [weak self] _ in self?.save() } }
        form.addButton(Button("Save", kind: .primary) { [weak self] in self?.save() })
        form.addButton(Button("Back") { [weak self] in self?.listener?.didChooseClose() })
        facts.numberOfLines = 0
        facts.ndl.makeConstraints { make in
            make.top.equalTo(form.ndl.bottom).offset(1)
            make.left.equalTo(view).offset(2)
            make.right.equalTo(view).offset(-2)
        }
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        nameField.becomeFirstResponder()
    }

    override func keyDown(_ key: Key) -> Bool {
        // The router goes back, not the navigation controller: the RIB goes with its view.
        guard key == Key(.escape) else { return false }
        listener?.didChooseClose()
        return true
    }

    func show(_ model: ProfileModel) {
        nameField.text = model.settings.name ?? ""
        breedField.text = model.settings.favouriteBreed ?? ""
        form.problem = model.problem
        facts.text = """
            \(model.openCount) open, \(model.doneCount) done, \(model.archivedCount) put away
            Kept in \(model.dataDirectory)
            \(model.version)
            """
    }

    private func save() {
        listener?.didChooseSave(name: nameField.text, breed: breedField.text)
    }
}
