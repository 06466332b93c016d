import Foundation
import LocalProvider
import TestSupport

/// The time to write and read property lists, compared with Foundation's coders.
struct LocalCodecBenchmark: Benchmark {
    let area = "local"
    let summary = "property lists of 10,000 small structures against Foundation's coders"

    private struct Item: Codable, Sendable {
        var name: String
        var age: Int
        var score: Double
        var isGood: Bool
        var tags: [String]

        init(number: Int) {
            (name, age, isGood) = ("item \(number)", number % 90, number % 2 == 0)
            score = Double(number) / 7
            tags = ["a", "b\(number)"]
        }
    }

    func run() async throws -> [BenchmarkRow] {
        let folder = try TemporaryDirectory("local")
        let items = (0..<10_000).map(Item.init(number:))
        return try PropertyListFormat.allCases.flatMap { format in
            var options = PropertyListStore.Options()
            options.format = format
            options.durability = .written
            let location = FileStoreLocation(directory: folder.file("\(format)"))
            return try rows(PropertyListStore(location: location, options: options), format, items)
        }
    }

    private func rows(_ store: PropertyListStore, _ format: PropertyListFormat, _ items: [Item]) throws
        -> [BenchmarkRow]
    {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format == .binary ? .binary : .xml
        let data = try encoder.encode(items)
        let name = try LocalIdentifier("items")
        var items = items
        let timings = try interleaved(
            rounds: 5,
            [
                {
                    // An unchanged value would not be written.
                    items[0].age += 1
                    try store.set(items, for: name, rule: .set, durability: .written)
                },
                { blackHole(try encoder.encode(items)) },
                { blackHole(try store.value(for: name, as: [Item].self)) },
                { blackHole(try PropertyListDecoder().decode([Item].self, from: data)) },
            ]
        )
        func compare(_ what: String, _ ours: Timing, _ theirs: Timing) -> BenchmarkRow {
            let (mine, other) = (Double(data.count) / ours.cpu / 1e6, Double(data.count) / theirs.cpu / 1e6)
            let name = "\(what) 10,000 structures, \(format) property list"
            let alone = "Foundation's coder alone, without file and checksum: \(other.brief) MB/s"
            return row(name, mine / other, "x", atLeast: 3, against: "\(alone); here \(mine.brief)")
        }
        return [compare("set", timings[0], timings[1]), compare("read", timings[2], timings[3])]
    }
}
