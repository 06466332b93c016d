import AppLanguage
import AppUI
package import TerminalUI

/// The actions of the todo list and their default keys.
enum TodoAction: String, ScreenAction {
    case new, toggle, edit, remove, undo, find, open, inline, mark, markAll, sort, order, group, calendar, redo
    case showDone, archive, work, indent, outdent, fold, unfold, scopes, scope, template
    case reveal, down, up, top, bottom, showAll

    /// The action for the key map.
    var keyAction: KeyAction {
        let (text, keys) = textAndKeys
        return KeyAction("todos.\(rawValue)", text, keys, isRare: isRare)
    }

    private var textAndKeys: (LocalizedText, [Key]) {
        switch self {
        case .new: (LocalizedText("new", ko: "새 할 일"), [.character("n")])
        case .toggle: (LocalizedText("done", ko: "완료"), [.character(" ")])
        case .edit: (LocalizedText("edit", ko: "편집"), [.character("e")])
        case .remove: (LocalizedText("delete", ko: "삭제"), [.character("d"), Key(.delete)])
        case .undo: (LocalizedText("undo", ko: "실행 취소"), [.character("u")])
        case .find: (LocalizedText("find", ko: "찾기"), [.character("/")])
        case .open: (LocalizedText("details", ko: "자세히"), [Key(.enter)])
        case .inline: (LocalizedText("edit the line", ko: "줄 편집"), [.character("i")])
        case .mark: (LocalizedText("select", ko: "선택"), [.character("x")])
        case .markAll: (LocalizedText("select all", ko: "모두 선택"), [.character("X")])
        case .calendar: (LocalizedText("calendar", ko: "달력"), [.character("t")])
        case .redo: (LocalizedText("redo", ko: "다시 실행"), [.character("r")])
        case .showDone: (LocalizedText("show completed", ko: "완료한 일 보기"), [.character("c")])
        case .archive: (LocalizedText("archive", ko: "보관"), [.character("a")])
        case .work: (TodoDetailText.work, [.character("W")])
        case .indent: (LocalizedText("make a subtask", ko: "하위 작업으로"), [.character(">")])
        case .outdent: (LocalizedText("one level up", ko: "한 단계 위로"), [.character("<")])
        case .sort: (LocalizedText("sort", ko: "정렬"), [.character("s")])
        case .order: (LocalizedText("by urgency, date or priority", ko: "급한 순·날짜·우선순위 순서로"), [.character("O")])
        case .group: (LocalizedText("group", ko: "묶기"), [.character("b")])
        case .fold: (LocalizedText("fold the subtasks", ko: "하위 작업 접기"), [Key(.left)])
        case .unfold: (LocalizedText("unfold", ko: "펼치기"), [Key(.right)])
        case .scopes: (LocalizedText("lists and views", ko: "목록과 보기"), [.character("L")])
        case .template: (TodoListText.addTemplate, [.character("T")])
        case .scope: (LocalizedText("all todos; 1 to 9: a list or view", ko: "모든 할 일, 1~9: 목록이나 보기"), TodoScope.keys)
        case .reveal: (LocalizedText("show the new todo", ko: "새 할 일 보기"), [.character("w")])
        case .down: (LocalizedText("down", ko: "아래로"), [.character("j")])
        case .up: (LocalizedText("up", ko: "위로"), [.character("k")])
        case .top: (LocalizedText("first", ko: "처음"), [.character("g")])
        case .bottom: (LocalizedText("last", ko: "마지막"), [.character("G")])
        case .showAll: (LocalizedText("all", ko: "모두"), [Key(.escape)])
        }
    }

    private var isRare: Bool { ![.new, .toggle, .edit, .remove, .undo, .find, .open].contains(self) }
}

/// The actions of the details and their default keys.
enum TodoDetailAction: String, ScreenAction {
    case toggle, edit, text, use, work, close

    var keyAction: KeyAction {
        let (text, key) =
            switch self {
            case .toggle: (TodoDetailText.tick, Key.character(" "))
            case .edit: (TodoEditorText.editHint, .character("e"))
            case .text: (TodoDetailText.text, .character("E"))
            case .use: (TodoDetailText.use, Key(.enter))
            case .work: (TodoDetailText.work, .character("W"))
            case .close: (TodoListText.backToList, Key(.escape))
            }
        // On a narrow screen the hint of the key that closes the details has its room.
        return KeyAction("detail.\(rawValue)", text, [key], isRare: self == .text || self == .work)
    }
}

/// The actions of the calendar and their default keys.
enum TodoCalendarAction: String, ScreenAction {
    case list, before, after, today, close

    var keyAction: KeyAction {
        let (text, key) =
            switch self {
            case .list: (TodoCalendarText.list, Key(.enter))
            case .before: (TodoCalendarText.before, Key(.pageUp))
            case .after: (TodoCalendarText.after, Key(.pageDown))
            case .today: (TodoCalendarText.today, Key.character("t"))
            case .close: (TodoListText.backToList, Key(.escape))
            }
        return KeyAction("calendar.\(rawValue)", text, [key], isRare: ![.list, .close].contains(self))
    }
}

/// The actions of the editor and their default keys, which type no text.
enum TodoEditorAction: String, ScreenAction {
    case save, cancel

    var keyAction: KeyAction {
        switch self {
        case .save: KeyAction("editor.save", TodoEditorText.saveHint, [.control("s")])
        case .cancel: KeyAction("editor.cancel", TodoListText.backToList, [Key(.escape)])
        }
    }
}

extension KeyMap {
    /// Returns the screens of the todos, with the actions of what is around the list, for the file of the keys.
    package static func todoScreens(around actions: [KeyAction]) -> [Screen] {
        [
            Screen(LocalizedText("the list", ko: "목록"), actions + TodoAction.allCases.map(\.keyAction)),
            // The details beside the list leave the keys of what is around them to it.
            Screen(TodoDetailText.screen, actions + TodoDetailAction.allCases.map(\.keyAction)),
            Screen(TodoCalendarText.screen, TodoCalendarAction.allCases.map(\.keyAction)),
            Screen(TodoEditorText.screen, TodoEditorAction.allCases.map(\.keyAction), isForText: true),
        ]
    }
}
