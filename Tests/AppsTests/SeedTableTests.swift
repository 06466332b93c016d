import Foundation
import Testing

/// The table of Tests/SEEDS.md: which tests show the features of the seeds.
@Suite("The table of seed IDs")
struct SeedTableTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// The features of the five seeds: the letter of a seed, and the number of its features.
    private static let seeds = [("T", 11), ("S", 12), ("U", 10), ("Z", 13), ("R", 15)]

    private static let ids = seeds.flatMap { seed, count in (1...count).map { "\(seed)\($0)" } }

    /// A cell of the table: a file of tests, with the words of a name if the name has no ID.
    private struct Evidence {
        let file: String
        let words: String?
    }

    private func table() throws -> [String: [Evidence]] {
        let text = try String(contentsOf: Self.tests.appendingPathComponent("SEEDS.md"), encoding: .utf8)
        var rows: [String: [Evidence]] = [:]
        for match in text.matches(of: #/(?m)^\| ([TSUZR]\d+) \| (.+) \|$/#) {
            rows[String(match.1)] = match.2.matches(of: #/`([^`]+)`(?: \("([^"]+)"\))?/#).map {
                Evidence(file: String($0.1), words: $0.2.map(String.init))
            }
        }
        return rows
    }

    /// The names of the tests and suites in each file, by the path in the folder of the tests.
    private func names() throws -> [String: [String]] {
        var names: [String: [String]] = [:]
        let files = FileManager.default.enumerator(atPath: Self.tests.path)?.compactMap { $0 as? String } ?? []
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: Self.tests.appendingPathComponent(file), encoding: .utf8)
            names[file] = text.matches(of: #/@(?:Test|Suite)\(\s*"((?:[^"\\]|\\.)*)"/#).map { String($0.1) }
        }
        return names
    }

    /// The seed IDs in a name, such as `S2, S4: sign-up and login`.
    private static func ids(in name: String) -> [String] {
        name.matches(of: #/\b[TSUZR]\d{1,2}\b/#).map { String($0.0) }.filter(ids.contains)
    }

    @Test("Every feature of the seeds has a row, and every row a test that exists")
    func complete() throws {
        let (table, names) = (try table(), try names())
        #expect(names.count > 50)
        for id in Self.ids {
            guard let evidence = table[id], !evidence.isEmpty else {
                Issue.record("Tests/SEEDS.md has no test for \(id)")
                continue
            }
            for item in evidence {
                guard let found = names[item.file] else {
                    Issue.record("\(id): Tests/\(item.file) is missing")
                    continue
                }
                let isNamed = found.contains { name in
                    item.words.map { name.contains($0) } ?? Self.ids(in: name).contains(id)
                }
                #expect(isNamed, "\(id): no test in \(item.file) has \(item.words ?? "this ID") in its name")
            }
        }
        #expect(Set(table.keys).isSubset(of: Self.ids))
    }

    @Test("Every test whose name has a seed ID is in the table")
    func current() throws {
        let table = try table()
        for (file, names) in try names() {
            for id in Set(names.flatMap(Self.ids(in:))).sorted() {
                let isListed = table[id]?.contains { $0.file == file } ?? false
                #expect(isListed, "add `\(file)` to the row \(id) of Tests/SEEDS.md")
            }
        }
    }
}
