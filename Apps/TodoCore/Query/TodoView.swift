package import AppLanguage

/// A list with a name, to which people return: a query with an order and headings.
public struct TodoView: Hashable, Sendable {
    /// The name, as `todo view` takes it.
    public let name: String
    /// The query.
    public let query: String
    /// The order; `nil` for the display order.
    public let sort: TodoSort?
    /// The headings; `nil` for a list without headings.
    public let grouping: TodoGrouping?
    /// The name, as people read it.
    package let title: LocalizedText

    /// The views that every store has:
    ///
    /// - `today`: due until today, and in progress, by time;
    /// - `next`: due in the next seven days, by day;
    /// - `review`: not changed for 30 days, the oldest change first.
    public static let builtIn: [TodoView] = [
        TodoView(
            name: "today",
            query: "due<=today or is:active",
            sort: TodoSort([TodoSort.Key(.due)]),
            grouping: nil,
            title: LocalizedText("Today", ko: "오늘")
        ),
        TodoView(
            name: "next",
            query: "due:today..6d",
            sort: TodoSort([TodoSort.Key(.due)]),
            grouping: .due,
            title: LocalizedText("Next seven days", ko: "다음 7일")
        ),
        TodoView(
            name: "review",
            query: "modified<=-30d",
            sort: TodoSort([TodoSort.Key(.modified)]),
            grouping: nil,
            title: LocalizedText("Review", ko: "검토")
        ),
    ]

    /// Creates the view of a saved query.
    public init(name: String, query: String) {
        self.init(name: name, query: query, sort: nil, grouping: nil, title: LocalizedText(verbatim: name))
    }

    private init(name: String, query: String, sort: TodoSort?, grouping: TodoGrouping?, title: LocalizedText) {
        (self.name, self.query, self.sort, self.grouping, self.title) = (name, query, sort, grouping, title)
    }
}

extension TodoStoring {
    /// Returns all views: the built-in ones, then the saved queries by name. A saved query with the name of a built-in view
    /// takes its place.
    public func views() async throws(TodoError) -> [TodoView] {
        let saved = try await savedQueries()
        let own = saved.sorted { $0.key < $1.key }.map { TodoView(name: $0.key, query: $0.value) }
        return TodoView.builtIn.filter { saved[$0.name] == nil } + own
    }

    /// Returns the view with a name.
    ///
    /// - Throws: ``TodoError/noView(name:)`` if there is none.
    public func view(_ name: String) async throws(TodoError) -> TodoView {
        guard let view = try await views().first(where: { $0.name == name }) else { throw .noView(name: name) }
        return view
    }

    /// Returns the saved query that every list obeys; `nil` without one, and if it was removed.
    package func contextView() async throws(TodoError) -> TodoView? {
        guard let name = try await context() else { return nil }
        return try await savedQueries()[name].map { TodoView(name: name, query: $0) }
    }
}

extension TodoSnapshot {
    /// Returns the todos that match a query, outside the caller's actor.
    package func restricted(to query: TodoQuery, order: TodoOrder) async -> TodoSnapshot {
        let filter = TodoFilter(status: .all, query: query, includesArchived: true, today: nil)
        return TodoSnapshot(matching(filter), order: order)
    }

    /// Returns the number of todos that pass each filter, outside the caller's actor.
    package func counts(_ filters: [TodoFilter]) async -> [Int] { filters.map { matches($0)?.count { $0 } ?? 0 } }
}

extension TodoQuery {
    /// Whether every todo must match both queries.
    package func and(_ other: TodoQuery) -> TodoQuery {
        isEmpty ? other : other.isEmpty ? self : TodoQuery(root: .all([root, other.root]))
    }
}

extension TodoChange {
    /// Adds the projects, contexts and labels that a query demands, such as `+work` of the context `+work not @home`.
    package mutating func addLabels(ofContext query: String) {
        for word in TodoQueryParser.requiredWords(of: query)
        where word.count > 1 && word.last != "*" && !word.contains(where: \.isWhitespace) {
            switch word.first {
            case "+": addedProjects.append(word)
            case "@": addedContexts.append(word)
            case "#": addedTags.append(word)
            default: break
            }
        }
    }
}
