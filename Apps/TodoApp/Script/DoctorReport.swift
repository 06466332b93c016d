/// What the doctor found.
struct DoctorReport: Encodable, Sendable {
    /// How one thing is.
    enum Status: String, Encodable, Sendable {
        case ok
        case warning
        case failed
    }

    /// One thing that was looked at.
    struct Check: Encodable, Sendable {
        /// What it is: `data`, `terminal`.
        let name: String
        /// How it is.
        let status: Status
        /// What was found, and what to do where it is not well.
        let detail: String
    }

    /// The things in the order of looking.
    var checks: [Check] = []
    /// How the program ends: by the first thing that failed.
    var exitCode = ExitCode.done

    private enum Key: String, CodingKey {
        case checks
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(checks, forKey: .checks)
    }

    /// Adds what was found.
    mutating func add(_ name: String, _ status: Status, _ detail: String, failure: ExitCode = .done) {
        checks.append(Check(name: name, status: status, detail: detail))
        if status == .failed, exitCode == .done { exitCode = failure }
    }

    /// The report as lines for people.
    var text: String {
        let width = (checks.map(\.name.count).max() ?? 0) + 2
        return checks.map { check in
            let name = check.name + String(repeating: " ", count: width - check.name.count)
            return name + check.status.rawValue.padded(to: 9) + printable(check.detail, limit: 2_000) + "\n"
        }.joined()
    }
}

extension String {
    /// The text with spaces behind it, up to a width in characters.
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
