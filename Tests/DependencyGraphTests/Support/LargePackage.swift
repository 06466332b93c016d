import Foundation
import TestSupport

/// A generated package with many targets in several folders, the same in each run.
enum LargePackage {
    /// Creates a package with about `count` targets: libraries in folders, one test for every third of them, two programs,
    /// and products of another package.
    static func make(_ count: Int) throws -> FixturePackage {
        var random: UInt64 = 12345
        func next(_ limit: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((random >> 33) % UInt64(limit))
        }
        let areas = ["Core", "Features", "Clients", "Server", "Tools"]
        let libraries = count * 3 / 4
        var lines: [String] = []
        var files: [String: String] = [:]
        func add(_ kind: String, _ name: String, _ path: String, _ dependencies: [String]) {
            let list = dependencies.joined(separator: ", ")
            lines.append(".\(kind)(name: \"\(name)\", dependencies: [\(list)], path: \"\(path)\"),")
            files["\(path)/\(name).swift"] = ""
        }
        for index in 0..<libraries {
            let area = areas[index * areas.count / libraries]
            var dependencies: Set<Int> = []
            for _ in 0..<min(index, 1 + next(4)) { dependencies.insert(max(0, index - 1 - next(min(index, 30)))) }
            var names = dependencies.sorted().map { "\"\(areas[$0 * areas.count / libraries])Module\($0)\"" }
            if index % 9 == 0 { names.append(".product(name: \"Far\(index % 4)\", package: \"far\")") }
            add("target", "\(area)Module\(index)", "Sources/\(area)/\(area)Module\(index)", names)
        }
        for index in stride(from: 0, to: libraries, by: 3) where lines.count < count - 2 {
            let name = "\(areas[index * areas.count / libraries])Module\(index)"
            add("testTarget", name + "Tests", "Tests/\(name)Tests", ["\"\(name)\""])
        }
        for index in 0..<2 {
            let last = "\(areas[areas.count - 1])Module\(libraries - 1 - index)"
            add("executableTarget", "program\(index)", "Programs/program\(index)", ["\"\(last)\""])
        }
        return try FixturePackage(
            targets: lines.joined(separator: "\n"),
            dependencies: ".package(url: \"https://far.invalid/far.git\", from: \"1.0.0\")",
            files: files
        )
    }
}
