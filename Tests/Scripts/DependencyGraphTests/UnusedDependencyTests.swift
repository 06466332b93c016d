import TestSupport
import Testing

@testable import DependencyGraph

@Suite("check: unused dependencies")
struct UnusedDependencyTests {
    /// Checks a package in which User declares Thing, and returns the findings.
    private func findings(thing: String, user: String, more: [String: String] = [:]) async throws -> String {
        let files = [
            "Sources/Thing/Thing.swift": thing, "Sources/User/User.swift": user, "Sources/Base/Base.swift": "",
        ]
        let package = try FixturePackage(
            targets: """
                .target(name: "Base"),
                .target(name: "Thing", dependencies: ["Base"]),
                .target(
                    name: "User",
                    dependencies: [
                        "Base",
                        "Thing",
                    ]
                ),
                """,
            files: files.merging(more) { $1 }
        )
        return await package.check().text
    }

    static let found = "Package.swift:14: unused: User declares Thing but does not import it: remove the dependency\n"

    @Test("A dependency that nothing uses is found, with its own line")
    func findsUnused() async throws {
        let text = try await findings(thing: "public struct Thing {}", user: "import Base\nlet thing = 1")
        #expect(text == Self.found)
    }

    static let used: [(thing: String, user: String, why: String)] = [
        ("public struct Thing {}", "#if os(Windows)\nimport Thing\n#endif\nlet a = 1", "imported on another platform"),
        (
            "import Base\nextension Values { public var thing: Int { 1 } }", "import Base\nlet a = key(\\.thing)",
            "a member that it adds to a type of another module"
        ),
        (
            "import Base\npublic struct T {}\nextension Base.Client: Base.Key { public static let live = 1 }",
            "import Base\nlet a = 1", "a conformance between types of other modules"
        ),
        (
            "import Base\npublic struct Thing { public var faceCount: Int { 1 } }", "import Base\nlet a = b.faceCount",
            "a member of one of its types, which an interface of another module returns"
        ),
        ("@_cdecl(\"thing\") public func thing() {}", "import Base\nlet a = 1", "a symbol that is linked by name"),
        ("let registered = register()", "import Base\nlet a = 1", "no interface to import"),
        (
            "public struct Thing {}", "// All modules of the package.\nimport Base",
            "a target that groups its dependencies"
        ),
    ]

    @Test("A dependency that is used without an active import is not reported", arguments: used)
    func acceptsOtherUses(thing: String, user: String, why: String) async throws {
        #expect(try await findings(thing: thing, user: user) == "", "\(why)")
    }

    static let unused: [(thing: String, user: String)] = [
        // Both the type and the protocol are the module's own: they cannot be used without an import.
        ("public struct T {}\npublic protocol P {}\nextension T: P { public var thing: Int { 1 } }", "let a = b.thing"),
        ("public protocol P {}\nextension Int: P {}", "let a = 1"),
        ("extension Lock: @unchecked Sendable where A: Base.B {}\npublic struct Lock {}", "let a = 1"),
        ("import Base\nextension Values { public var thing: Int { 1 } }", "let thing = 1"),
        ("@_exported import Base", "let a = 1"),
        // The name is the target's own.
        (
            "import Base\npublic struct T { public var faceCount = 1 }",
            "struct U { var faceCount = 1 }\nlet a = U().faceCount"
        ),
    ]

    @Test("A name that only looks like a use does not count", arguments: unused)
    func distinguishesNames(thing: String, user: String) async throws {
        #expect(try await findings(thing: thing, user: "import Base\n" + user) == Self.found)
    }

    @Test("An import in a branch that nothing can compile is no use, and is named")
    func namesDeadImports() async throws {
        let text = try await findings(
            thing: "public struct Thing {}",
            user: "import Base\n#if NEVER\nimport Thing\n#endif\nlet a = 1"
        )
        #expect(
            text.contains("User declares Thing but imports it only at Sources/User/User.swift:3, in a branch of #if")
        )
    }

    @Test(
        "A product that is declared for its module alias alone is not reported",
        arguments: ["import FarUtils\nlet a = 1", "let a = 1"]
    )
    func acceptsAliases(user: String) async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "User", dependencies: [
                    .product(name: "Far", package: "far", moduleAliases: ["Utils": "FarUtils"]),
                ]),
                """,
            dependencies: FixturePackage.far,
            files: ["Sources/User/User.swift": user]
        )
        let result = await package.check()
        #expect(result.text == "" && result.status == 0, "\(result)")
    }
}
