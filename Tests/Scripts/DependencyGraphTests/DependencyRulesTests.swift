import Foundation
import TestSupport
import Testing

@testable import DependencyGraph

@Suite("check: rules")
struct DependencyRulesTests {
    static let targets = """
        .target(name: "Model", path: "Modules/Model"),
        .target(name: "Screens", dependencies: ["Model"], path: "Apps/Screens"),
        .target(name: "Alpha", dependencies: ["Model"], path: "Apps/Features/Alpha"),
        .target(name: "Beta", dependencies: ["Alpha", "Screens"], path: "Apps/Features/Beta"),
        .target(name: "Fakes", dependencies: ["Model"], path: "Tests/Fakes"),
        .target(name: "Server", dependencies: [.product(name: "Net", package: "far")], path: "Modules/Server"),
        .testTarget(name: "ModelTests", dependencies: ["Fakes"], path: "Tests/ModelTests"),
        """

    /// Checks the package with these rules.
    private func check(_ rules: String, change: (String) -> String = { $0 }) async throws -> (
        text: String, errors: String
    ) {
        let sources = [
            "Modules/Model", "Apps/Screens", "Apps/Features/Alpha", "Apps/Features/Beta", "Tests/Fakes",
            "Modules/Server",
        ]
        var files = sources.reduce(into: [:]) { $0["\($1)/Source.swift"] = "" }
        files["Apps/Features/Beta/Source.swift"] = "import Alpha\n"
        files["Tests/ModelTests/T.swift"] = ""
        files[".dependency-rules.json"] = rules
        let package = try FixturePackage(targets: Self.targets, dependencies: FixturePackage.far, files: files)
        try package.folder.write(change(try package.manifest()), to: "Package.swift")
        let result = await package.check()
        return (result.text, result.errors)
    }

    @Test("Layers forbid dependencies upwards, and within a layer that is isolated")
    func checksLayers() async throws {
        let result = try await check(
            """
            {"layers": [
              {"name": "model", "targets": ["Model"]},
              {"name": "features", "targets": ["Apps/Features/*"], "isolated": true, "because": "features are replaceable"},
              {"name": "screens", "targets": ["Screens"]}
            ]}
            """
        )
        #expect(
            result.text == """
                Package.swift:9: forbidden: Screens of the layer screens must not depend on Model of the higher layer model
                Package.swift:10: forbidden: Alpha of the layer features must not depend on Model of the higher layer model \
                (features are replaceable)
                Apps/Features/Beta/Source.swift:1: forbidden: Beta must not depend on Alpha: the targets of the layer features \
                are independent (features are replaceable)

                """
        )
    }

    @Test("Patterns are tags, products, packages and kinds")
    func matchesPatterns() async throws {
        let result = try await check(
            """
            {"tags": {"features": ["Apps/Features/*"], "upper": ["tag:features", "Screens"]},
             "rules": [
              {"targets": ["kind:test"], "forbid": ["Model"], "because": "by kind"},
              {"targets": ["Modules/*"], "forbid": ["package:FAR"], "because": "by package"},
              {"targets": ["Server"], "forbid": ["product:N*"], "because": "by product"},
              {"targets": ["product:Ui"], "forbid": ["tag:features"], "because": "by tag"}
            ]}
            """,
            change: {
                $0.replacing(
                    "name: \"Fixture\",",
                    with: "name: \"Fixture\", products: [.library(name: \"Ui\", targets: [\"Beta\"])],"
                )
            }
        )
        let lines = result.text.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "Apps/Features/Beta/Source.swift:1: forbidden: Beta must not reach Alpha: Beta -> Alpha (by tag)",
                "Package.swift:13: forbidden: Server must not reach Net: Server -> Net (by package)",
                "Package.swift:13: forbidden: Server must not reach Net: Server -> Net (by product)",
                "Package.swift:14: forbidden: ModelTests must not reach Model: ModelTests -> Fakes -> Model (by kind)",
            ],
            "\(result)"
        )
    }

    @Test("A target that the rules declare as code for tests is found in a product")
    func findsTestOnlyCode() async throws {
        let products = "products: [.library(name: \"Ui\", targets: [\"Beta\"])],"
        let result = try await check(
            #"{"testOnly": ["Fakes"]}"#,
            change: {
                $0.replacing("name: \"Fixture\",", with: "name: \"Fixture\", \(products)")
                    .replacing(
                        "dependencies: [\"Alpha\", \"Screens\"]",
                        with: "dependencies: [\"Alpha\", \"Screens\", \"Fakes\"]"
                    )
            }
        )
        #expect(
            result.text.contains(
                "Package.swift:11: testOnly: the product Ui contains Fakes, which is for tests only: Beta -> Fakes"
            ),
            "\(result)"
        )
    }

    static let helpers: [(source: String, found: Bool)] = [
        ("import XCTest\npublic class Helper {}", true),
        ("@preconcurrency import XCTest\npublic class Helper {}", true),
        ("public import Testing\npublic struct Helper {}", true),
        ("#if canImport(XCTest)\nimport XCTest\n#endif\npublic struct Helper {}", false),
        ("// import XCTest\npublic struct Helper {}", false),
    ]

    @Test(
        "A target that imports XCTest or Testing is found in the library and the program that contain it",
        arguments: helpers
    )
    func findsTestOnlyImports(source: String, found: Bool) async throws {
        let package = try FixturePackage(
            targets: """
                .target(name: "Assist"),
                .target(name: "Helpers", dependencies: ["Assist"]),
                .target(name: "Middle", dependencies: ["Helpers"]),
                .executableTarget(name: "program", dependencies: ["Middle"]),
                .target(name: "Clean"),
                .testTarget(name: "MiddleTests", dependencies: ["Middle", "Helpers"]),
                """,
            files: [
                "Sources/Assist/Assist.swift": source, "Sources/Helpers/Helper.swift": source + "\nimport Assist",
                "Sources/Middle/M.swift": "\nimport Helpers\nlet a = Helper.self",
                "Sources/program/main.swift": "import Middle\n", "Sources/Clean/C.swift": "let a = 1",
                "Tests/MiddleTests/T.swift": "import Helpers\nimport Middle\nimport XCTest\n",
            ]
        )
        let products = """
            products: [
                .library(name: "Api", targets: ["Middle", "Clean"]), .executable(name: "run", targets: ["program"]),
                .library(name: "Same", targets: ["Middle"]), .library(name: "ApiTesting", targets: ["Helpers"]),
            ],
            """
        try package.changeManifest("name: \"Fixture\",", to: "name: \"Fixture\", \(products)")
        let result = await package.check()
        let remedy = "remove the dependency, or move the code out of Helpers"
        #expect(
            result.text
                == (found
                    ? """
                    Sources/Middle/M.swift:2: testOnly: the product Api contains Helpers, which is for tests only: \
                    Middle -> Helpers; \(remedy)
                    Sources/Middle/M.swift:2: testOnly: the product run contains Helpers, which is for tests only: \
                    program -> Middle -> Helpers; \(remedy)

                    """ : ""),
            "\(result)"
        )
    }

    @Test("A dependency on a target for some platforms needs a condition for these")
    func checksPlatforms() async throws {
        let rules = #"{"platforms": [{"targets": ["Screens"], "only": ["iOS"], "because": "it draws with UIKit"}]}"#
        #expect(
            try await check(rules).text == """
                Package.swift:11: platform: Beta depends on Screens on all platforms, but that is for ios only: add a condition to \
                the dependency (it draws with UIKit)

                """
        )
        func condition(_ platforms: String) -> (String) -> String {
            {
                $0.replacing(
                    "[\"Alpha\", \"Screens\"]",
                    with: "[\"Alpha\", .target(name: \"Screens\", condition: .when(platforms: [\(platforms)]))]"
                )
            }
        }
        #expect(try await check(rules, change: condition(".iOS")).text == "")
        #expect(
            try await check(rules, change: condition(".iOS, .linux")).text.contains(
                "Beta depends on Screens on linux, but"
            )
        )
        let both = #"{"platforms": [{"targets": ["Screens", "Beta"], "only": ["ios"]}]}"#
        #expect(try await check(both).text == "")
        // A condition adds no platform to those of the target.
        #expect(try await check(both, change: condition(".iOS, .linux")).text == "")
    }

    @Test("A star stands for any text, also for none")
    func stars() {
        for (pattern, text, matches) in [
            ("*ab", "aaab", true), ("a*", "a", true), ("**", "", true), ("a*b*c", "aXbXbc", true), ("*a", "ab", false),
            ("a*", "ba", false), ("", "a", false),
        ] {
            #expect(TargetPattern.glob(pattern, text) == matches, "\(pattern) \(text)")
        }
    }

    @Test("What names nothing is an error, with the nearest name, and the exit status is 2")
    func refusesUnknownNames() async throws {
        let result = try await check(
            """
            {"tags": {"low": ["Modules/Modell"]},
             "anywhere": ["Nothing*"],
             "rules": [{"targets": ["Screen"], "forbid": ["tag:lwo", "product:Nett", "package:farr", "kind:tests"]}],
             "platforms": [{"targets": ["Model"], "only": ["linus"]}],
             "reads": [{"targets": ["ModelTest"], "paths": ["REDME.md", "Modules/*"]}]}
            """
        )
        #expect(result.text == "")
        let lines = result.errors.split(separator: "\n").map { $0.drop { $0 == " " } }
        try #require(lines.count == 10, "\(result.errors)")
        #expect(
            lines[0].hasSuffix(
                "is invalid: \"Modules/Modell\" in the tag \"low\" names nothing in the package; did you mean Modules/Model?"
            )
        )
        #expect(lines[1] == "\"Nothing*\" in \"anywhere\" names nothing in the package")
        #expect(lines[2] == "\"Screen\" in \"targets\" names nothing in the package; did you mean Screens?")
        #expect(lines[3] == "\"tag:lwo\" in \"forbid\" names nothing in the package; did you mean tag:low?")
        #expect(lines[4] == "\"product:Nett\" in \"forbid\" names nothing in the package; did you mean product:Net?")
        #expect(lines[5] == "\"package:farr\" in \"forbid\" names nothing in the package; did you mean package:far?")
        #expect(lines[6] == "\"kind:tests\" in \"forbid\" names nothing in the package; did you mean kind:test?")
        #expect(lines[7] == "\"linus\" in \"only\" is not a platform; did you mean linux?")
        #expect(lines[8] == "\"ModelTest\" in \"reads\" names nothing in the package; did you mean ModelTests?")
        #expect(lines[9] == "\"REDME.md\" in \"reads\" is not a file of the package")
    }

    static let malformed: [(rules: String, message: String)] = [
        ("[]", "the file must be an object"), ("{", "line 1"), (#"{"rule": []}"#, "unknown key \"rule\""),
        (#"{"rules": {}}"#, "\"rules\" must be an array"), (#"{"rules": [{"targets": ["Model"]}]}"#, "has no effect"),
        (
            #"{"tags": {"a": ["tag:b"], "b": ["tag:a"]}}"#,
            "\"tag:b\" in the tag \"a\" names nothing in the package; the tags form a cycle: a -> b -> a"
        ),
        (#"{"rules": [{"allow": []}]}"#, "element 1 of \"rules\" has no \"targets\""),
        (#"{"anywhere": [1]}"#, "\"anywhere\" in the file must be an array of strings"),
        (#"{"layers": [{"targets": ["Model"]}]}"#, "element 1 of \"layers\" has no \"name\""),
        (
            #"{"layers": [{"name": "low", "targets": ["Model"], "isolated": "true"}]}"#,
            "\"isolated\" in element 1 of \"layers\" must be true or false"
        ),
    ]

    @Test("A malformed rules file is an error that says where", arguments: malformed)
    func refusesMalformedFiles(rules: String, message: String) async throws {
        let package = try FixturePackage(
            targets: ".target(name: \"Model\")",
            files: ["Sources/Model/M.swift": "", ".dependency-rules.json": rules]
        )
        let result = await package.check()
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.status == 2)
    }
}
