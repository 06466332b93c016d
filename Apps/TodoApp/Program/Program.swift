import AccountCore
import AppLanguage
import CommandKit
import EssentialFoundation
import LocalProvider
import RIBs
import SystemCalls
import TerminalUI
import TextEscaping
import TodoCore
import TodoSync

/// A flavour of the app: parses the command line, then runs the full screen or a command.
@MainActor
public struct Program {
    /// The version that `--version` prints.
    public static let version = "0.1.0"

    let flavour: Flavour
    let console: Console
    let context: Configuration.Context

    /// The name of the command, for its help and messages: an installed program has another one than the flavour.
    var commandName: String { context.commandName ?? flavour.name }

    /// Runs the command line of the process.
    public static func run(_ flavour: Flavour) async -> Never {
        // A parent that ignores this signal passes that on, and then the system discards the exit statuses of child programs.
        _ = signal(SIGCHLD, SIG_DFL)
        let path = CommandLine.arguments.first ?? ""
        let program = Program(
            flavour: flavour,
            console: .standard,
            context: Configuration.Context(
                commandName: path.split(separator: "/").last.map(String.init),
                environment: ProcessInfo.processInfo.environment,
                isInputTerminal: isatty(STDIN_FILENO) == 1,
                isOutputTerminal: isatty(STDOUT_FILENO) == 1
            )
        )
        let arguments = RunningProcess.arguments
        if let index = arguments.firstIndex(of: nil) {
            program.console.note(
                "\(program.commandName): argument \(index + 1) is not UTF-8; convert it, or set LC_ALL"
            )
            exit(ExitCode.usage.rawValue)
        }
        let outcome = await program.outcome(of: arguments.compactMap(\.self))
        // The process ends with the result: to release each todo of a long list would take a tenth of its time.
        withExtendedLifetime(outcome.result) { exit(outcome.exitCode.rawValue) }
    }

    /// Runs a command line.
    func run(_ arguments: [String]) async -> ExitCode { await outcome(of: arguments).exitCode }

    private func outcome(of arguments: [String]) async -> (exitCode: ExitCode, result: ScriptResult?) {
        if let problem = FileLimit.problem() {
            console.note("\(commandName): \(problem)")
            return (.data, nil)
        }
        do throws(ScriptFailure) {
            let result = try await result(of: arguments)
            for notice in result.notices { console.note("\(commandName): \(notice)") }
            guard result.writeOutput(to: console.write) else {
                throw ScriptFailure(.data, "standard output cannot be written; is the disk full?")
            }
            return (result.exitCode, result)
        } catch {
            if let message = error.message { console.note("\(commandName): \(message)") }
            return (error.exitCode, nil)
        }
    }

    private func result(of arguments: [String]) async throws(ScriptFailure) -> ScriptResult {
        let command: AppCommand
        let configuration: Configuration
        do throws(UsageError) {
            let table = table
            switch try table.parse(AppCommands.expandingRemovals(arguments, table)) {
            case .print(let text): return ScriptResult(output: text)
            case .run(let parsed): command = parsed
            }
            configuration = try Configuration(flavour: flavour, command: command, context: context)
        } catch {
            throw ScriptFailure(error)
        }
        return try await run(command, configuration: configuration)
    }

    private func run(_ command: AppCommand, configuration: Configuration) async throws(ScriptFailure) -> ScriptResult {
        // The commands of the todos start without them.
        lazy var services = AppServices(
            flavour: flavour,
            configuration: configuration,
            // The doctor reports whether the service responds now.
            cachesResponses: command.verb != .doctor
        )
        switch command.verb {
        case .screen where isFullScreen(configuration):
            return try await fullScreen(command, configuration, services).run()
        case .screen where isPlainScreen(configuration):
            return try await fullScreen(command, configuration, services).runPlain(Console.inputLines())
        case .open:
            return try await open(command, configuration: configuration, services: services)
        case .picture:
            return try await pictures(configuration, services).picture(command)
        case .breeds:
            return try await pictures(configuration, services).breeds(command)
        case .favouriteList, .favouriteAdd, .favouriteRemove:
            return try await FavouriteCommands(favourites: services.favourites, service: services.pictureService)
                .run(command)
        case .screenshot:
            return try await ScreenshotCommand(services: services, configuration: configuration).run(command)
        case .accountStatus, .accountSignUp, .accountLogin, .accountPassword, .accountLogout, .accountWithdraw:
            return try await AccountCommands(
                account: services.account,
                console: console,
                prompt: .standard(isInputTerminal: context.isInputTerminal),
                program: commandName,
                server: configuration.backend,
                todos: TodoRemoval(store: services.todoStore, sync: services.sync)
            ).run(command)
        case .sync, .syncAdd, .syncStatus, .syncRemove:
            return try await syncs(configuration).run(command)
        case .doctor:
            let report = await DoctorCommand(
                flavour: flavour,
                services: services,
                configuration: configuration,
                terminalSize: Terminal().size
            ).run(checksLayout: command.has("layout"), writes: command.has("write"))
            if command.has("json") {
                var result = ScriptResult.json(report)
                result.exitCode = report.exitCode
                return result
            }
            return ScriptResult(output: report.text, exitCode: report.exitCode)
        case .configGet, .configSet:
            let store = AppServices.todoStore(configuration)
            return try await ConfigCommands(
                preferences: configuration.preferences,
                environment: context.environment,
                store: store,
                profile: LocalSettings(local: LocalProvider(location: configuration.location))
            ).run(command)
        default:
            let store = AppServices.todoStore(configuration)
            var result = try await todos(store, configuration).run(command)
            result.notices = configuration.preferences.problems.map(\.english) + store.removedEnds + result.notices
            return result
        }
    }

    private func open(
        _ command: AppCommand,
        configuration: Configuration,
        services: AppServices
    ) async throws(ScriptFailure) -> ScriptResult {
        let text = command.operands.first ?? ""
        guard let link = DeepLink(text) else {
            throw ScriptFailure(.usage, "\(text.quoted(limit: 60)) is not a link; write \(DeepLink.forms)")
        }
        let screen = fullScreen(command, configuration, services, link: link)
        if isPlainScreen(configuration) { return try await screen.runPlain(Console.inputLines()) }
        guard isFullScreen(configuration) else {
            throw ScriptFailure(.terminal, "a link opens the full screen, which requires a terminal")
        }
        return try await screen.run()
    }

    private func fullScreen(
        _ command: AppCommand,
        _ configuration: Configuration,
        _ services: AppServices,
        link: DeepLink? = nil
    ) -> FullScreen {
        FullScreen(
            configuration: configuration,
            services: services,
            console: console,
            link: link,
            pictures: PictureChoice(command, configuration.preferences),
            canInspect: command.has("inspect")
        )
    }

    /// The screens are printed as lines where a user can read them and type commands.
    private func isPlainScreen(_ configuration: Configuration) -> Bool {
        configuration.isPlain && context.isInputTerminal && context.isOutputTerminal
    }

    /// The full screen requires a terminal that can position its cursor, for input and output.
    private func isFullScreen(_ configuration: Configuration) -> Bool {
        !configuration.isPlain && context.isInputTerminal && context.isOutputTerminal
            && TerminalCapabilities(environment: context.environment).isFullScreen
    }

    private func todos(_ store: TodoStore, _ configuration: Configuration) -> TodoCommands {
        let (preferences, environment) = (configuration.preferences, context.environment)
        return TodoCommands(
            store: store,
            console: console,
            clock: TodoClock(),
            isStyled: configuration.colorDepth != .none,
            spoken: context.isOutputTerminal && !configuration.isPlain ? configuration.language : nil,
            language: configuration.language,
            dates: preferences.dates,
            defaults: (preferences.view, preferences.sort),
            templates: AppServices.templates(environment),
            openEditor: { ChildProgram.editor($0, environment).run() },
            parse: { arguments throws(UsageError) in
                let table = table
                guard case .run(let command) = try table.parse(AppCommands.expandingRemovals(arguments, table)) else {
                    throw .unexpectedOperand("--help", command: "todo batch")
                }
                return command
            }
        )
    }

    private func syncs(_ configuration: Configuration) -> SyncCommands {
        let store = TodoStore(directory: configuration.location, now: { Date() })
        return SyncCommands(
            setup: SyncSetup(store, configuration),
            store: store,
            prompt: .standard(isInputTerminal: context.isInputTerminal),
            console: console,
            language: configuration.language
        )
    }

    private var table: CommandTable<AppVerb> {
        AppCommands.table(program: commandName, animal: flavour.animal, version: Self.version)
    }

    private func pictures(_ configuration: Configuration, _ services: AppServices) -> PictureCommands {
        PictureCommands(
            service: services.pictureService,
            settings: services.settings,
            configuration: configuration,
            terminalSize: Terminal().size,
            cellSize: Terminal().cellSize
        )
    }
}
