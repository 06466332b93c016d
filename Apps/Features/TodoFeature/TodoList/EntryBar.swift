import AppLanguage
import NeedleKit
import TerminalUI
import TodoCore

/// The field for new todos and, below it, a preview of what its line means. Its keys are those of the list, wherever it is.
@MainActor
final class EntryBar: View {
    weak var owner: ViewController?
    let field: TextField

    private let preview = EntryPreview()

    override var next: Responder? { owner?.viewIfLoaded ?? super.next }

    init(_ field: TextField) {
        self.field = field
        super.init()
        for child in [field, preview] as [View] { addSubview(child) }
        field.layoutNode.collapsesWhenHidden = true
        field.ndl.makeConstraints { make in
            make.top.horizontal.equalTo(self)
            make.height.equalTo(1)
        }
        preview.ndl.makeConstraints { make in
            make.top.equalTo(field.ndl.bottom)
            make.bottom.horizontal.equalTo(self)
        }
    }

    /// Shows what the typed line means, where there is room; a problem is shown in any case.
    func updatePreview(_ model: TodoListModel?, _ language: AppLanguage, hasRoom: Bool) {
        guard let model, field.isFirstResponder, !field.text.isBlank else {
            preview.isHidden = true
            return
        }
        let hasProblem = preview.show(
            field.text,
            isCompleting: field.isCompleting,
            today: model.today,
            language: language,
            dates: model.dates,
            snapshot: model.snapshot
        )
        preview.isHidden = preview.parts.isEmpty || !hasRoom && !hasProblem
    }
}
