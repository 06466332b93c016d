import Foundation

/// Compares the Swift examples of a DocC catalogue with the tests that compile them.
public struct DocumentedExamples {
    /// The examples that are in no test, as `Article.md:line`.
    public let missing: [String]

    /// The catalogue has another number of examples than the test names.
    struct UnexpectedCount: Error {
        let module: String
        let count: Int
    }

    /// Searches the Swift files of the calling test's folder for the contiguous lines of every `swift` fence in the catalogue of
    /// `module`. Indentation and empty lines are ignored.
    ///
    /// - Parameters:
    ///   - module: a folder of `Modules` or of a room in it.
    ///   - expected: the number of examples, so that one that is not found is noticed.
    ///   - testFile: the file of the calling test; its folder and those below are searched.
    /// - Throws: an error if a file cannot be read, or the catalogue has another number of examples.
    public init(of module: String, count expected: Int, testFile: String = #filePath) throws {
        let folder = URL(fileURLWithPath: testFile).deletingLastPathComponent()
        let sources = try Self.files(under: folder, suffix: ".swift").map { Self.normalised(try Self.lines(of: $0)) }
        var missing: [String] = []
        var count = 0
        let catalogue = try Project.folder(of: module).appending(path: "\(module).docc")
        for article in try Self.files(under: catalogue, suffix: ".md") {
            var fence: (start: Int, lines: [String])?
            for (index, line) in try Self.lines(of: article).enumerated() {
                let text = line.trimmingCharacters(in: .whitespaces)
                if let open = fence {
                    guard text == "```" else { fence?.lines.append(line); continue }
                    count += 1
                    let example = Self.normalised(open.lines)
                    if !sources.contains(where: { $0.contains(example) }) {
                        missing.append("\(article.lastPathComponent):\(open.start + 1)")
                    }
                    fence = nil
                } else if text == "```swift" {
                    fence = (index, [])
                }
            }
        }
        guard count == expected else { throw UnexpectedCount(module: module, count: count) }
        self.missing = missing
    }

    private static func files(under folder: URL, suffix: String) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(suffix) }.map(folder.appendingPathComponent)
    }

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }

    /// Returns the trimmed lines, each between line feeds, so that only whole lines match.
    private static func normalised(_ lines: [String]) -> String {
        let trimmed = lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        return "\n" + trimmed.joined(separator: "\n") + "\n"
    }
}
