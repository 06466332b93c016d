import AppLanguage
import CommandKit
import EssentialFoundation
import LocalProvider
import PictureCore
import TerminalUI

/// The options of the command line and the environment.
struct Configuration: Sendable {
    /// The environment of the process.
    struct Context: Sendable {
        /// The last part of the path by which the program was started; `nil` if it is unknown.
        var commandName: String?
        /// The environment variables.
        var environment: [String: String]
        /// Whether standard input is a terminal.
        var isInputTerminal: Bool
        /// Whether standard output is a terminal.
        var isOutputTerminal: Bool
    }

    /// The folder of the flavour, which contains all files.
    let location: FileStoreLocation
    /// The path of the key that seals the tokens of the account, outside of the folder of the data unless `--data-dir` is
    /// specified.
    let accountKeyPath: String
    /// The base URL of the picture API, without a slash at the end.
    let imageAPI: String
    /// The base URL of the account server, without a slash at the end; `nil` if none was specified.
    let backend: String?
    /// The colours of standard output.
    let colorDepth: ColorDepth
    /// The colours if standard output were a terminal; `none` if the user has disabled colours.
    let possibleColorDepth: ColorDepth
    /// Whether the output is plain lines.
    let isPlain: Bool
    /// Whether views may be animated.
    let isAnimated: Bool
    /// The choices of the settings.
    let preferences: Preferences
    /// The language of the screens.
    let language: AppLanguage
    /// The environment of the process.
    let context: Context

    /// Creates a configuration. Options take precedence over variables and the settings, and these over defaults.
    ///
    /// - Throws: ``UsageError/invalidValue(_:value:hint:)`` for an invalid address or folder.
    init(flavour: Flavour, command: AppCommand, context: Context) throws(UsageError) {
        let environment = context.environment
        self.context = context
        preferences = Preferences(environment)
        location = try Self.location(
            flavour: flavour,
            directory: Self.value("data-dir", command, environment) ?? preferences.dataFolder,
            environment: environment
        )
        accountKeyPath = Self.keyPath(flavour: flavour, command: command, environment: environment, location: location)
        imageAPI = try Self.address(
            Self.value("image-api", command, environment) ?? flavour.pictures.address,
            option: "image-api"
        )
        if let text = Self.value("backend", command, environment) {
            backend = try Self.address(text, option: "backend")
        } else {
            backend = nil
        }
        language = AppLanguage.preferred(
            option: command.value("language") ?? preferences.language?.rawValue,
            environment: environment
        )
        isPlain = command.has("plain")
        isAnimated = !command.has("no-animation") && !isPlain

        let reported = TerminalCapabilities(environment: environment).colorDepth
        switch isPlain ? "never" : command.value("color") ?? "auto" {
        case "never":
            possibleColorDepth = .none
            colorDepth = .none
        case "always":
            // An explicit request takes precedence over NO_COLOR and an unknown terminal.
            var colored = environment
            colored["NO_COLOR"] = nil
            let depth = TerminalCapabilities(environment: colored).colorDepth
            possibleColorDepth = depth == .none ? .trueColor : depth
            colorDepth = possibleColorDepth
        default:
            let refuses = environment["NO_COLOR"]?.isEmpty == false
            possibleColorDepth = refuses ? .none : reported == .none ? .trueColor : reported
            colorDepth = context.isOutputTerminal ? reported : .none
        }
    }

    private static func value(_ name: String, _ command: AppCommand, _ environment: [String: String]) -> String? {
        if let value = command.value(name) { return value }
        guard let variable = AppCommands.options.first(where: { $0.name == name })?.variable else { return nil }
        return environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func location(
        flavour: Flavour,
        directory: String?,
        environment: [String: String]
    ) throws(UsageError) -> FileStoreLocation {
        if let directory {
            guard !directory.isEmpty, !directory.utf8.contains(0) else {
                throw invalid("data-dir", directory, hint: "name a folder")
            }
            return FileStoreLocation(directory: directory + "/" + flavour.namespace)
        }
        do {
            let shared = try FileStoreLocation(namespace: "pawkit", environment: environment)
            return FileStoreLocation(directory: shared.path + "/" + flavour.namespace)
        } catch {
            let folder = "a folder for its data; set HOME to an absolute path, or name one with --data-dir"
            throw .missingOperand(command: "the program", operand: folder)
        }
    }

    private static func keyPath(
        flavour: Flavour,
        command: AppCommand,
        environment: [String: String],
        location: FileStoreLocation
    ) -> String {
        if let directory = value("data-dir", command, environment) {
            return "\(directory)/keys/\(flavour.namespace).key"
        }
        if let folder = ConfigurationFile.folder(environment) { return "\(folder)/\(flavour.namespace).key" }
        return location.path + "/account.key"
    }

    private static func address(_ text: String, option: String) throws(UsageError) -> String {
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let url = URL(string: trimmed), let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", url.host?.isEmpty == false, url.query == nil, url.fragment == nil,
            url.port.map({ (1...65_535).contains($0) }) ?? true, url.user == nil
        else { throw invalid(option, text, hint: "write http://HOST:PORT or https://HOST") }
        return trimmed
    }

    private static func invalid(_ name: String, _ value: String, hint: String) -> UsageError {
        guard let option = AppCommands.options.first(where: { $0.name == name }) else {
            return .unknownOption(name, nearest: nil)
        }
        return .invalidValue(option, value: value, hint: hint)
    }
}
