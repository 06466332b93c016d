import DependencyGraph
import Testing

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
        ("let a = #\"import \"A\" \"#\nimport B", ["B"]),
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
        ("#if false\nimport A\n#else\nimport B\n#endif\nimport C", ["B", "C"]),
        ("#if false // off\n#if os(Linux)\nimport A\n#endif\n#endif", []),
        ("#if os(Linux)\nimport A\n#elseif false\nimport B\n#endif", ["A"]),
        ("", []),
    ]

    @Test("Imports are found, and text that looks like one is not", arguments: cases.indices)
    func finds(index: Int) {
        let (source, modules) = Self.cases[index]
        #expect(ImportScanner.imports(in: source).map(\.module) == modules, "\(source)")
    }

    @Test("Imports have lines, re-exports and conditions")
    func tellsMore() {
        let imports = ImportScanner.imports(
            in: """
                /*

                */
                @_exported import A
                #if canImport(B) && os(Linux)
                import B
                #elseif canImport(C)
                import C
                #else
                import D
                #endif
                #if !canImport(E)
                import F
                #endif
                """
        )
        #expect(imports.map(\.line) == [4, 6, 8, 10, 13])
        #expect(imports.map(\.isExported) == [true, false, false, false, false])
        #expect(imports.map(\.guards) == [[], ["B"], ["C"], [], []])
        let divided = ImportScanner.imports(in: "/\u{2A} a\n b \u{2A}/\nlet r = #/\n/#\nimport\n\n A\nimport B")
        #expect(divided.map(\.line) == [5, 8])
    }

    @Test("The scanner terminates on any text")
    func survivesAnything() {
        let parts = ["\"", "\"\"\"", "#", "#if", "/*", "*/", "//", "(", ")", "\\(", "\n", "import", " ", "@", "A", "`"]
        for first in parts {
            for second in parts {
                for third in parts { _ = ImportScanner.imports(in: first + second + third) }
            }
        }
    }
}
