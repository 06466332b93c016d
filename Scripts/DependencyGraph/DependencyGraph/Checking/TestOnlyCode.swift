/// Finds the products that contain code for tests only.
///
/// A target is for tests only if it is a test target, if it imports XCTest or Testing outside `#if`, or if the rules list it.
struct TestOnlyCode {
    let checker: GraphChecker

    /// Returns a finding for each target of a product that depends, directly or not, on a target for tests only. A product
    /// whose own targets are for tests only is made for the tests of others.
    func findings() -> [Finding] {
        let graph = checker.graph
        let testOnly = Set(graph.targets.filter(isTestOnly).map(\.name))
        guard !testOnly.isEmpty else { return [] }
        var found: [Finding] = []
        var seen: Set<String> = []
        for product in graph.products where product.kind == "library" || product.kind == "executable" {
            let roots = product.targets.filter { !testOnly.contains($0) }
            // A product with a target for tests, such as a library of fakes, or with such a name is itself for tests.
            guard roots.count == product.targets.count, !product.name.contains("Test") else { continue }
            for name in roots where seen.insert(name).inserted {
                guard let path = path(from: name, to: testOnly), let last = path.last, path.count > 1 else { continue }
                let imports = checker.index.sites(from: path[path.count - 2], to: last)
                let place = imports.first ?? checker.site(of: last, in: path[path.count - 2])
                found.append(
                    Finding(
                        .testOnly,
                        name,
                        last,
                        [place],
                        "the product \(product.name) contains \(last), which is for tests only: "
                            + "\(path.joined(separator: " -> ")); remove the dependency, or move the code out of \(last)"
                    )
                )
            }
        }
        return found
    }

    private func path(from name: String, to testOnly: Set<String>) -> [String]? {
        let reach = checker.graph.closure(of: [name]).intersection(testOnly)
        return reach.sorted().compactMap { checker.graph.shortestPath(from: name, to: $0) }.min { $0.count < $1.count }
    }

    private func isTestOnly(_ target: GraphTarget) -> Bool {
        if target.kind == .test || checker.rules.matches(checker.rules.testOnly, target, in: checker.graph) {
            return true
        }
        guard target.kind == .regular else { return false }
        return checker.index.sources[target.name]?.imports.contains { item in
            item.statement.condition == nil && ["XCTest", "Testing"].contains(item.statement.module)
        } ?? false
    }
}
