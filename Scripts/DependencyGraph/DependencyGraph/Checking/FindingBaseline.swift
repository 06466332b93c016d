import JSONValues
import SystemCalls

/// The findings of a package that are known already, so that only new ones count.
///
/// A finding is recognised by its kind, target and dependency, so that it stays known when lines move.
struct FindingBaseline {
    private struct Entry: Hashable, Comparable, Encodable {
        var kind: String
        var target: String
        var dependency: String

        init(_ finding: Finding) {
            (kind, target, dependency) = (finding.kind.rawValue, finding.target, finding.dependency)
        }

        init?(_ value: JSONValue) {
            guard let kind = value["kind"].text, let target = value["target"].text,
                let dependency = value["dependency"].text
            else { return nil }
            (self.kind, self.target, self.dependency) = (kind, target, dependency)
        }

        static func < (left: Entry, right: Entry) -> Bool {
            (left.kind, left.target, left.dependency) < (right.kind, right.target, right.dependency)
        }
    }

    private struct Document: Encodable {
        var version = 1
        var findings: [Entry]
    }

    private var entries: Set<Entry>

    /// Reads a file.
    ///
    /// - Throws: ``GraphError`` if the file cannot be read or is not a baseline.
    init(path: String) throws {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try POSIX.contents(of: path)
        } catch {
            throw GraphError.usage("the baseline \(path) cannot be read (\(error)); --write-baseline creates it")
        }
        guard let document = try? JSONValue(parsing: bytes), document["version"] == .integer(1),
            let elements = document["findings"].elements
        else { throw GraphError.usage("\(path) is not a baseline; --write-baseline creates one") }
        entries = Set(elements.compactMap(Entry.init))
    }

    /// Returns the document of a baseline with all findings.
    static func document(of findings: [Finding]) throws -> String {
        try JSONDocument.encode(Document(findings: Set(findings.map(Entry.init)).sorted()))
    }

    /// Returns the findings that are not known, and the number of known ones that no longer exist.
    func news(in findings: [Finding]) -> (findings: [Finding], fixed: Int) {
        let current = Set(findings.map(Entry.init))
        return (findings.filter { !entries.contains(Entry($0)) }, entries.subtracting(current).count)
    }
}
