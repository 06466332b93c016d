package import AppLanguage
import AppUI
import RIBs
package import TerminalUI
import TodoCore

/// A list to which the user can switch.
enum TodoScope: Hashable, Sendable {
    case all
    case view(TodoView)
    /// The todos of a list; of none for `nil`.
    case list(TodoList?)

    /// The keys of the first ten scopes.
    static let keys = "0123456789".map { Key.character($0) }

    /// Returns the key of a scope by its place; `nil` after the tenth.
    static func key(at index: Int) -> Key? { keys.indices.contains(index) ? keys[index] : nil }

    /// Identifies the scope in a stored state.
    var id: String {
        switch self {
        case .all: "all"
        case .view(let view): "view:\(view.name)"
        case .list(let list): "list:\(list?.name ?? "")"
        }
    }

    /// The name, as people read it.
    var title: LocalizedText {
        switch self {
        case .all: TodoScopeText.all
        case .view(let view): view.title
        case .list(let list): list.map { LocalizedText(verbatim: $0.name) } ?? TodoScopeText.noList
        }
    }

    /// The colour of the list.
    var color: Color? {
        guard case .list(let list) = self, let text = list?.color, text.first == "#", text.count >= 7 else {
            return nil
        }
        return UInt32(text.dropFirst().prefix(6), radix: 16).map { .hex($0) }
    }

    /// The name of the saved query that can be a context; `nil` for a built-in view or a list.
    var contextName: String? {
        if case .view(let view) = self, !TodoView.builtIn.contains(view) { view.name } else { nil }
    }

    /// Returns the query that the todos match.
    func query(_ model: TodoListModel) -> TodoQuery {
        switch self {
        case .all: TodoQuery()
        case .view(let view):
            (try? TodoQuery(
                parsing: view.query,
                today: model.today,
                time: model.time,
                firstWeekday: model.dates.firstWeekday.number
            )) ?? TodoQuery(words: view.query)
        case .list(let list): TodoQuery().restricted(toList: list?.name)
        }
    }
}

/// A list or view of todos, for a menu outside of the list itself.
package struct TodoListEntry: Hashable, Sendable {
    /// Identifies it.
    package let id: String
    /// The name, as people read it.
    package let title: LocalizedText
    /// Whether it is a view or a saved query.
    package let isView: Bool
    /// The colour of the list; `nil` for none.
    package let color: Color?
    /// The number of open todos; `nil` before they have been read.
    package let count: Int?
    /// The key that switches to it on the list; `nil` for none.
    package let key: Key?

    fileprivate init(_ scope: TodoScope, count: Int?, key: Key?) {
        (id, title, color, self.count, self.key) = (scope.id, scope.title, scope.color, count, key)
        isView = if case .view = scope { true } else { false }
    }
}

/// Switching between lists, and the context.
extension TodoListInteractor {
    /// Returns the lists to which the user can switch: all todos, the views, and the lists.
    func scopes() async throws(TodoError) -> [TodoScope] {
        let views = try await store.views().map { TodoScope.view($0) }
        let lists: [TodoList]
        do throws(TodoListError) {
            lists = try await store.lists()
        } catch {
            if case .store(let error) = error { throw error }
            lists = []
        }
        return [.all] + views + (lists.isEmpty ? [] : [.list(nil)] + lists.map { .list($0) })
    }

    private func attempt(_ body: @escaping @MainActor (TodoListInteractor) async throws(TodoError) -> Void) {
        task { [weak self] in
            guard let self else { return }
            do throws(TodoError) {
                try await body(self)
            } catch {
                fail(error)
            }
        }
    }

    func didChooseScopes() {
        attempt { interactor throws(TodoError) in
            var isOffered = false
            defer { if !isOffered { interactor.presenter.withdrawOffer() } }
            let scopes = try await interactor.scopes()
            let counts = await interactor.counts(of: scopes)
            guard interactor.isActive else { return }
            isOffered = true
            interactor.presenter.offer(scopes, counts: counts)
        }
    }

    /// Returns the number of open todos of each scope; none before the todos have been read.
    private func counts(of scopes: [TodoScope]) async -> [Int] {
        let today = model.today
        return await snapshot?.counts(scopes.map { TodoFilter(query: query(of: $0), today: today) }) ?? []
    }

    /// Returns the views, the saved queries and the lists, with the numbers of their todos.
    func lists() async -> [TodoListEntry] {
        let scopes = (try? await scopes()) ?? []
        let counts = await counts(of: scopes)
        return scopes.indices.filter { scopes[$0] != .all }.map { index in
            TodoListEntry(
                scopes[index],
                count: counts.indices.contains(index) ? counts[index] : nil,
                key: TodoScope.key(at: index)
            )
        }
    }

    func didChooseScope(_ number: Int) {
        attempt { interactor throws(TodoError) in
            let scopes = try await interactor.scopes()
            if scopes.indices.contains(number) { interactor.didChoose(scopes[number]) }
        }
    }

    func didChoose(_ scope: TodoScope) {
        show(scope)
        presenter.showFilter("")
        searchAgain()
    }

    /// Sets the scope with its order and headings, without a search.
    func show(_ scope: TodoScope) {
        model.scope = scope
        model.request.sort = defaultSort
        model.request.grouping = nil
        if case .view(let view) = scope { (model.request.sort, model.request.grouping) = (view.sort, view.grouping) }
        setFilter("")
    }

    func didChooseContext(_ name: String?) {
        attempt { interactor throws(TodoError) in
            try await interactor.store.setContext(name)
            await interactor.reload()
        }
    }

    func didEnterViewName(_ name: String) {
        let query = model.filterText
        attempt { interactor throws(TodoError) in
            if let other = try await interactor.store.views().first(where: { $0.name == name && $0.query != query }) {
                return interactor.refuse(viewName: name, TodoScopeText.exists(other.name, other.query))
            }
            do throws(TodoError) {
                try await interactor.store.saveQuery(name, query)
            } catch {
                return interactor.refuse(viewName: name, error.text)
            }
            let view = try await interactor.store.views().first { $0.name == name }
            if let view { interactor.didChoose(.view(view)) }
        }
    }

    /// Asks for another name of a view. If the user is typing elsewhere, a notice says what is wrong.
    private func refuse(viewName name: String, _ problem: LocalizedText) {
        if !presenter.restore(viewName: name, problem: problem) { notice(.failure, problem) }
    }

    /// Returns the values of a new todo with what the list and the context demand.
    func scoped(_ values: TodoChange) -> TodoChange {
        var values = values
        if let context = model.context { values.addLabels(ofContext: context.query) }
        if case .list(let list?) = model.scope, !list.isReadOnly, values.list == nil { values.list = .set(list.name) }
        return values
    }

    /// The scope for a start after a kill; `nil` for all todos.
    var scopeToStore: String? { model.scope == .all ? nil : model.scope.id }

    /// Switches to the scope with an identifier, if it still exists.
    func showScope(id: String) {
        attempt { interactor throws(TodoError) in
            let scopes = try await interactor.scopes()
            if let scope = scopes.first(where: { $0.id == id }) { interactor.didChoose(scope) }
        }
    }
}
