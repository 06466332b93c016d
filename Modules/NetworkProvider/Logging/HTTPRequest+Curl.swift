#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension HTTPRequest {
    /// The request as a `curl` command for a POSIX-like shell (bash, zsh, ksh), to be tried by hand.
    ///
    /// It sends what the request would send. Secrets in fields and in the query are replaced, and a body in memory is
    /// only counted, since nobody can know what it holds; ask for both to get a command that runs. A body that is asked
    /// for together with a redaction has the secret fields of JSON and forms replaced. Control characters
    /// are written as escapes, so that the text can neither steer a terminal nor add a command.
    /// - Parameters:
    ///   - redaction: what is replaced; nil shows every secret.
    ///   - includesBody: whether a body in memory is written out. A streamed body is read from standard input.
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
            // An empty value would take the field away; with a semicolon it is sent empty.
            let line = field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)"
            words += ["--header", ShellText.quoted(line)]
        }
        let data = dataWords(redaction, includesBody: includesBody)
        if !data.isEmpty {
            if method == .get { words += ["--request", "GET"] }
            // curl would add a type of its own.
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
                ShellText.quoted(redaction?.redacted(body: data, contentType: headers["Content-Type"]) ?? data),
            ]
        case .data(let data): ["--data-raw", ShellText.quoted("<\(data.count) bytes>")]
        case .file(let path): ["--data-binary", ShellText.quoted("@" + path)]
        case .stream: ["--data-binary", "@-"]
        }
    }
}

/// Words of a shell's command line.
enum ShellText {
    /// A text as one word: bare, in single quotes, or in `$'...'` where it holds what a terminal should not see.
    static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isBare) { return text }
        if text.withVisibleControls == text {
            return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
        }
        return escaped(Data(text.utf8))
    }

    /// Bytes without a zero as one word.
    static func quoted(_ data: Data) -> String {
        guard let text = String(validating: data, as: UTF8.self) else { return escaped(data) }
        return quoted(text)
    }

    /// A duration as curl takes it.
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
            // Three octal digits always, so that a digit that follows is not taken in.
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
