import Foundation
import TestSupport
import Testing

@Suite("The table of features")
struct FeatureTableTests {
    private static let tests = Project.root.appending(path: "Tests")

    @Test("Every feature of Tests/Features.md has test files, and each of them exists and has tests")
    func complete() throws {
        let text = try String(contentsOf: Self.tests.appending(path: "Features.md"), encoding: .utf8)
        let features = text.split(separator: "\n- ").dropFirst()
        #expect(features.count >= 61, "a feature is missing from Tests/Features.md")
        for feature in features {
            let name = feature.prefix { $0 != "\n" }
            // A feature ends where the next group begins.
            let lines = feature.prefix(upTo: feature.firstRange(of: "\n## ")?.lowerBound ?? feature.endIndex)
            let files = lines.matches(of: #/`([^`]+\.swift)`/#).map { String($0.1) }
            #expect(!files.isEmpty, "no test file shows: \(name)")
            for file in files {
                let source = try? String(contentsOf: Self.tests.appending(path: file), encoding: .utf8)
                #expect(source?.contains("@Test") == true, "Tests/\(file) has no tests: \(name)")
            }
        }
    }
}
