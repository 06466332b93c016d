import AccountCore
import AppUI
import RIBs
import TerminalUI

/// The form with the user's settings, the numbers of todos and the place of the files.
@MainActor
final class ProfileViewController: ViewController, ProfilePresentable, ViewControllable {
    /// The maximum number of characters of a name or a breed.
    private static let limit = 60

    weak var listener: (any ProfilePresentableListener)?

    private let animal: String
    private var model = ProfileModel()
    private var name = ""
    private var breed = ""
    private var isEdited = false

    private lazy var form = Form(spacing: 1) {
        Text("Profile", role: .title)
        VStack {
            row("Name", "your name", \.name)
            row("Breed", "any \(animal)", \.breed)
            Text(role: .error, lines: 2) { [weak self] in self?.model.problem ?? "" }
        }
        HStack(spacing: 2) {
            Action("Save", kind: .primary) { [weak self] in self?.save() }
            Action("Back") { [weak self] in self?.listener?.didChooseClose() }
        }
        VStack {
            Row("Todos") { Text(lines: 0) { [weak self] in self?.counts ?? "" } }
            Row("Version") { Text { [weak self] in self?.model.version ?? "" } }
            Row("Files") { Text(lines: 0) { [weak self] in self?.model.dataDirectory ?? "" } }
        }
    }

    init(appearance: Appearance) {
        animal = appearance.animal
        super.init()
        title = "Profile"
    }

    override func loadView() -> View {
        form.onProblem = { [weak self] in self?.show(problem: $0) }
        return form
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        form.focusFirst()
        toolbarController?.toolbar.setLeft("Back") { [weak self] in self?.listener?.didChooseClose() }
        toolbarController?.toolbar.setRight(nil)
    }

    override func keyDown(_ key: Key) -> Bool {
        // The router goes back, not the navigation controller, so that the RIB is detached with its view.
        guard key == Key(.escape) else { return false }
        listener?.didChooseClose()
        return true
    }

    // MARK: - ProfilePresentable

    func show(_ model: ProfileModel) {
        self.model = model
        if !isEdited {
            name = model.settings.name ?? ""
            breed = model.settings.favouriteBreed ?? ""
        }
        form.refresh()
    }

    func show(problem: String) {
        model.problem = problem
        form.refresh()
    }

    func confirmDiscard() {
        let alert = AlertController(title: "Discard the changes?", message: "The changed profile is not saved.")
        alert.addAction("Edit on", kind: .cancel)
        alert.addAction("Discard", kind: .destructive) { [weak self] in self?.listener?.didConfirmDiscard() }
        present(alert)
    }

    // MARK: - Elements

    private func row(
        _ title: String,
        _ hint: String,
        _ path: ReferenceWritableKeyPath<ProfileViewController, String>
    ) -> Row {
        Row(title) {
            Field(
                hint,
                limit: Self.limit,
                text: Binding(self, path, fallback: ""),
                onSubmit: { [weak self] in self?.save() },
                onChange: { [weak self] in self?.changed() }
            )
        }
    }

    private var counts: String {
        guard let counts = model.counts else { return model.problem == nil ? "counting" : "unknown" }
        return "\(counts.open) open, \(counts.done) done, \(counts.archived) archived"
    }

    private func changed() {
        isEdited = true
        listener?.didChange(name: name, breed: breed)
    }

    private func save() {
        listener?.didChooseSave(name: name, breed: breed)
    }
}
