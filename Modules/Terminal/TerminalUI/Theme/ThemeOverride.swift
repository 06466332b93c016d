/// A line of a theme file: a role and its style.
struct ThemeOverride: Hashable, Sendable {
    let role: String
    let style: TextStyle

    /// Parses the lines of a file.
    static func parse(_ text: String) throws(ThemeFileError) -> [ThemeOverride] {
        var overrides: [ThemeOverride] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let role = words.first, role != "#", !role.hasPrefix("# ") else { continue }
            let names = ["tint"] + (Theme.surfaces + Theme.texts).map(\.name)
            guard words.count >= 3, words[1] == "=" else {
                throw ThemeFileError(line: index + 1, problem: "a line is a role, = and a style")
            }
            guard names.contains(role) else {
                throw ThemeFileError(
                    line: index + 1,
                    problem: "there is no role \(role); the roles are \(names.joined(separator: ", "))"
                )
            }
            overrides.append(ThemeOverride(role: role, style: try style(words.dropFirst(2), line: index + 1)))
        }
        return overrides
    }

    private static func style(_ words: ArraySlice<String>, line: Int) throws(ThemeFileError) -> TextStyle {
        var style = TextStyle.plain
        var isBackground = false
        for word in words {
            if word == "on" {
                isBackground = true
            } else if let (attribute, _) = TextStyle.Attributes.names.first(where: { $0.name == word }) {
                style.attributes.insert(attribute)
            } else if let color = color(word) {
                if isBackground { style.background = color } else { style.foreground = color }
            } else {
                throw ThemeFileError(
                    line: line,
                    problem: "\(word) is neither a colour (#RRGGBB, 0 to 255, default) nor an attribute"
                )
            }
        }
        return style
    }

    private static func color(_ word: String) -> Color? {
        if word == "default" { return .standard }
        if word.hasPrefix("#"), word.count == 7, let value = UInt32(word.dropFirst(), radix: 16) { return .hex(value) }
        return UInt8(word).map(Color.palette)
    }
}

/// An invalid line of a theme file.
public struct ThemeFileError: Error, Hashable, CustomStringConvertible {
    /// The number of the line, from 1.
    public let line: Int
    /// What is invalid, and what is valid.
    public let problem: String

    /// The line and the problem.
    public var description: String { "line \(line): \(problem)" }
}
