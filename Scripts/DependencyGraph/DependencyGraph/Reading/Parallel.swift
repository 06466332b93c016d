import Threading

/// Runs work on all processors.
enum Parallel {
    /// Returns the results of `transform` for all elements, in their order.
    static func map<Element: Sendable, Result: Sendable>(
        _ elements: [Element],
        _ transform: @escaping @Sendable (Element) -> Result
    ) -> [Result] {
        let next = Locked(0)
        let results = Locked([(index: Int, result: Result)]())
        let work: @Sendable () -> Void = {
            var own: [(index: Int, result: Result)] = []
            while true {
                let index = next.withLock { value in
                    defer { value += 1 }
                    return value
                }
                guard elements.indices.contains(index) else { break }
                own.append((index, transform(elements[index])))
            }
            results.withLock { [own] all in all += own }
        }
        let count = min(Subprocess.processors, elements.count) - 1
        // Without a second thread this one does all the work.
        let threads = (0..<max(count, 0)).compactMap { _ in try? SystemThread(work) }
        work()
        for thread in threads { thread.join() }
        return results.withLock { all in all.sorted { $0.index < $1.index }.map(\.result) }
    }
}
