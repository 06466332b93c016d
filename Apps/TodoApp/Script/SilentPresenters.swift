/// Stands where a screen would: scripts call the actions and print what these return.
@MainActor
final class SilentTodoListPresenter: TodoListPresentable {
    weak var listener: (any TodoListPresentableListener)?

    func show(_ model: TodoListModel) {}

    func clearEntry() {}

    func restoreEntry(_ line: String) {}
}

/// Stands where a screen would: scripts call the actions and print what these return.
@MainActor
final class SilentPicturePresenter: PicturePresentable {
    weak var listener: (any PicturePresentableListener)?

    func show(_ model: PictureModel) {}
}
