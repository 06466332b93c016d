/// The projects, contexts and labels in use, each list with the most frequent first.
public struct TodoNames: Hashable, Sendable {
    /// The projects without their sign.
    public let projects: [String]
    /// The contexts without their sign.
    public let contexts: [String]
    /// The labels without their sign.
    public let tags: [String]

    /// Creates lists of names.
    public init(projects: [String] = [], contexts: [String] = [], tags: [String] = []) {
        (self.projects, self.contexts, self.tags) = (projects, contexts, tags)
    }

    struct Counter {
        private var projects: [String: Int] = [:]
        private var contexts: [String: Int] = [:]
        private var tags: [String: Int] = [:]

        mutating func add(_ todo: Todo) {
            for name in todo.projects { projects[name, default: 0] += 1 }
            for name in todo.contexts { contexts[name, default: 0] += 1 }
            for name in todo.tags { tags[name, default: 0] += 1 }
        }

        var names: TodoNames {
            func sorted(_ counts: [String: Int]) -> [String] {
                counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
            }
            return TodoNames(projects: sorted(projects), contexts: sorted(contexts), tags: sorted(tags))
        }
    }

    /// Returns the names that complete a word with a sign, such as `+ho`, with the sign. A complete name is not one of them.
    public func completions(of word: some StringProtocol) -> [String] {
        guard let sign = word.first else { return [] }
        let start = word.dropFirst().lowercased()
        let names =
            switch sign {
            case "+": projects
            case "@": contexts
            case "#": tags
            default: [String]()
            }
        return names.filter { $0.lowercased().hasPrefix(start) && $0.lowercased() != start }.map { "\(sign)\($0)" }
    }
}
