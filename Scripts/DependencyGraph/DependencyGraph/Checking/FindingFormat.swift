import Checksums
import JSONValues
import TextEscaping

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
        case .sarif: try JSONDocument.encode(SARIF.log(findings))
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
private enum SARIF {
    static func log(_ findings: [Finding]) -> JSONValue {
        let rules = Finding.Kind.allCases.map { kind in
            JSONValue.object(["id": .string(kind.rawValue), "shortDescription": message(kind.summary)])
        }
        let driver = JSONValue.object(["name": .string("dependency-graph"), "rules": .array(rules)])
        let run = JSONValue.object([
            "tool": .object(["driver": driver]),
            "columnKind": .string("utf16CodeUnits"),
            "results": .array(findings.map(result)),
        ])
        let schema = "https://json.schemastore.org/sarif-2.1.0.json"
        return .object(["$schema": .string(schema), "version": .string("2.1.0"), "runs": .array([run])])
    }

    private static func result(_ finding: Finding) -> JSONValue {
        let places = finding.sites.map(location)
        let identity = "\(finding.kind.rawValue)\n\(finding.target)\n\(finding.dependency)"
        return .object([
            "ruleId": .string(finding.kind.rawValue),
            "ruleIndex": .integer(Int64(Finding.Kind.allCases.firstIndex(of: finding.kind) ?? 0)),
            "level": .string("error"),
            "message": message(finding.message),
            "locations": .array(Array(places.prefix(1))),
            "relatedLocations": .array(Array(places.dropFirst())),
            "partialFingerprints": .object(["dependency/v1": .string(SHA256.hexadecimal(of: identity.utf8))]),
        ])
    }

    private static func message(_ text: String) -> JSONValue { .object(["text": .string(text)]) }

    private static func location(_ site: ImportIndex.Site) -> JSONValue {
        let artifact = JSONValue.object(["uri": .string(uri(site.file)), "uriBaseId": .string("SRCROOT")])
        let region = JSONValue.object(["startLine": .integer(Int64(site.line))])
        return .object(["physicalLocation": .object(["artifactLocation": artifact, "region": region])])
    }

    /// The path as a relative URI reference (RFC 3986).
    private static func uri(_ path: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@".utf8)
        return path.utf8.map { byte in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            return "%" + Hexadecimal.string(of: byte, digits: 2, uppercase: true)
        }
        .joined()
    }
}
