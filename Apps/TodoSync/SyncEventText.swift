package import AppLanguage

extension SyncEvent {
    /// The action in words.
    package func text(_ language: AppLanguage) -> String { localized(language) }

    private var localized: LocalizedText {
        switch action {
        case .added: LocalizedText("\(title): added from the server", ko: "\(title): 서버에서 추가했습니다")
        case .changed: LocalizedText("\(title): changed as on the server", ko: "\(title): 서버의 변경을 반영했습니다")
        case .removed: LocalizedText("\(title): deleted on the server", ko: "\(title): 서버에서 삭제되었습니다")
        case .sentNew: LocalizedText("\(title): added on the server", ko: "\(title): 서버에 추가했습니다")
        case .sentChange: LocalizedText("\(title): changed on the server", ko: "\(title): 서버에 변경을 보냈습니다")
        case .sentRemoval: LocalizedText("\(title): removed from the server", ko: "\(title): 서버에서 지웠습니다")
        case .conflict(let fields, true):
            LocalizedText(
                "\(title): the server's \(names(fields, .english)) was taken; undo brings yours back",
                ko: "\(title): 서버의 \(names(fields, .korean)) 값을 썼습니다. 실행 취소로 되돌릴 수 있습니다"
            )
        case .conflict(let fields, false):
            LocalizedText(
                "\(title): your \(names(fields, .english)) stays; undo brings the server's back",
                ko: "\(title): 이 기기의 \(names(fields, .korean)) 값을 남겼습니다. 실행 취소로 서버의 값을 볼 수 있습니다"
            )
        case .restored:
            LocalizedText(
                "\(title): deleted on one side and changed on the other; it stays",
                ko: "\(title): 한쪽에서 삭제되고 다른 쪽에서 변경되어 남겨 두었습니다"
            )
        case .problem(let problem): LocalizedText("\(title): \(problem)", ko: "\(title): \(problem)")
        }
    }

    private func names(_ fields: [String], _ language: AppLanguage) -> String {
        fields.compactMap { SyncField(rawValue: $0)?.name(language) }.joined(separator: ", ")
    }
}

extension SyncField {
    /// The name of the field.
    func name(_ language: AppLanguage) -> String {
        let name: LocalizedText =
            switch self {
            case .title: LocalizedText("title", ko: "제목")
            case .note: LocalizedText("note", ko: "메모")
            case .priority: LocalizedText("priority", ko: "우선순위")
            case .projects: LocalizedText("projects", ko: "프로젝트")
            case .contexts: LocalizedText("contexts", ko: "상황")
            case .tags: LocalizedText("tags", ko: "태그")
            case .due: LocalizedText("due date", ko: "마감일")
            case .threshold: LocalizedText("start", ko: "시작일")
            case .recurrence, .rule: LocalizedText("repetition", ko: "반복")
            case .done: LocalizedText("state", ko: "상태")
            }
        return name(language)
    }
}
