package import AppLanguage
import AppUI
import TerminalUI
import TodoCore

/// The menu of the lists, and of the contexts.
@MainActor
struct TodoScopeMenu {
    private let scopes: [TodoScope]
    private let counts: [Int]
    private let model: TodoListModel
    private let language: AppLanguage
    private let listener: any TodoListPresentableListener

    init(
        _ scopes: [TodoScope],
        counts: [Int],
        model: TodoListModel,
        language: AppLanguage,
        listener: any TodoListPresentableListener
    ) {
        (self.scopes, self.counts, self.model) = (scopes, counts, model)
        (self.language, self.listener) = (language, listener)
    }

    /// Returns the menu; without a filter, it has no item to save one.
    func menu(on view: View, save: (() -> Void)?) -> Menu {
        var items: [Menu.Item] = []
        for (index, scope) in scopes.enumerated() {
            if case .list(nil) = scope { items.append(.line) }
            items.append(
                Menu.Item(
                    scope.title(language),
                    detail: counts.indices.contains(index) ? "\(counts[index])" : "",
                    color: scope.color,
                    key: TodoScope.key(at: index),
                    isMarked: scope.id == model.scope.id
                ) { [weak listener] in listener?.didChoose(scope) }
            )
        }
        items.append(.line)
        let contexts = contexts
        items.append(
            Menu.Item(
                TodoScopeText.context(language),
                detail: (model.context?.name ?? TodoDetailText.none(language)) + " ▸",
                isEnabled: contexts.items.count > 1
            ) { [weak view] in view?.open(contexts, at: GridPoint(x: 2, y: 0)) }
        )
        if let save { items.append(Menu.Item(TodoScopeText.save(language), action: save)) }
        return Menu(items, title: TodoScopeText.title(language), keyAliases: MovementKeys.letters)
    }

    /// The menu of the contexts: the saved queries.
    private var contexts: Menu {
        let items = ([nil] + scopes.map(\.contextName).filter { $0 != nil }).map { name -> Menu.Item in
            Menu.Item(name ?? TodoDetailText.none(language), isMarked: name == model.context?.name) {
                [weak listener] in listener?.didChooseContext(name)
            }
        }
        return Menu(items, title: TodoScopeText.context(language), keyAliases: MovementKeys.letters)
    }
}

/// The texts of the lists to which the user can switch.
package enum TodoScopeText {
    package static let title = LocalizedText("Lists and views", ko: "목록과 보기")
    static let all = LocalizedText("All todos", ko: "모든 할 일")
    static let noList = LocalizedText("Without a list", ko: "목록 없음")
    static let context = LocalizedText("Context", ko: "작업 범위")

    static func exists(_ name: String, _ query: String) -> LocalizedText {
        LocalizedText(
            "There is a view \"\(name)\" already, of \(query): choose another name.",
            ko: "보기 \"\(name)\"".with(.subject) + " 이미 있습니다(\(query)). 다른 이름을 고르세요."
        )
    }

    /// The label of the choices in the command palette.
    static let show = LocalizedText("show", ko: "보기")

    /// Returns a choice of the menu of the contexts, for the command palette.
    static func context(_ name: String?) -> LocalizedText {
        let (english, korean) = name.map { ($0, $0) } ?? (TodoDetailText.none.english, TodoDetailText.none.korean)
        return LocalizedText("context: \(english)", ko: "작업 범위: \(korean)")
    }

    static let save = LocalizedText("Save the filter as a view", ko: "찾기를 보기로 저장")
    static let name = LocalizedText("name, one word", ko: "이름 (한 단어)")
}
