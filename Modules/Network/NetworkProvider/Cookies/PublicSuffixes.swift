import EssentialFoundation

/// The domains below which every name belongs to another site, such as `co.uk` and `github.io` (publicsuffix.org). No cookie is
/// shared by the sites below one.
public struct PublicSuffixes: Sendable {
    private let rules: Set<Substring>

    /// The list of the system: that of the package `publicsuffix` on Linux; nil if it is not installed.
    public static let system = PublicSuffixes(contentsOf: "/usr/share/publicsuffix/public_suffix_list.dat")

    /// Reads a list from a file in the format of publicsuffix.org; nil if the file cannot be read.
    public init?(contentsOf path: String) {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
        self.init(String(decoding: data, as: UTF8.self))
    }

    /// Creates a list from a text in the format of publicsuffix.org.
    public init(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.prefix { !$0.isWhitespace } }
        let rules = lines.filter { !$0.hasPrefix("//") }
        // The list has international names as they are read, a URL in ASCII.
        let international = rules.compactMap { rule -> Substring? in
            let mark = rule.prefix { $0 == "!" }
            return HostName.ascii(rule.dropFirst(mark.count).utf8).map { mark + $0 }
        }
        self.rules = Set(rules + international)
    }

    /// Returns whether a domain, in lower case and in ASCII, is a public suffix.
    package func contains(_ domain: String) -> Bool {
        guard let dot = domain.firstIndex(of: ".") else { return true }
        if rules.contains(domain[...]) { return true }
        return rules.contains("*\(domain[dot...])") && !rules.contains("!\(domain)")
    }
}
