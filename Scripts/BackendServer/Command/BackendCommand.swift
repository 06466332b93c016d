import AccountCore
import CommandKit
import EssentialFoundation
import LoopbackServer
import PictureAPIs
import Pictures
import SystemCalls
import TextEscaping

/// `backend`: serves the accounts and the picture services on a loopback port, or draws a picture into a file.
@main
enum BackendCommand {
    /// A portrait to write into a file.
    struct Drawing {
        var animal: Portrait.Animal
        var path: String
        var format: PictureFormat
        var size = PixelSize(width: 240, height: 180)
        var seed = "1"
        var quality = 80
    }

    private static let port = CommandOption("port", value: "N", help: "the port; a free one by default")
    private static let fault = CommandOption(
        "fault",
        value: "RULE",
        help: "respond with a fault: \(faultNames); after api-, picture- or account- for these responses alone"
    )
    private static let data = CommandOption(
        "data",
        value: "DIR",
        help: "the folder of the accounts; a temporary one by default",
        completion: .folders
    )
    private static let messages = CommandOption(
        "messages",
        value: "FILE",
        help: "append the messages to telephone numbers to a file; standard error by default",
        completion: .files
    )
    private static let requiredVersion = CommandOption(
        "required-version",
        value: "V",
        help: "the oldest version of the app that is accepted"
    )
    private static let trustProxy = CommandOption(
        "trust-proxy",
        help: "limit attempts also by the last address of X-Forwarded-For"
    )
    private static let log = CommandOption("log", help: "a line on standard error for each account request")
    private static let draw = CommandOption(
        "draw",
        value: "ANIMAL FILE",
        help: "draw a dog or cat into a .png or .jpg, and exit",
        completion: .files
    )
    private static let size = CommandOption("size", value: "WIDTHxHEIGHT", help: "the size of the drawing, 240x180")
    private static let seed = CommandOption("seed", value: "TEXT", help: "the seed of the drawing, 1")
    private static let quality = CommandOption("quality", value: "Q", help: "the quality of a JPEG, 1 to 100; 80")

    private static let serverOptions = [port, data, messages, requiredVersion, trustProxy, log, fault]
    private static let drawingOptions = [size, seed, quality]

    private static let table = CommandTable<Int>(
        program: "backend",
        summary: "the accounts and the picture services of both flavours on a loopback port",
        commands: [
            Command(
                0,
                options: serverOptions + [draw] + drawingOptions,
                summary: "serve the accounts and the picture services, or draw a picture",
                examples: [
                    "", "--port 8080 --data accounts --messages messages.txt", "--fault picture-html",
                    "--draw dog dog.jpg --size 480x360",
                ]
            )
        ],
        topics: [
            .init(
                "Serving",
                """
                The URL of the server is printed; it serves until SIGINT or SIGTERM, of which
                a second one ends it at once, or until its terminal is closed, unless nohup
                started it. A single request has a fault with ?fault=RULE, all requests of a
                base URL with /fault/RULE at its end.
                """
            ),
            .init(
                "Accounts",
                """
                Dog and Cat use the accounts with --backend URL. With --data, accounts and
                sessions are there again after a restart, also after a crash. Messages to
                telephone numbers contain verification codes: a line for each, the number, a
                tab and the text. Damaged accounts, and those that cannot be read or written,
                are reported on standard error.
                """
            ),
        ],
        exitStatuses: [.init(0, "done"), .init(1, "the server or the drawing failed"), .init(2, "invalid arguments")]
    )

    private static var faultNames: String { PictureFault.allCases.map(\.rawValue).joined(separator: ", ") }

    static func main() {
        // Every thread inherits the mask, so that these signals interrupt none of them.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        if !POSIX.isIgnored(SIGHUP) { sigaddset(&signals, SIGHUP) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        do {
            switch try table.parse(Array(CommandLine.arguments.dropFirst())) {
            case .print(let text): try POSIX.writeAll(text, to: STDOUT_FILENO)
            case .run(let command):
                if let drawing = try drawing(command) {
                    try write(drawing)
                } else {
                    let folder = try accountFolder(command)
                    defer { if folder.isTemporary { try? FileManager.default.removeItem(atPath: folder.path) } }
                    let (port, fault) = (try portNumber(command), try faultRule(command))
                    let accounts = try AccountRoutes(try accountOptions(command, folder: folder.path))
                    let server = try PictureAPIServer(
                        port: port,
                        fault: fault,
                        recordsRequests: false,
                        // More than any request needs, so that the accounts can refuse a large one themselves.
                        limits: RequestLimits(head: 32 << 10, body: 64 << 10, time: .seconds(60)),
                        moreRoutes: [accounts]
                    )
                    // Unbuffered: a reader of a pipe receives the URL at once.
                    try POSIX.writeAll(server.baseURL + "\n", to: STDOUT_FILENO)
                    var signal: Int32 = 0
                    sigwait(&signals, &signal)
                    // A second signal ends the process at once; not SIGHUP, which the kernel and a shell both send when a
                    // terminal is closed.
                    sigdelset(&signals, SIGHUP)
                    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                    accounts.close()
                    server.stop()
                }
            }
        } catch {
            try? POSIX.writeAll("backend: \(error)\n", to: STDERR_FILENO)
            exit(error is UsageError ? 2 : 1)
        }
    }

    private static func portNumber(_ command: ParsedCommand<Int>) throws(UsageError) -> UInt16 {
        guard let text = command.value(port.name) else { return 0 }
        guard let number = UInt16(text) else {
            throw .invalidValue(port, value: text, hint: "it is a number from 0 to 65535")
        }
        return number
    }

    private static func faultRule(_ command: ParsedCommand<Int>) throws(UsageError) -> FaultRule? {
        guard let text = command.value(fault.name) else { return nil }
        guard let rule = FaultRule(text) else {
            throw .invalidValue(fault, value: text, hint: "the faults are \(faultNames)")
        }
        return rule
    }

    /// Returns the folder of the accounts.
    private static func accountFolder(_ command: ParsedCommand<Int>) throws -> (path: String, isTemporary: Bool) {
        if let path = command.value(data.name) {
            guard !path.isEmpty, !path.utf8.contains(0) else {
                throw UsageError.invalidValue(data, value: path, hint: "name a folder")
            }
            return (path, false)
        }
        let name = "pawkit-backend-\(UInt64.random(in: 0...UInt64.max))"
        return (FileManager.default.temporaryDirectory.appendingPathComponent(name).path, true)
    }

    private static func accountOptions(
        _ command: ParsedCommand<Int>,
        folder: String
    ) throws(UsageError) -> AccountRoutes.Options {
        var options = AccountRoutes.Options(folder: folder)
        if let text = command.value(requiredVersion.name) {
            guard AppVersion(text) != nil else {
                throw .invalidValue(requiredVersion, value: text, hint: "write numbers with dots, such as 1.2.0")
            }
            options.requiredVersion = text
        }
        options.messages = command.value(messages.name)
        options.trustsProxy = command.has(trustProxy.name)
        options.logs = command.has(log.name)
        return options
    }

    /// Returns the drawing of `--draw`, or `nil` for a server.
    private static func drawing(_ command: ParsedCommand<Int>) throws(UsageError) -> Drawing? {
        guard let values = command.allValues(draw.name) else {
            for option in drawingOptions where command.has(option.name) {
                throw .missingOperand(command: "--\(option.name)", operand: "--draw")
            }
            return nil
        }
        for option in serverOptions where command.has(option.name) {
            throw .unexpectedOperand("--\(option.name)", command: "--\(draw.name)")
        }
        guard let animal = Portrait.Animal(rawValue: values[0]) else {
            throw .invalidValue(draw, value: values[0], hint: "it is dog or cat")
        }
        let formats: [String: PictureFormat] = [".png": .png, ".jpg": .jpeg, ".jpeg": .jpeg]
        guard let format = formats.first(where: { values[1].lowercased().hasSuffix($0.key) })?.value else {
            throw .invalidValue(draw, value: values[1], hint: "name a .png or .jpg file")
        }
        var drawing = Drawing(animal: animal, path: values[1], format: format)
        if let text = command.value(size.name) {
            let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            guard sides.count == 2, sides.allSatisfy({ 1...4096 ~= $0 }) else {
                throw .invalidValue(size, value: text, hint: "write it as 240x180, each side from 1 to 4096")
            }
            drawing.size = PixelSize(width: sides[0], height: sides[1])
        }
        if let text = command.value(seed.name) { drawing.seed = text }
        if let text = command.value(quality.name) {
            guard let number = Int(text), 1...100 ~= number else {
                throw .invalidValue(quality, value: text, hint: "it is a number from 1 to 100")
            }
            drawing.quality = number
        }
        return drawing
    }

    /// Draws a portrait into its file.
    private static func write(_ drawing: Drawing) throws {
        let portrait = Portrait(drawing.animal, seed: drawing.seed)
        let file = PortraitFile(portrait, size: drawing.size, format: drawing.format)
        let bytes = try file.encoded(quality: drawing.quality)
        do throws(SystemError) {
            try POSIX.write(bytes, toFile: drawing.path)
        } catch {
            throw FileError(path: drawing.path, cause: error)
        }
    }
}

/// The error of a file that cannot be written.
struct FileError: Error, CustomStringConvertible {
    let path: String
    let cause: SystemError

    var description: String { "\(path.escapingControls()) cannot be written: \(cause)" }
}
