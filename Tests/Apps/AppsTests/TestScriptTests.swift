import Foundation
import TestSupport
import Testing

@Suite("Scripts/test")
struct TestScriptTests {
    /// A program in place of swift, whose tests pass.
    private static let swift = #"""
        #!/usr/bin/env bash
        case "$1 $2" in
          "build --show-bin-path") echo /nowhere ;;
          "test --skip-build") printf '%s\n' '◇ Test run started.' '✔ Test a() passed.' '✔ Test run with 3 tests passed.' ;;
        esac

        """#

    @Test("It finds its modules and prints their results in any locale and any folder", arguments: ["C", "C.UTF-8"])
    func locales(locale: String) async throws {
        let project = try ProjectCopy()
        try project.folder.write("", to: "Tests/Room/FirstTests/FirstTests.swift")
        try project.folder.writeProgram(Self.swift, to: "tools/swift")
        // The byte of a letter of Latin-1, which is not a character in UTF-8; file systems of macOS refuse it.
        let script = #"""
            copy=$0/café
            [ "$(uname)" != Linux ] || copy=$0/$(printf 'caf\351')
            mkdir "$copy" && cp -R "$0/Package.swift" "$0/Scripts" "$0/Tests" "$copy" && bash "$copy/Scripts/test" first
            status=$?
            rm -rf "$copy"
            exit $status
            """#
        let result = try await ChildProcess.run(
            URL(filePath: "/bin/bash"),
            ["-c", script, project.folder.path],
            environment: [
                "LC_ALL": locale,
                "PATH": project.folder.path + "/tools:" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
            ]
        )
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "First: ✔ Test run with 3 tests passed.\n", "\(result.output)")
        #expect(result.errors.contains("passed: 3 tests of First, after "), "\(result.errors)")
    }
}
