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
        case .joined:
            LocalizedText(
                "\(title): it was in several lists on the server; it is in \(list) now, and undo brings other values back",
                ko: "\(title): 서버의 여러 목록에 있어 \(list) 목록에 합쳤습니다. 다른 값은 실행 취소로 되돌릴 수 있습니다"
            )
        case .problem(let problem): LocalizedText("\(title): \(problem)", ko: "\(title): \(Self.korean(problem))")
        }
    }

    /// Returns a problem in Korean. The log has it in English.
    private static func korean(_ problem: String) -> String {
        let texts = [
            "the server changes it all the time; the next sync tries again": "서버에서 계속 바뀝니다. 다음 동기화에서 다시 시도합니다",
            "it is no todo on the server any more": "서버에서 더 이상 할 일이 아닙니다",
            "the server's version cannot be read; yours waits": "서버의 내용을 읽을 수 없어 이 기기의 변경을 보관합니다",
            "UID is missing": "서버의 내용을 읽을 수 없습니다: UID가 없습니다",
            "BEGIN:VCALENDAR is missing": "서버의 내용을 읽을 수 없습니다: BEGIN:VCALENDAR가 없습니다",
            "another object of the list has its UID; delete one of the two":
                "목록에 UID가 같은 것이 또 있습니다. 둘 가운데 하나를 지우세요",
            "its text cannot be changed": "내용을 바꿀 수 없습니다",
            "the server has its UID in another list; delete one of the two":
                "서버의 다른 목록에 UID가 같은 것이 있습니다. 둘 가운데 하나를 지우세요",
            "the list is not on the server any more": "목록이 서버에 더 이상 없습니다",
            "the list is not on the server any more; its todos stay here as a local list":
                "목록이 서버에 더 이상 없습니다. 할 일은 이 컴퓨터의 목록으로 남습니다",
            "the server has no space left; delete something there": "서버에 남은 공간이 없습니다. 서버에서 무언가를 지우세요",
            "the server allows no changes of this list": "서버가 이 목록을 바꾸지 못하게 합니다",
        ]
        let patterns: [(before: String, after: String, ko: (String) -> String)] = [
            ("the server rejects it with status ", "", { "서버가 거절했습니다: \($0)" }),
            ("line ", "", { "서버의 내용을 읽을 수 없습니다: line \($0)" }),
            ("it has the UID of ", "; delete one of the two", { "\($0.with(.and)) UID가 같습니다. 둘 가운데 하나를 지우세요" }),
            (
                "the list ", " cannot be changed; what you changed is in the history",
                { "\($0) 목록은 바꿀 수 없습니다. 바꾼 내용은 기록에 있습니다" }
            ),
        ]
        for (before, after, ko) in patterns where problem.hasPrefix(before) && problem.hasSuffix(after) {
            return ko(String(problem.dropFirst(before.count).dropLast(after.count)))
        }
        return texts[problem] ?? problem
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
