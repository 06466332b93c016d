import EssentialFoundation
import TextEscaping

extension HTTPRequest {
    /// Returns the request as a `curl` command for a POSIX-like shell (bash, zsh, ksh).
    ///
    /// The command sends the same request. By default secrets in fields and in the query are replaced, and a body in
    /// memory is replaced by its size, since it may contain secrets; change both for a command that runs. With a
    /// redaction and a body, the secret fields of JSON and forms are replaced. Control characters are escaped, so that
    /// the text can neither control a terminal nor add a command.
    /// - Parameters:
    ///   - redaction: what is replaced; nil shows every secret.
    ///   - includesBody: whether a body in memory is written. A streamed body is read from standard input.
    /// - Returns: one line of text.
    public func curlCommand(redaction: Redaction? = Redaction(), includesBody: Bool = false) -> String {
        let shown = redaction.map { $0.redacted(url) } ?? url.absoluteString
        var words = ["curl"]
        switch method {
        case .get: break
        case .head: words += ["--head"]
        default: words += ["--request", ShellText.quoted(method.rawValue)]
        }
        if shown.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
        if shown.contains("/.") { words.append("--path-as-is") }
        if decompresses { words.append("--compressed") }
        words += ["--connect-timeout", ShellText.seconds(timeouts.connect)]
        if let total = timeouts.total { words += ["--max-time", ShellText.seconds(total)] }
        var hasType = false
        for field in redaction.map({ $0.redacted(headers) }) ?? headers {
            hasType = hasType || HTTPSyntax.equal(field.name, "content-type")
            // An empty value would remove the field; with a semicolon the field is sent empty.
            let line = field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)"
            words += ["--header", ShellText.quoted(line)]
        }
        let data = dataWords(redaction, includesBody: includesBody)
        if !data.isEmpty {
            if method == .get { words += ["--request", "GET"] }
            // curl would add its own type.
            if !hasType { words += ["--header", ShellText.quoted("Content-Type:")] }
            words += data
        }
        words.append(ShellText.quoted(shown))
        return words.joined(separator: " ")
    }

    private func dataWords(_ redaction: Redaction?, includesBody: Bool) -> [String] {
        switch body {
        case .none: []
        case .data(let data) where includesBody && !data.contains(0):
            [
                "--data-raw",
                ShellText.quoted(redaction?.redacted(body: data, contentType: headers[.contentType]) ?? data),
            ]
        case .data(let data): ["--data-raw", ShellText.quoted("<\(data.count) bytes>")]
        case .file(let path): ["--data-binary", ShellText.quoted("@" + path)]
        case .stream: ["--data-binary", "@-"]
        }
    }
}

/// Formats the words of a shell's command line.
enum ShellText {
    /// Returns a text as one word: unquoted, in single quotes, or in `$'...'` if it contains control characters.
    static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isBare) { return text }
        if text.escapingControls() == text {
            return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
        }
        return escaped(Data(text.utf8))
    }

    /// Returns bytes without a zero as one word.
    static func quoted(_ data: Data) -> String {
        guard let text = String(validating: data, as: UTF8.self) else { return escaped(data) }
        return quoted(text)
    }

    /// Returns a duration as an argument of curl.
    static func seconds(_ duration: Duration) -> String {
        let milliseconds = Int64((duration / .milliseconds(1)).rounded(.up))
        let rest = milliseconds % 1_000
        return rest == 0 ? "\(milliseconds / 1_000)" : "\(Double(milliseconds) / 1_000)"
    }

    private static func escaped(_ bytes: Data) -> String {
        var word = "$'"
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): word += "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7f: word += String(UnicodeScalar(byte))
            // Always three octal digits, so that a digit that follows is not part of the escape.
            default: word += "\\" + String(byte >> 6) + String(byte >> 3 & 7) + String(byte & 7)
            }
        }
        return word + "'"
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ","), UInt8(ascii: "@"), UInt8(ascii: "+"):
            true
        default: false
        }
    }
}
