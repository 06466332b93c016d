import CommandKit
import LocalProvider
import RIBs
import TerminalUI
import TextEscaping
import TodoCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A flavour of the app: parses the command line, then runs the full screen or a command.
@MainActor
public struct Program {
    /// The version that `--version` prints.
    public static let version = "0.1.0"

    let flavour: Flavour
    let console: Console
    let surroundings: Configuration.Surroundings

    /// The name of the command, for its help and messages: an installed program has another one than the flavour.
    var commandName: String { surroundings.commandName ?? flavour.name }

    /// Runs the command line of the process.
    public static func run(_ flavour: Flavour) async -> Never {
        let path = CommandLine.arguments.first ?? ""
        let program = Program(
            flavour: flavour,
            console: .standard,
            surroundings: Configuration.Surroundings(
                commandName: path.split(separator: "/").last.map(String.init),
                environment: ProcessInfo.processInfo.environment,
                isInputTerminal: isatty(STDIN_FILENO) == 1,
                isOutputTerminal: isatty(STDOUT_FILENO) == 1
            )
        )
        let code = await program.run(Array(CommandLine.arguments.dropFirst()))
        exit(code.rawValue)
    }

    /// Runs a command line.
    func run(_ arguments: [String]) async -> ExitCode {
        if let problem = FileLimit.problem() {
            console.note("\(commandName): \(problem)")
            return .data
        }
        do throws(ScriptFailure) {
            let result = try await result(of: arguments)
            for notice in result.notices { console.note("\(commandName): \(notice)") }
            guard console.write(result.output) else {
                throw ScriptFailure(.data, "standard output cannot be written; is the disk full?")
            }
            return result.exitCode
        } catch {
            if let message = error.message { console.note("\(commandName): \(message)") }
            return error.exitCode
        }
    }

    private func result(of arguments: [String]) async throws(ScriptFailure) -> ScriptResult {
        let command: AppCommand
        let configuration: Configuration
        do throws(UsageError) {
            let table = AppCommands.table(program: commandName, animal: flavour.animal, version: Self.version)
            switch try table.parse(arguments) {
            case .print(let text): return ScriptResult(output: text)
            case .run(let parsed): command = parsed
            }
            configuration = try Configuration(flavour: flavour, command: command, surroundings: surroundings)
        } catch {
            throw ScriptFailure(error)
        }
        let services = AppServices(
            flavour: flavour,
            configuration: configuration,
            // The doctor reports whether the service responds now.
            cachesResponses: command.verb != .doctor
        )
        return try await run(command, configuration: configuration, services: services)
    }

    private func run(
        _ command: AppCommand,
        configuration: Configuration,
        services: AppServices
    ) async throws(ScriptFailure) -> ScriptResult {
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
        case .accountStatus, .accountSignUp, .accountLogin, .accountLogout, .accountWithdraw:
            return try await AccountCommands(
                account: services.account,
                console: console,
                prompt: .standard(isInputTerminal: surroundings.isInputTerminal),
                program: commandName,
                server: configuration.backend
            ).run(command)
        case .doctor:
            let report = await DoctorCommand(
                flavour: flavour,
                services: services,
                configuration: configuration,
                terminalSize: Terminal().size
            ).run(checksLayout: command.has("layout"))
            if command.has("json") {
                var result = ScriptResult.json(report)
                result.exitCode = report.exitCode
                return result
            }
            return ScriptResult(output: report.text, exitCode: report.exitCode)
        default:
            return try await todos(configuration, services).run(command)
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
            pictures: PictureChoice(command),
            canInspect: command.has("inspect")
        )
    }

    /// The screens are printed as lines where a user can read them and type commands.
    private func isPlainScreen(_ configuration: Configuration) -> Bool {
        configuration.isPlain && surroundings.isInputTerminal && surroundings.isOutputTerminal
    }

    /// The full screen requires a terminal that can position its cursor, for input and output.
    private func isFullScreen(_ configuration: Configuration) -> Bool {
        !configuration.isPlain && surroundings.isInputTerminal && surroundings.isOutputTerminal
            && TerminalCapabilities(environment: surroundings.environment).isFullScreen
    }

    private func todos(_ configuration: Configuration, _ services: AppServices) -> TodoCommands {
        TodoCommands(
            store: services.todoStore,
            console: console,
            clock: services.todoClock,
            isStyled: configuration.colorDepth != .none,
            spoken: surroundings.isOutputTerminal && !configuration.isPlain ? configuration.language : nil
        )
    }

    private func pictures(_ configuration: Configuration, _ services: AppServices) -> PictureCommands {
        PictureCommands(
            service: services.pictureService,
            settings: services.settings,
            configuration: configuration,
            terminalSize: Terminal().size
        )
    }
}
