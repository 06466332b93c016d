internal import CommandKit
internal import ConstraintSolver
internal import SystemCalls
internal import TextEscaping

/// The command line of the tool.
public struct ReplayCommand {
    private static let table = CommandTable<Int>(
        program: "layout-replay",
        summary: "runs replays of constraint systems on the solver and prints what did not hold",
        commands: [
            Command(
                0,
                operands: .oneOrMore("FILE", completion: .files),
                options: [CommandOption("verbose", letter: "v", help: "print a line for each file that held, too")],
                summary: "run the files; - is standard input",
                examples: ["case.jsonl", "--verbose cases/*.jsonl", "-"]
            )
        ],
        topics: [
            .init(
                "Lines",
                """
                {"case":name,...}                          optional, first: the name of the case
                {"vars":["x","y"]}                         creates variables
                {"add":id,"terms":[["x",1],["y",-1]],"relation":"eq|le|ge","constant":c,"priority":1...1000}
                                                           1*x - 1*y relation c; required (1000) without a priority
                {"remove":id}                              removes a constraint
                {"edit":"x","priority":p}                  makes x editable, with the value 0 at first
                {"suggest":"x","value":v}                  suggests a value for x
                {"constant":id,"value":c}                  sets the right side of a constraint
                {"expect":{"x":v},"tolerance":e}           expects values after the lines so far
                {"violation":{"1000":0,"750":v},"tolerance":e}
                                                           expects the sum of the absolute violations of each priority;
                                                           an edit counts as an equality of its priority
                {"unsatisfiable":id}                       expects that the last add of id was refused without a change

                An id is a string or an integer, which equals the string of its digits.
                The default tolerance is 1e-6, times the expected number if that is greater than 1. An add that is refused
                must be followed by a line "unsatisfiable". Each file begins with a new solver.
                """
            )
        ],
        exitStatuses: [
            .init(0, "all held"), .init(1, "something did not hold"),
            .init(2, "a file could not be read, or invalid arguments"),
        ]
    )

    /// The maximum number of failures of a file that are printed.
    private static let failureLimit = 20

    /// Receives the text for standard output and for standard error.
    private let write: (_ output: String, _ errors: String) -> Void

    /// Creates a command.
    ///
    /// - Parameter write: receives the text for standard output and for standard error as it is produced.
    public init(write: @escaping (_ output: String, _ errors: String) -> Void) { self.write = write }

    /// Runs the command.
    ///
    /// - Parameter arguments: the arguments after the program's name.
    /// - Returns: the exit status.
    public func run(_ arguments: [String]) -> Int32 {
        do throws(UsageError) {
            switch try Self.table.parse(arguments) {
            case .print(let text):
                write(text, "")
                return 0
            case .run(let command): return run(command.operands, isVerbose: command.has("verbose"))
            }
        } catch {
            write("", "layout-replay: \(error)\n")
            return 2
        }
    }

    private func run(_ files: [String], isVerbose: Bool) -> Int32 {
        var unreadable = 0
        var failed = 0
        var steps = 0
        for file in files {
            let name = (file == "-" ? "standard input" : file).escapingControls()
            do throws(ReplayFailure) {
                guard let program = try read(file, name) else {
                    unreadable += 1
                    continue
                }
                steps += program.lines.count
                let failures = ReplayRunner<Solver>.failures(of: program)
                let title = program.name.map { " (\($0.escapingControls()))" } ?? ""
                for failure in failures.prefix(Self.failureLimit) {
                    write("\(name):\(failure.line): \(failure.message.escapingControls())\(title)\n", "")
                }
                if failures.count > Self.failureLimit {
                    write("\(name): \(failures.count - Self.failureLimit) more failures\(title)\n", "")
                }
                if !failures.isEmpty {
                    failed += 1
                } else if isVerbose {
                    write("\(name): \(Self.count(program.lines.count, "step")) held\(title)\n", "")
                }
            } catch {
                unreadable += 1
                write("", "layout-replay: \(name):\(error.line): \(error.message.escapingControls())\n")
            }
        }
        var summary = ["\(Self.count(files.count, "file"))", "\(Self.count(steps, "step"))"]
        if failed > 0 { summary.append("\(failed) did not hold") }
        if unreadable > 0 { summary.append("\(unreadable) could not be read") }
        if failed + unreadable == 0 { summary.append("all held") }
        write(summary.joined(separator: ", ") + "\n", "")
        return unreadable > 0 ? 2 : failed > 0 ? 1 : 0
    }

    /// Reads a replay; `nil` if the file cannot be read, which is reported.
    private func read(_ file: String, _ name: String) throws(ReplayFailure) -> ReplayProgram? {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = file == "-" ? try POSIX.readAll(STDIN_FILENO) : try POSIX.contents(of: file)
        } catch {
            write("", "layout-replay: \(name): \(Self.reason(error))\n")
            return nil
        }
        return try ReplayProgram(text: bytes)
    }

    private static func reason(_ error: SystemError) -> String {
        switch error.code {
        case ENOENT: "there is no such file"
        case EISDIR: "it is a folder; pass its files"
        default: "it cannot be read: \(error)"
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
