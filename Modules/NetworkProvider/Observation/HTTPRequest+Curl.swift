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
