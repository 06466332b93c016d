import CommandKit
import TextEscaping

/// The command line of the tool.
public struct GraphCommand {
    /// The result of a command: bytes for standard output, text for standard error, the exit status.
    public struct Result: Sendable {
        /// The bytes for standard output.
        public var output: [UInt8] = []
        /// The text for standard error.
        public var errors = ""
        /// 0 done, 1 something was found, 2 invalid arguments or rules, 3 unreadable.
        public var status: Int32 = 0

        /// Standard output as text.
        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    enum Verb: Hashable, Sendable { case draw, diff, check, affected }

    typealias Parsed = ParsedCommand<Verb>

    private let reader: PackageReader
    private let notice: ((String) -> Void)?

    /// Creates a command.
    ///
    /// - Parameters:
    ///   - defaultPackage: the folder of the package if the arguments have none.
    ///   - notice: receives text for standard error as soon as there is some, such as what long work will do; without it,
    ///     the text is in ``Result/errors``.
    public init(defaultPackage: String, notice: ((String) -> Void)? = nil) {
        self.init(reader: PackageReader(path: defaultPackage), notice: notice)
    }

    /// Creates a command with the reader of the default package.
    init(reader: PackageReader, notice: ((String) -> Void)? = nil) {
        self.reader = reader
        self.notice = notice
    }

    /// Runs the command.
    ///
    /// - Parameter arguments: the arguments after the program's name.
    /// - Returns: the result; it includes errors.
    public func run(_ arguments: [String]) -> Result {
        var notices = ""
        var result = run(arguments) { line in
            let text = "dependency-graph: \(line)\n"
            if let notice { notice(text) } else { notices += text }
        }
        result.errors = notices + result.errors
        return result
    }

    private func run(_ arguments: [String], notice: @escaping (String) -> Void) -> Result {
        do {
            switch try Self.table.parse(arguments) {
            case .print(let text): return Result(output: Array(text.utf8))
            case .run(let command):
                let reader = command.operands.first.map(reader.reader) ?? packageAbove(notice)
                switch command.verb {
                case .draw:
                    if let folder = command.operands.first { try Self.refuseMistypedCommand(folder) }
                    return try DrawCommand(command: command, reader: reader, notice: notice).run()
                case .diff:
                    return try DiffCommand(command: command, reader: self.reader, notice: notice).run()
                case .check: return try CheckCommand(command: command, reader: reader).run()
                case .affected: return try AffectedCommand(command: command, reader: reader).run()
                }
            }
        } catch {
            let isUsage = error is UsageError
            let status = isUsage ? 2 : (error as? GraphError)?.exitStatus ?? 3
            return Result(errors: "dependency-graph: \(error)\n", status: status)
        }
    }

    /// Returns the reader of the default package: of the nearest one above the folder if the folder itself has none.
    private func packageAbove(_ notice: (String) -> Void) -> PackageReader {
        var folder = reader.path[...]
        while !Files.exists(folder + "/Package.swift"), let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
        }
        guard folder.count < reader.path.count, !folder.isEmpty else { return reader }
        notice("the package is \(folder)")
        return reader.reader(of: String(folder))
    }

    /// Throws an error if a folder does not exist and its name is near that of a command.
    private static func refuseMistypedCommand(_ folder: String) throws {
        let commands = [DiffCommand.command, CheckCommand.command, AffectedCommand.command].flatMap(\.words)
        guard !Files.exists(folder), let nearest = NearestName.of(folder, among: commands) else { return }
        throw GraphError.usage("there is no folder or command \(folder); did you mean \(nearest)?")
    }

    /// Returns the name if a target has it; otherwise throws an error with the nearest name.
    static func name(_ name: String, in graph: PackageGraph) throws -> String {
        if graph[name] != nil { return name }
        let nearest = NearestName.of(name, among: graph.targets.map(\.name))
        throw GraphError.usage("there is no target \(name)" + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }

    /// Writes the output to the file of `--output`, or returns it for standard output.
    static func write(_ bytes: [UInt8], _ command: Parsed) throws -> Result {
        guard let file = command.value("output") else { return Result(output: bytes) }
        try Files.write(bytes, to: file)
        return Result()
    }
}

extension GraphCommand {
    static let package = Operands.optional("PACKAGE", completion: .folders)
    static let output = CommandOption(
        "output",
        letter: "o",
        value: "FILE",
        help: "write to a file instead of standard output",
        completion: .files
    )
    static let format = CommandOption("format", value: "F", help: "text or json", choices: ["text", "json"])

    private static let table = CommandTable<Verb>(
        program: "dependency-graph",
        summary: "draws and checks the target graph of a Swift package, offline and unresolved",
        commands: [DrawCommand.command, DiffCommand.command, CheckCommand.command, AffectedCommand.command],
        topics: [CheckCommand.rulesTopic],
        exitStatuses: [
            .init(0, "done"), .init(1, "something was found"), .init(2, "invalid arguments or rules"),
            .init(3, "the package, or a file of it, cannot be read"),
        ]
    )
}
