import TerminalUI

extension ParsedCommand {
    /// The cells that `--size` asks for; `nil` where it was not given.
    func size() throws(ScriptFailure) -> Size? {
        guard let text = value("size") else { return nil }
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let columns = parts[0], let rows = parts[1], (1...1000).contains(columns),
            (1...1000).contains(rows)
        else {
            throw ScriptFailure(
                .usage,
                "--size cannot be \"\(printable(text))\"; write COLUMNSxROWS, such as 60x20, each from 1 to 1000"
            )
        }
        return Size(width: columns, height: rows)
    }
}
