import AccountCore
import AppUI
import RIBs
import TerminalUI

/// Who uses the app, how much is done, and where it is kept: a form told by what stands on it.
@MainActor
final class ProfileViewController: ViewController, ProfilePresentable, ViewControllable {
    /// The most characters of a name or a breed.
    private static let limit = 60

    weak var listener: (any ProfilePresentableListener)?

    private let animal: String
    private var model = ProfileModel()
    private var name = ""
    private var breed = ""

    private lazy var form = Form(spacing: 1) {
        Text("Profile", role: .title)
        VStack {
            Row("Name") {
                Field("what to call you", limit: Self.limit, text: Binding(self, \.name, fallback: "")) { [weak self] in
                    self?.save()
                }
            }
            Row("Breed") {
                Field("any \(animal)", limit: Self.limit, text: Binding(self, \.breed, fallback: "")) { [weak self] in
                    self?.save()
                }
            }
            Text(role: .error, lines: 2) { [weak self] in self?.model.problem ?? "" }
        }
        HStack(spacing: 2) {
            Action("Save", kind: .primary) { [weak self] in self?.save() }
            Action("Back") { [weak self] in self?.listener?.didChooseClose() }
        }
        VStack {
            Row("Todos") { Text(lines: 0) { [weak self] in self?.counts ?? "" } }
            Row("Version") { Text { [weak self] in self?.model.version ?? "" } }
            Row("Kept in") { Text(lines: 0) { [weak self] in self?.model.dataDirectory ?? "" } }
        }
    }

    init(appearance: Appearance) {
        animal = appearance.animal
        super.init()
        title = "Profile"
    }

    override func loadView() -> View { form }

    override func viewDidAppear() {
        super.viewDidAppear()
        form.focusFirst()
        toolbarController?.toolbar.setLeft("Back") { [weak self] in self?.listener?.didChooseClose() }
        toolbarController?.toolbar.setRight(nil)
    }

    override func keyDown(_ key: Key) -> Bool {
        // The router goes back, not the navigation controller: the RIB goes with its view.
        guard key == Key(.escape) else { return false }
        listener?.didChooseClose()
        return true
    }

    func show(_ model: ProfileModel) {
        self.model = model
        name = model.settings.name ?? ""
        breed = model.settings.favouriteBreed ?? ""
        form.refresh()
    }

    func show(problem: String) {
        model.problem = problem
        form.refresh()
    }

    private var counts: String {
        "\(model.openCount) open, \(model.doneCount) done, \(model.archivedCount) put away"
    }

    private func save() {
        listener?.didChooseSave(name: name, breed: breed)
    }
}
