import AccountCore
import AppLanguage
import AppUI
import LocalProvider
import PictureCore
import Pictures
import RIBs
import TerminalUI
import TextEscaping
import TodoCore

/// The `doctor` command: checks the stored data, the terminal and the services.
@MainActor
struct DoctorCommand {
    let flavour: Flavour
    let services: AppServices
    let configuration: Configuration
    let terminalSize: GridSize

    /// Runs the checks one after the other; on request those of the layout, and of writing to a server.
    func run(checksLayout: Bool = false, writes: Bool = false) async -> DoctorReport {
        var report = DoctorReport()
        report.add("program", .ok, "\(flavour.name) \(Program.version)")
        report.add("data", .ok, services.dataDirectory)
        await checkTodos(&report)
        checkHooks(&report)
        await checkSettings(&report)
        await checkAccounts(&report)
        await checkPicture(&report)
        checkTerminal(&report)
        await checkPictureService(&report)
        await checkBackend(&report)
        await checkSync(&report, writes: writes)
        if checksLayout { await checkLayout(&report) }
        return report
    }

    private func checkTodos(_ report: inout DoctorReport) async {
        do {
            let contents = try await services.todoStore.contents()
            let open = contents.todos.count { !$0.isDone && !$0.isArchived }
            report.add("todos", .ok, "\(contents.todos.count) stored, \(open) open")
            for damage in contents.damage { report.add("todos", .failed, "\(damage)", failure: .data) }
            for end in (services.todoStore as? TodoStore)?.removedEnds ?? [] { report.add("todos", .warning, end) }
        } catch {
            report.add("todos", .failed, "\(error)", failure: .data)
        }
    }

    private func checkHooks(_ report: inout DoctorReport) {
        guard let hooks = TodoHooks(configuration.context.environment) else { return }
        for path in TodoHooks.Event.allCases.flatMap(hooks.files) {
            let name = path.escapingControls(limit: 500)
            if TodoHooks.isExecutable(path) {
                report.add("hooks", .ok, name)
            } else {
                report.add("hooks", .warning, "\(name) does not run: `chmod +x` makes it executable")
            }
        }
    }

    private func checkSettings(_ report: inout DoctorReport) async {
        let damage = await services.settings.damage()
        for problem in damage { report.add("settings", .failed, problem, failure: .data) }
        let problems =
            services.themeProblems.map(\.english)
            + services.keyMap.problems.map { "\(KeyMapFile.name): \($0.english)" }
        for problem in problems { report.add("settings", .warning, problem) }
        if damage.isEmpty, problems.isEmpty { report.add("settings", .ok, "readable") }
    }

    /// Checks the accounts of the embedded backend.
    private func checkAccounts(_ report: inout DoctorReport) async {
        guard configuration.backend == nil else { return }
        let damage = await AccountBackend.damage(in: AccountBackend.embeddedLocation(in: configuration.location))
        for problem in damage { report.add("accounts", .failed, problem(.english), failure: .data) }
        if damage.isEmpty { report.add("accounts", .ok, "readable") }
    }

    private func checkPicture(_ report: inout DoctorReport) async {
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

    private func checkTerminal(_ report: inout DoctorReport) {
        let context = configuration.context
        guard context.isOutputTerminal, context.isInputTerminal else {
            let detail = "standard input or output is not a terminal: commands work, the full screen does not"
            report.add("terminal", .warning, detail)
            return
        }
        let term = (context.environment["TERM"] ?? "").escapingControls(limit: 80)
        let capabilities = TerminalCapabilities(environment: context.environment)
        let encoding = capabilities.isUnicode ? "UTF-8" : "not UTF-8: set LANG to a UTF-8 locale"
        let size = "\(terminalSize.width) x \(terminalSize.height)"
        let isSuitable =
            capabilities.isFullScreen && capabilities.isUnicode && terminalSize.width >= 40 && terminalSize.height >= 12
        report.add(
            "terminal",
            isSuitable ? .ok : .warning,
            "\(term), \(size), colours: \(capabilities.colorDepth.rawValue), \(encoding)"
        )
    }

    private func checkPictureService(_ report: inout DoctorReport) async {
        let start = ContinuousClock.now
        do {
            let breeds = try await services.pictureService.breeds()
            let time = Self.milliseconds(since: start)
            report.add("pictures", .ok, "\(configuration.imageAPI) responded in \(time) ms, \(breeds.count) breeds")
        } catch {
            report.add("pictures", .failed, "\(error)", failure: .network)
        }
    }

    /// Checks that the address is one of an account server, and that it accepts this version.
    private func checkBackend(_ report: inout DoctorReport) async {
        guard let backend = configuration.backend else { return }
        let start = ContinuousClock.now
        switch await services.account.checkVersion() {
        case .current:
            let time = Self.milliseconds(since: start)
            report.add("backend", .ok, "\(backend) responded in \(time) ms")
        case .outdated(let version):
            report.add("backend", .failed, "\(backend): \(version.text(.english))", failure: .network)
        case .unknown(let reason):
            report.add("backend", .failed, "\(backend): \(reason(.english))", failure: .network)
        }
    }

    /// Shows the main screen in memory at several sizes and reports constraints that conflict or leave a frame open.
    private func checkLayout(_ report: inout DoctorReport) async {
        for size in [
            GridSize(width: 100, height: 30), GridSize(width: 60, height: 20), GridSize(width: 40, height: 12),
        ] {
            let application = OffscreenApplication(root: ViewController(), size: size, theme: services.appearance.theme)
            let root = RootBuilder(dependency: services).build { _ in }
            root.launch(in: ScreenWindow(application: application.application))
            await application.settle()
            let problems = application.application.window.layoutDiagnostics
            root.interactable.deactivate()
            let name = "\(size.width) x \(size.height)"
            for problem in problems { report.add("layout", .warning, "\(name): \(problem)") }
            if problems.isEmpty { report.add("layout", .ok, name) }
        }
    }

    private static func milliseconds(since start: ContinuousClock.Instant) -> Int {
        Int((ContinuousClock.now - start) / .milliseconds(1))
    }
}

/// The results of the `doctor` command.
struct DoctorReport: Encodable, Sendable {
    /// The result of a check.
    enum Status: String, Encodable, Sendable {
        case ok
        case warning
        case failed
    }

    /// A check.
    struct Check: Encodable, Sendable {
        /// The name of the part, such as `data` or `terminal`.
        let name: String
        /// The result.
        let status: Status
        /// What was found, and what to do if there is a problem.
        let detail: String
    }

    /// The checks, in their order.
    var checks: [Check] = []
    /// The exit status: that of the first failed check.
    var exitCode = ExitCode.done

    private enum CodingKeys: CodingKey {
        case checks
    }

    /// Adds a check.
    mutating func add(_ name: String, _ status: Status, _ detail: String, failure: ExitCode = .done) {
        checks.append(Check(name: name, status: status, detail: detail))
        if status == .failed, exitCode == .done { exitCode = failure }
    }

    /// The report as lines of text.
    var text: String {
        let width = (checks.map(\.name.count).max() ?? 0) + 2
        return checks.map { check in
            let name = check.name + String(repeating: " ", count: width - check.name.count)
            return name + check.status.rawValue.padded(to: 9) + check.detail.escapingControls(limit: 2_000) + "\n"
        }.joined()
    }
}

extension String {
    /// The text with spaces appended, up to a width in characters.
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
