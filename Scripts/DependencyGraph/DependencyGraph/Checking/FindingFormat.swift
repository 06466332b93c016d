import Checksums

/// The formats of findings.
enum FindingFormat: String, CaseIterable, Sendable {
    /// One finding a line, as compilers print errors.
    case text
    /// An array of objects.
    case json
    /// The workflow commands of GitHub Actions, which annotate the lines of a change.
    case github
    /// The Static Analysis Results Interchange Format, version 2.1.0 (OASIS).
    case sarif

    /// Returns the findings in this format. GitHub's paths begin with the prefix, the path of the package in its repository.
    func render(_ findings: [Finding], prefix: String = "") throws -> String {
        switch self {
        case .text: findings.map { "\($0)\n" }.joined()
        case .json: try JSONDocument.encode(findings)
        case .github: findings.flatMap { Self.annotations($0, prefix) }.joined()
        case .sarif: try JSONDocument.encode(SARIFLog(findings))
        }
    }

    /// Returns `::error file=…,line=…,title=…::message` for each place.
    private static func annotations(_ finding: Finding, _ prefix: String) -> [String] {
        finding.sites.map { site in
            "::error file=\(property(prefix + site.file)),line=\(site.line),title=\(finding.kind.rawValue)::"
                + "\(escaped(finding.message))\n"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}

/// A log of SARIF 2.1.0 with one run.
private struct SARIFLog: Encodable {
    struct Message: Encodable { var text: String }

    struct Rule: Encodable {
        var id: String
        var shortDescription: Message
    }

    struct Driver: Encodable {
        var name = "dependency-graph"
        var rules: [Rule]
    }

    struct Tool: Encodable { var driver: Driver }

    struct ArtifactLocation: Encodable {
        var uri: String
        var uriBaseId = "SRCROOT"
    }

    struct Region: Encodable { var startLine: Int }

    struct PhysicalLocation: Encodable {
        var artifactLocation: ArtifactLocation
        var region: Region
    }

    struct Location: Encodable { var physicalLocation: PhysicalLocation }

    struct Result: Encodable {
        var ruleId: String
        var ruleIndex: Int
        var level = "error"
        var message: Message
        var locations: [Location]
        var relatedLocations: [Location]
        var partialFingerprints: [String: String]
    }

    struct Run: Encodable {
        var tool: Tool
        var columnKind = "utf16CodeUnits"
        var results: [Result]
    }

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    var schema = "https://json.schemastore.org/sarif-2.1.0.json"
    var version = "2.1.0"
    var runs: [Run]

    init(_ findings: [Finding]) {
        let kinds = Finding.Kind.allCases
        let rules = kinds.map { Rule(id: $0.rawValue, shortDescription: Message(text: $0.summary)) }
        let results = findings.map { finding in
            let places = finding.sites.map(Self.location)
            return Result(
                ruleId: finding.kind.rawValue,
                ruleIndex: kinds.firstIndex(of: finding.kind) ?? 0,
                message: Message(text: finding.message),
                locations: Array(places.prefix(1)),
                relatedLocations: Array(places.dropFirst()),
                partialFingerprints: [
                    "dependency/v1": SHA256.hexadecimal(
                        of: "\(finding.kind.rawValue)\n\(finding.target)\n\(finding.dependency)".utf8
                    )
                ]
            )
        }
        runs = [Run(tool: Tool(driver: Driver(rules: rules)), results: results)]
    }

    private static func location(_ site: ImportIndex.Site) -> Location {
        Location(
            physicalLocation: PhysicalLocation(
                artifactLocation: ArtifactLocation(uri: uri(site.file)),
                region: Region(startLine: site.line)
            )
        )
    }

    /// The path as a relative URI reference (RFC 3986).
    private static func uri(_ path: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@".utf8)
        return path.utf8.map { byte in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }
        .joined()
    }
}
