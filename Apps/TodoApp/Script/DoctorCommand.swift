import LocalProvider
import NetworkProvider
import PictureCore
import Pictures
import TerminalUI
import TextEscaping
import TodoCore

/// The `doctor` command: looks at everything the app stands on, and says what is amiss.
@MainActor
struct DoctorCommand {
    let flavour: Flavour
    let services: any RootDependency
    let configuration: Configuration
    let terminalSize: Size

    /// Looks at one thing after the other; nothing is changed.
    func run() async -> DoctorReport {
        var report = DoctorReport()
        report.add("program", .ok, "\(flavour.name) \(Program.version)")
        await look(atTodos: &report)
        await look(atPicture: &report)
        look(atTerminal: &report)
        await look(atService: &report)
        await look(atBackend: &report)
        return report
    }

    private func look(atTodos report: inout DoctorReport) async {
        report.add("data", .ok, services.dataDirectory)
        do {
            let todos = try await services.todoStore.todos()
            let open = todos.count { !$0.isDone && !$0.isArchived }
            report.add("todos", .ok, "\(todos.count) kept, \(open) open")
        } catch {
            report.add("todos", .failed, "\(error)", failure: .data)
        }
    }

    private func look(atPicture report: inout DoctorReport) async {
        let last = await services.pictureService.last()
        let source =
            last.reference.map { "the last picture, \($0.url.escapingControls(limit: 200))" } ?? "the bundled picture"
        do {
            let decoded = try await services.pictureService.decode(last, fitting: nil)
            report.add("picture", .ok, "\(source), \(decoded.originalSize.width) x \(decoded.originalSize.height)")
        } catch {
            report.add("picture", .failed, "\(error)", failure: .data)
        }
    }

    private func look(atTerminal report: inout DoctorReport) {
        let surroundings = configuration.surroundings
        let term = surroundings.environment["TERM"] ?? ""
        guard surroundings.isOutputTerminal, surroundings.isInputTerminal else {
            report.add(
                "terminal",
                .warning,
                "standard input or output is none: commands work, the full screen does not"
            )
            return
        }
        let told = TerminalCapabilities(environment: surroundings.environment)
        let detail =
            "\(term.escapingControls(limit: 80)), \(terminalSize.width) x \(terminalSize.height), colours: \(told.colorDepth.rawValue), "
            + (told.isUnicode ? "UTF-8" : "not UTF-8: set LANG to a UTF-8 locale")
        let isWell = told.isFullScreen && told.isUnicode && terminalSize.width >= 40 && terminalSize.height >= 12
        report.add("terminal", isWell ? .ok : .warning, detail)
    }

    private func look(atService report: inout DoctorReport) async {
        let clock = ContinuousClock()
        let start = clock.now
        do {
            let breeds = try await services.pictureService.breeds()
            let spent = Self.milliseconds(start.duration(to: clock.now))
            report.add("pictures", .ok, "\(configuration.imageAPI) answered in \(spent) ms, \(breeds.count) breeds")
        } catch {
            report.add("pictures", .failed, "\(error)", failure: .network)
        }
    }

    /// Whether the account server that was named can be reached; any answer will do.
    private func look(atBackend report: inout DoctorReport) async {
        guard let backend = configuration.backend else { return }
        let clock = ContinuousClock()
        let start = clock.now
        do {
            let answer = try await NetworkProvider().response(BackendRoot(base: backend))
            let spent = Self.milliseconds(start.duration(to: clock.now))
            report.add("backend", .ok, "\(backend) answered \(answer.head.status) in \(spent) ms")
        } catch {
            report.add("backend", .failed, "\(error)", failure: .network)
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
    }
}

/// The root of an account server.
private struct BackendRoot: PictureTarget {
    let base: String

    let path = "/"
    let validation = ResponseValidation.any
}

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
            return name + check.status.rawValue.padded(to: 9) + check.detail.escapingControls(limit: 2_000) + "\n"
        }.joined()
    }
}

extension String {
    /// The text with spaces behind it, up to a width in characters.
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
