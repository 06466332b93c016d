import CommandKit
import LocalProvider
import PictureCore
import TerminalUI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the command line and the environment ask for, taken together.
struct Configuration: Sendable {
    /// The process's surroundings.
    struct Surroundings: Sendable {
        /// The environment's variables.
        var environment: [String: String]
        /// Whether standard input is a terminal.
        var isInputTerminal: Bool
        /// Whether standard output is a terminal.
        var isOutputTerminal: Bool
    }

    /// The folder of this flavour, in which everything is kept.
    let location: FileStoreLocation
    /// Where the picture API is, without a slash at the end.
    let imageAPI: String
    /// Where the account server is, without a slash at the end; `nil` where none was named.
    let backend: String?
    /// The colours that may be written to standard output.
    let colorDepth: ColorDepth
    /// The colours that there would be, were it not for standard output being no terminal; none where the user wants
    /// none.
    let possibleColorDepth: ColorDepth
    /// Whether plain lines are wanted.
    let isPlain: Bool
    /// Whether things may move on the screen.
    let isAnimated: Bool
    /// The process's surroundings.
    let surroundings: Surroundings

    /// Takes options before variables, and variables before what is usual.
    ///
    /// - Throws: ``UsageError/invalidValue(_:value:hint:)`` for an address or a folder that cannot be used.
    init(flavour: Flavour, command: AppCommand, surroundings: Surroundings) throws(UsageError) {
        let environment = surroundings.environment
        self.surroundings = surroundings
        location = try Self.location(flavour: flavour, command: command, environment: environment)
        imageAPI = try Self.address(
            Self.value("image-api", command, environment) ?? flavour.pictures.address,
            option: "image-api"
        )
        if let text = Self.value("backend", command, environment) {
            backend = try Self.address(text, option: "backend")
        } else {
            backend = nil
        }
        isPlain = command.has("plain")
        isAnimated = !command.has("no-animation") && !isPlain

        let told = TerminalCapabilities(environment: environment).colorDepth
        switch isPlain ? "never" : command.value("color") ?? "auto" {
        case "never":
            possibleColorDepth = .none
            colorDepth = .none
        case "always":
            // Asked for outright, against NO_COLOR and an unknown terminal too.
            var asked = environment
            asked["NO_COLOR"] = nil
            let depth = TerminalCapabilities(environment: asked).colorDepth
            possibleColorDepth = depth == .none ? .trueColor : depth
            colorDepth = possibleColorDepth
        default:
            let refuses = environment["NO_COLOR"]?.isEmpty == false
            possibleColorDepth = refuses ? .none : told == .none ? .trueColor : told
            colorDepth = surroundings.isOutputTerminal ? told : .none
        }
    }

    private static func value(_ name: String, _ command: AppCommand, _ environment: [String: String]) -> String? {
        if let value = command.value(name) { return value }
        guard let variable = AppCommands.options.first(where: { $0.name == name })?.variable else { return nil }
        return environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func location(
        flavour: Flavour,
        command: AppCommand,
        environment: [String: String]
    ) throws(UsageError) -> FileStoreLocation {
        if let directory = value("data-dir", command, environment) {
            guard !directory.isEmpty, !directory.utf8.contains(0) else {
                throw invalid("data-dir", directory, hint: "name a folder")
            }
            return FileStoreLocation(directory: directory + "/" + flavour.namespace)
        }
        do {
            let shared = try FileStoreLocation(namespace: "pawkit", environment: environment)
            return FileStoreLocation(directory: shared.path + "/" + flavour.namespace)
        } catch {
            throw invalid("data-dir", "", hint: "HOME is not set; name a folder with --data-dir")
        }
    }

    private static func address(_ text: String, option: String) throws(UsageError) -> String {
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let url = URL(string: trimmed), let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", url.host?.isEmpty == false, url.query == nil, url.fragment == nil,
            url.port.map({ (1...65_535).contains($0) }) ?? true, url.user == nil
        else {
            throw invalid(option, text, hint: "write http://HOST:PORT or https://HOST")
        }
        return trimmed
    }

    private static func invalid(_ name: String, _ value: String, hint: String) -> UsageError {
        guard let option = AppCommands.options.first(where: { $0.name == name }) else {
            return .unknownOption(name, nearest: nil)
        }
        return .invalidValue(option, value: value, hint: hint)
    }
}
