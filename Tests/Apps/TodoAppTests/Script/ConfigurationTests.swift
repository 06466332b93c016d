import AppLanguage
import CommandKit
import Foundation
import LocalProvider
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import TodoApp

@Suite("Configuration")
struct ConfigurationTests {
    private func configuration(
        _ arguments: [String] = [],
        _ environment: [String: String] = [:],
        isTerminal: Bool = true
    ) throws -> Configuration {
        let parsed = try AppCommands.table(program: "Dog", animal: "dog", version: "1").parse(arguments)
        guard case .run(let command) = parsed else { throw UsageError.unexpectedOperand("text", command: "Dog") }
        return try Configuration(
            flavour: .sample,
            command: command,
            context: Configuration.Context(
                environment: ["HOME": "/people/u", "TERM": "xterm-256color"].merging(environment) { $1 },
                isInputTerminal: isTerminal,
                isOutputTerminal: isTerminal
            )
        )
    }

    @Test("An option takes precedence over its variable, and the variable over the default")
    func order() throws {
        let both = ["PAWKIT_DATA_DIR": "/var/d", "PAWKIT_IMAGE_API": "http://127.0.0.1:1"]
        let given = try configuration(["--data-dir", "/opt/d", "--image-api", "http://127.0.0.1:2"], both)
        #expect(given.location.path == "/opt/d/dog")
        #expect(given.imageAPI == "http://127.0.0.1:2")
        let told = try configuration([], both)
        #expect(told.location.path == "/var/d/dog")
        #expect(told.imageAPI == "http://127.0.0.1:1")
        let empty = try configuration([], ["PAWKIT_DATA_DIR": "", "PAWKIT_IMAGE_API": ""])
        #expect(empty.imageAPI == "https://pictures.test")
    }

    @Test("By default, data is stored in the system's folder")
    func usual() throws {
        #if os(Linux)
            #expect(try configuration().location.path == "/people/u/.local/share/pawkit/dog")
            #expect(try configuration([], ["XDG_DATA_HOME": "/xdg"]).location.path == "/xdg/pawkit/dog")
            // The specification: a relative path counts as not set.
            #expect(try configuration([], ["XDG_DATA_HOME": "x"]).location.path == "/people/u/.local/share/pawkit/dog")
        #endif
    }

    @Test("The folder of config.json takes precedence over the system's, and a variable over it")
    func configured() throws {
        let folder = try TemporaryDirectory("configured")
        try folder.write(#"{"data": "/srv/todos"}"#, to: "pawkit/config.json")
        let environment = ["XDG_CONFIG_HOME": folder.path]
        #expect(try configuration([], environment).location.path == "/srv/todos/dog")
        let variable = environment.merging(["PAWKIT_DATA_DIR": "/var/d"]) { $1 }
        #expect(try configuration([], variable).location.path == "/var/d/dog")
    }

    @Test("Without any folder the error names the option", arguments: ["", "rel"])
    func nowhere(home: String) {
        #expect {
            try configuration([], ["HOME": home, "XDG_DATA_HOME": ""])
        } throws: {
            "\($0)".hasPrefix("the program needs a folder for its data; set HOME") && "\($0)".contains("--data-dir")
        }
    }

    @Test(
        "An invalid address is an error that contains the valid form",
        arguments: [
            "", "dog.ceo", "ftp://dog.ceo", "http://", "https:///x", "http://h?q=1", "http://h#f", "http://h:99999",
            "http://h:x", "http://a b", "javascript:alert(1)", "http://user:secret@h",
        ]
    )
    func badAddress(text: String) {
        #expect {
            try configuration(["--image-api", text])
        } throws: {
            guard case UsageError.invalidValue(let option, _, let hint) = $0 else { return false }
            return option.name == "image-api" && hint.contains("http://HOST:PORT")
        }
    }

    @Test(
        "An address loses the slash at its end and nothing else",
        arguments: [
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"), ("https://dog.ceo", "https://dog.ceo"),
            ("http://h/fault/404/", "http://h/fault/404"), ("HTTP://[::1]:80", "HTTP://[::1]:80"),
        ]
    )
    func address(text: String, kept: String) throws {
        #expect(try configuration(["--image-api", text]).imageAPI == kept)
    }

    @Test(
        "Colours are never, always or those of the terminal; on a pipe none, except for pictures with a requested style"
    )
    func colours() throws {
        #expect(try configuration().colorDepth == .indexed256)
        #expect(try configuration([], ["COLORTERM": "truecolor"]).colorDepth == .trueColor)
        #expect(try configuration(["--color", "never"]).colorDepth == .none)
        #expect(try configuration(["--plain"]).colorDepth == .none)
        #expect(try configuration([], ["NO_COLOR": "1"]).colorDepth == .none)
        #expect(try configuration(["--color", "always"], ["NO_COLOR": "1"]).colorDepth == .indexed256)
        #expect(try configuration(["--color", "always"], ["TERM": "dumb"]).colorDepth == .trueColor)
        let piped = try configuration(isTerminal: false)
        #expect(piped.colorDepth == .none)
        #expect(piped.possibleColorDepth == .indexed256)
        #expect(try configuration([], ["NO_COLOR": "1"], isTerminal: false).possibleColorDepth == .none)
    }

    @Test("Views are animated unless animations are disabled")
    func animation() throws {
        #expect(try configuration().isAnimated)
        #expect(try !configuration(["--no-animation"]).isAnimated)
        #expect(try !configuration(["--plain"]).isAnimated)
    }

    @Test("The language of the screens is that of the option, else that of the locale")
    func language() throws {
        #expect(try configuration().language == .english)
        #expect(try configuration([], ["LC_MESSAGES": "ko_KR.UTF-8"]).language == .korean)
        #expect(try configuration(["--language", "en"], ["LANG": "ko_KR.UTF-8"]).language == .english)
        #expect(throws: UsageError.self) { try configuration(["--language", "de"]) }
    }
}
