package import AppLanguage
import LocalProvider
import TextEscaping

extension TodoError {
    /// What failed, and what to do about it, in the languages of the screens.
    package var text: LocalizedText { LocalizedText(description, ko: korean) }

    private var korean: String {
        switch self {
        case .emptyTitle: "제목이 비어 있습니다. 할 일을 적어 주세요"
        case .tooLong(let field, let limit):
            "\(Self.korean(field).with(.topic)) 최대 \(limit)자입니다. 줄이거나 나머지를 메모에 적어 주세요"
        case .controlCharacter(let field, let scalar, let line, let column):
            "\(Self.korean(field))의 \(line > 1 ? "\(line)번째 줄 " : "")\(column)번째 글자에 제어 문자 "
                + "U+\(Hexadecimal.string(of: scalar.value, digits: 4, uppercase: true).with(.subject)) 있습니다. 지우고 다시 해 주세요"
        case .notOneWord(let field, let text):
            "\(Self.korean(field)) \(text.quoted())에 빈칸이 있습니다. 한 단어로 적어 주세요"
        case .tooMany(let field, let limit): "할 일 하나의 \(Self.korean(field).with(.topic)) 최대 \(limit)개입니다. 몇 개를 지워 주세요"
        case .signInName(let field, let text):
            "\(Self.korean(field)) \(text.quoted().with(.topic)) 프로젝트, 상황, 태그의 기호인 +, @, #로 시작할 수 없습니다. 이름만 적어 주세요"
        case .noDueDay: "t:-2d와 같은 숨김 기한은 마감일부터 셉니다. due:에 날짜를 적어 주세요"
        case .parentCycle(let id):
            "할 일 \(id.with(.topic)) 자기 자신의 하위 작업이 될 수 없습니다. "
                + "다른 \(Self.korean("parent").with(.object)) 고르세요"
        case .dependencyCycle(let path):
            "할 일은 자기 자신을 기다릴 수 없습니다: \(path.map(\.description).joined(separator: " → ")). 이 중 하나의 \(Self.korean("dependencies").with(.object)) 지워 주세요"
        case .inBatch(let index, let error): "\(index + 1)번째 변경: \(error.text.korean). 아무것도 바뀌지 않았습니다"
        case .nestedBatch: "일괄 변경 안에 다른 일괄 변경을 넣을 수 없습니다"
        case .unknownRule(let id, let rule):
            "할 일 \(id)의 반복 규칙 \(rule.quoted().with(.topic)) 다음 할 일을 계산할 수 없습니다. rec:1w로 바꾸거나 rec:none으로 지워 주세요"
        case .notFound(let name): "할 일 \(name.quoted().with(.subject)) 없습니다"
        case .ambiguous(let name, let candidates):
            "\(name.quoted())에 맞는 할 일이 여럿입니다: \(candidates.map(\.description).joined(separator: ", ")). 한 글자 더 적어 주세요"
        case .nothingToUndo: "실행 취소할 것이 없습니다"
        case .nothingToRedo: "다시 실행할 것이 없습니다"
        case .changedByOther(let summary, let process):
            "\(TodoStepText.text(summary).korean): 실행 중인 \(process.escapingControls())의 변경입니다. 거기에서 실행 취소하거나 --force를 붙이세요"
        case .laterChange(let summary, let later):
            "\(TodoStepText.text(summary).korean) 다음에 다른 변경이 있습니다: \(TodoStepText.text(later).korean)"
        case .changedSince(let summary):
            "\(TodoStepText.text(summary).korean): 그 뒤에 할 일이 또 바뀌어 되돌릴 수 없습니다. 편집해 주세요"
        case .stepIsGone(let summary): "\(TodoStepText.text(summary).korean): 이미 되돌렸거나 너무 오래되어 되돌릴 수 없습니다"
        case .changedElsewhere(let fields):
            "\(fields.map(Self.korean).joined(separator: ", ").with(.object)) 다른 프로세스가 바꾸었습니다. 저장하기 전에 확인해 주세요"
        case .noVersion(let id, let number): "할 일 \(id)의 기록에 변경 \(number.with(.subject)) 없습니다"
        case .noView(let name): "보기 \(name.quoted().with(.subject)) 없습니다"
        case .noQuery(let name): "저장된 검색 \(name.quoted().with(.subject)) 없습니다"
        case .refused(let hook, let reason):
            "\(reason.isEmpty ? "이유 없음" : reason.escapingControls(limit: 500)) (\(hook.quoted()) 훅이 거부했습니다. 아무것도 바뀌지 않았습니다)"
        case .hookFailed(let hook, let failure):
            "\(hook.quoted()) 훅: \(Self.korean(failure)). 아무것도 바뀌지 않았습니다. 훅을 고치거나 실행 권한을 빼 주세요"
        case .storage(let error): "저장소 오류: \(error.description)"
        }
    }

    private static func korean(_ failure: TodoHookFailure) -> String {
        switch failure {
        case .notStarted: "시작할 수 없습니다"
        case .timeLimit(let seconds): "\(seconds)초 안에 끝나지 않았습니다"
        case .outputLimit(let bytes): "출력이 \(bytes)바이트를 넘습니다"
        case .lineCount(let expected, let found): "\(expected)줄을 읽고 \(found)줄을 썼습니다"
        case .invalidLine(let number, let message):
            "\(number)번째 줄이 그 할 일이 아닙니다(\(message.escapingControls(limit: 200)))"
        }
    }

    private static func korean(_ field: String) -> String { TodoFieldText.name(field).korean }
}

/// The names of a todo's fields, as people read them.
package enum TodoFieldText {
    /// Returns the name of a field of ``TodoDifference`` or of an error; the name itself for an unknown one.
    package static func name(_ field: String) -> LocalizedText {
        switch field {
        case "line": LocalizedText("line", ko: "입력한 줄")
        case "name of the query": LocalizedText(field, ko: "보기 이름")
        case "title": LocalizedText("title", ko: "제목")
        case "priority": LocalizedText("priority", ko: "우선순위")
        case "project", "projects": LocalizedText(field, ko: "프로젝트")
        case "context", "contexts": LocalizedText(field, ko: "상황")
        case "tag", "tags": LocalizedText(field, ko: "태그")
        case "due": LocalizedText("due", ko: "마감일")
        case "threshold": LocalizedText("hidden until", ko: "숨김 기한")
        case "recurrence": LocalizedText("repeats", ko: "반복")
        case "parent": LocalizedText("part of", ko: "상위 할 일")
        case "dependencies": LocalizedText("after", ko: "먼저 할 일")
        case "note": LocalizedText("note", ko: "메모")
        case "started": LocalizedText("in progress since", ko: "시작")
        case "spent": LocalizedText("time spent", ko: "걸린 시간")
        case "done": LocalizedText("done", ko: "완료")
        case "archived": LocalizedText("archived", ko: "보관됨")
        default: LocalizedText(verbatim: field)
        }
    }
}

/// The summaries of changes, as people read them.
package enum TodoStepText {
    private static let verbs: [(english: String, korean: String)] = [
        ("add", "추가"), ("edit", "편집"), ("complete", "완료"), ("reopen", "다시 열기"), ("remove", "삭제"),
        ("archive", "보관"), ("restore", "복원"), ("import", "가져오기"), ("undo", "실행 취소"),
        ("start", "시작"), ("stop", "중지"), ("batch of", "일괄 변경"), ("sync: remove", "동기화로 삭제"), ("sync", "동기화"),
    ]
    private static let removedList = "the list "

    /// Returns a summary such as `add "Buy milk"` or `remove 3 todos` in the languages of the screens.
    package static func text(_ summary: String) -> LocalizedText {
        let english = summary.escapingControls()
        guard let verb = verbs.first(where: { english.hasPrefix($0.english + " ") }) else {
            return LocalizedText(verbatim: english)
        }
        let rest = english.dropFirst(verb.english.count + 1)
        let count = rest.prefix { $0.isNumber }
        let object: String
        if !count.isEmpty, rest.dropFirst(count.count).hasPrefix(" todo") {
            object = "할 일 \(count)개"
        } else if !count.isEmpty, rest.dropFirst(count.count).hasPrefix(" change") {
            object = "변경 \(count)개"
        } else if rest.hasPrefix(removedList),
            // A title is in quotation marks, and a name of a list can have the word, too.
            let end = rest.hasSuffix("\"") ? rest.ranges(of: " of \"").first : rest.ranges(of: " of ").last
        {
            object = rest[..<end.lowerBound].dropFirst(removedList.count) + " 목록"
        } else if verb.english == "undo" {
            object = text(String(rest)).korean
        } else {
            object = String(rest)
        }
        return LocalizedText(english, ko: "\(object) \(verb.korean)")
    }
}

extension DateError {
    /// What is wrong, and what would be right, in the languages of the screens.
    package var text: LocalizedText { LocalizedText(description, ko: korean) }

    private var korean: String {
        switch self {
        case .unknown(let text, let nearest):
            "\(text.quoted().with(.topic)) 날짜가 아닙니다. "
                + (nearest.map { "\($0.quoted())입니까?" } ?? "2026-03-09, 오늘, 내일, 금요일, 3일 뒤처럼 적어 주세요")
        case .impossible(let text, _): "\(text.quoted().with(.topic)) 달력에 없는 날짜입니다"
        case .noTime(let text): "\(text.quoted().with(.topic)) 시각이 아닙니다. 15:00, 오후 3시처럼 적어 주세요"
        case .otherWeekday(let text, let day):
            "\(text.quoted().with(.topic)) 날짜가 아닙니다. "
                + "\("\(day)".with(.topic)) \(KoreanDate.weekdays[day.weekday])요일입니다"
        case .ambiguous(let text): "\(text.quoted().with(.topic)) 두 가지로 읽힙니다. 2026-03-09처럼 연도부터 적어 주세요"
        case .trailing(let text, let date):
            "\(text.quoted().with(.topic)) \(date.quoted()) 날짜의 일부로 읽을 수 없습니다. "
                + "날짜는 하나만 적고 다른 말은 그 앞에 적어 주세요"
        }
    }
}
