import RIBs
import TodoCore

/// What the editor tells its parent.
@MainActor
protocol TodoEditorListener: AnyObject {
    /// The user is content; the change may be empty.
    func todoEditorDidSave(_ change: TodoChange, to id: TodoID)

    /// The user goes back without a change.
    func todoEditorDidCancel()
}

/// What the editor's interactor asks of what shows it.
@MainActor
protocol TodoEditorPresentable: Presentable {
    /// Who is told of what the user does.
    var listener: (any TodoEditorPresentableListener)? { get set }

    /// Fills the fields.
    func show(_ fields: TodoEditorFields)

    /// Says what is wrong with the fields; `nil` where nothing is.
    func show(problem: String?)
}

/// What a user can do with the editor.
@MainActor
protocol TodoEditorPresentableListener: AnyObject {
    /// A field was changed.
    func didChange(_ fields: TodoEditorFields)

    /// The change is to be kept.
    func didChooseSave(_ fields: TodoEditorFields)

    /// The editor is to be closed without a change.
    func didChooseCancel()
}

/// What the editor needs of its parent.
@MainActor
protocol TodoEditorDependency: Dependency {
    /// Tells which day it is.
    var today: @Sendable () -> Day { get }
    /// How things look.
    var appearance: Appearance { get }
}
