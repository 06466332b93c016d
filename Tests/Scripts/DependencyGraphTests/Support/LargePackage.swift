import Foundation
import TestSupport

/// A package with many targets. Its manifest makes them in a loop: the compiler takes seconds for hundreds of definitions.
struct LargePackage {
    private var rows: [String] = []
    private var files: [String: String] = [:]

    /// Adds a target of a kind, such as `testTarget`; a dependency is a target, or a product of another package in brackets.
    mutating func add(_ name: String, in folder: String, _ dependencies: [String], kind: String = "target") {
        rows.append("\(kind) \(name) \(folder)/\(name) \(dependencies.joined(separator: ","))")
        files["\(folder)/\(name)/\(name).swift"] = ""
    }

    /// Writes the package, with an empty file for each target or without files.
    func write(withFiles: Bool = true) throws -> FixturePackage {
        let targets = """
            ] + \"\"\"
            \(rows.joined(separator: "\n"))
            \"\"\".split(separator: "\\n").map { row -> Target in
                let parts = row.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
                let list: [Target.Dependency] = parts[3].split(separator: ",").map { name in
                    name.hasPrefix("[")
                        ? .product(name: String(name.dropFirst().dropLast()), package: "far") : .target(name: String(name))
                }
                switch parts[0] {
                case "testTarget": return .testTarget(name: parts[1], dependencies: list, path: parts[2])
                case "executableTarget": return .executableTarget(name: parts[1], dependencies: list, path: parts[2])
                default: return .target(name: parts[1], dependencies: list, path: parts[2])
                }
            } + [
            """
        return try FixturePackage(targets: targets, dependencies: FixturePackage.far, files: withFiles ? files : [:])
    }

    /// Creates a package with about `count` targets, the same in each run: libraries in folders, one test for every third of
    /// them, two programs, and products of another package.
    static func make(_ count: Int) throws -> FixturePackage {
        var random: UInt64 = 12345
        func next(_ limit: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((random >> 33) % UInt64(limit))
        }
        let areas = ["Core", "Features", "Clients", "Server", "Tools"]
        let libraries = count * 3 / 4
        func area(_ index: Int) -> String { areas[index * areas.count / libraries] }
        func name(_ index: Int) -> String { "\(area(index))Module\(index)" }
        var package = LargePackage()
        for index in 0..<libraries {
            var dependencies: Set<Int> = []
            for _ in 0..<min(index, 1 + next(4)) { dependencies.insert(max(0, index - 1 - next(min(index, 30)))) }
            let far = index % 9 == 0 ? ["[Far\(index % 4)]"] : []
            package.add(name(index), in: "Sources/\(area(index))", dependencies.sorted().map(name) + far)
        }
        for index in stride(from: 0, to: libraries, by: 3) where package.rows.count < count - 2 {
            package.add(name(index) + "Tests", in: "Tests", [name(index)], kind: "testTarget")
        }
        for index in 0..<2 {
            package.add("program\(index)", in: "Programs", [name(libraries - 1 - index)], kind: "executableTarget")
        }
        return try package.write()
    }
}
