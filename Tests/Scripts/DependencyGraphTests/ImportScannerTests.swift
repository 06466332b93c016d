import Testing

@testable import DependencyGraph

@Suite("Import scanner")
struct ImportScannerTests {
    static let cases: [(source: String, modules: [String])] = [
        ("import A", ["A"]),
        ("import A.B.C", ["A"]),
        ("import struct A.B", ["A"]),
        ("import func A.b; import B", ["A", "B"]),
        ("@testable import A", ["A"]),
        ("@_spi(Some) @preconcurrency import A", ["A"]),
        ("@testable\nimport A", ["A"]),
        ("public import A\npackage import B\nfileprivate import C", ["A", "B", "C"]),
        ("import `A`", ["A"]),
        ("  \timport  A // why\n", ["A"]),
        ("import A /* why */\r\nimport B\r\n", ["A", "B"]),
        ("// import A\n/// import B\n", []),
        ("/* import A /* import B */ import C */ import D", ["D"]),
        ("let a = \"import A\"\nlet b = \"\"\"\nimport B\n\"\"\"\nimport C", ["C"]),
        ("let a = #\"\" ; import A \"#\nimport B", ["B"]),
        ("let a = \"\\(f(\"(\")) import A\"\nimport B", ["B"]),
        ("let a = \"\\\"\"; import B", ["B"]),
        ("let a = \"\"\nimport B", ["B"]),
        ("let a = ##\"\"\"\n\"\"\"#\nimport A\n\"\"\"##\nimport B", ["B"]),
        ("#if os(Linux)\nimport A\n#else\nimport B\n#endif", ["A", "B"]),
        ("let `import` = 1\nf(import: 2)\nx.import\nfoo(\n  import: 3)", []),
        ("struct S { func f() { run(import) } }", []),
        ("let unfinished = \"oops\nimport A", ["A"]),
        ("\u{FEFF}import A", ["A"]),
        ("import\n  A\nimport B", ["A", "B"]),
        ("import /* why */ A\nimport // why\n  struct B.C", ["A", "B"]),
        ("let a = #/import \"/#\nimport A", ["A"]),
        ("let a = ##/\n  \\/# \" import A\n/##\nimport B", ["B"]),
        ("let a = /\"\"\"/\nimport A", ["A"]),
        ("let a = f(/a\\/\"/, /*) import B*/ 1)\nimport A", ["A"]),
        ("let a = 6 / 2 // \"\nimport A\nlet b = a / 2 /* \" */ / 3\nimport B", ["A", "B"]),
        ("@available(macOS 14, *)\nimport A", ["A"]),
        ("func f() { return }\nimport A", ["A"]),
        ("func `removes /* from a text`() {}\nimport A\nfunc `adds \" and // to it`() {}; import B", ["A", "B"]),
        ("let a = ` /* import B */\nimport A", ["A"]),
        ("", []),
    ]

    @Test("Imports are found, and text that looks like one is not", arguments: cases)
    func finds(source: String, modules: [String]) {
        #expect(ImportScanner.imports(in: source).map(\.module) == modules, "\(source)")
    }

    @Test("Imports have lines and re-exports")
    func tellsMore() {
        let imports = ImportScanner.imports(
            in: """
                /*

                */
                @_exported import A
                @_exported
                public import B
                import C
                """
        )
        #expect(imports.map(\.line) == [4, 6, 7])
        #expect(imports.map(\.isExported) == [true, true, false])
        let divided = ImportScanner.imports(in: "/\u{2A} a\n b \u{2A}/\nlet r = #/\n/#\nimport\n\n A\nimport B")
        #expect(divided.map(\.line) == [5, 8])
    }

    @Test("An import is optional in a branch that needs its own module")
    func recognisesOptionalImports() {
        let imports = ImportScanner.imports(
            in: """
                #if canImport(A) && os(Linux)
                import A
                #elseif canImport(C)
                import C
                #else
                import D
                #endif
                #if !canImport(E)
                import F
                import E
                #endif
                #if canImport(G) || DEBUG
                import G
                #endif
                #if !canImport(H)
                #else
                import H
                #endif
                #if canImport(K,
                import K
                """
        )
        #expect(imports.filter(\.isOptional).map(\.module) == ["A", "C", "H", "K"])
        #expect(imports.count == 8)
    }

    static let conditions: [(text: String, isDead: Bool)] = [
        ("FOO", true), ("DEFINED", false), ("!FOO", false), ("FOO || DEFINED", false), ("FOO && DEFINED", true),
        ("os(Linux) && os(macOS)", true), ("os(Linux) || os(macOS)", false), ("!os(Linux)", false),
        ("os(OSX) && !os(macOS)", true), ("os(Plan9)", false), ("canImport(X)", false), ("compiler(>=9.0)", false),
        ("swift(<5.1) && FOO", true), ("false", true), ("true", false), ("(false)", true), ("!(FOO || false)", false),
        ("hasFeature(Lifetimes) || FOO", false), ("FOO /* DEFINED */", true), ("FOO // || DEFINED", true),
        ("DEFINED &&\nFOO", true), ("targetEnvironment(simulator) && arch(arm64) && os(iOS)", false), ("", false),
        ("$Macros", false), ("!(canImport(X) && DEFINED)", false), ("!(DEFINED && canImport(X))", false),
    ]

    @Test("A branch is dead if no platform and no defined condition can make it active", arguments: conditions)
    func findsDeadBranches(text: String, isDead: Bool) {
        let imports = ImportScanner.imports(in: "#if \(text)\nimport A\n#endif")
        #expect(imports.map { $0.isDead(flags: ["DEFINED"]) } == [isDead], "\(text)")
    }

    @Test("The branches after one that is always active are dead; a condition of some builds only is not always active")
    func findsDeadAlternatives() {
        let imports = ImportScanner.imports(
            in: "#if !FOO\nimport A\n#elseif os(Linux)\nimport B\n#else\nimport C\n#endif\nimport D"
        )
        #expect(imports.filter { !$0.isDead(flags: []) }.map(\.module) == ["A", "D"])
        #expect(imports.filter { !$0.isDead(flags: [], certain: ["FOO"]) }.map(\.module) == ["B", "C", "D"])
        #expect(imports.filter { !$0.isDead(flags: ["FOO"]) }.map(\.module) == ["A", "B", "C", "D"])
    }

    @Test("The scanner terminates on any text")
    func survivesAnything() {
        let parts = ["\"", "\"\"\"", "#", "#if", "/*", "*/", "//", "(", ")", "\\(", "\n", "import", " ", "@", "A", "`"]
        for first in parts {
            for second in parts {
                for third in parts { _ = ImportScanner.imports(in: first + second + third + "\nimport") }
            }
        }
    }
}
