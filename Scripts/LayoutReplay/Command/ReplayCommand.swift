internal import ConstraintSolver

/// The command line of the tool.
public struct ReplayCommand {
    /// What `--help` prints.
    public static let help = """
        Runs replays of constraint systems on the solver and names what did not hold.

        usage: layout-replay [--verbose] FILE...

          FILE       JSON lines, a step each; - for standard input
          --verbose  a line for each file that held, too

        lines:
          {"case":name,...}                          optional, first: the name of the case
          {"vars":["x","y"]}                         makes variables
          {"add":id,"terms":[["x",1],["y",-1]],"relation":"eq|le|ge","constant":c,"priority":1...1000}
                                                     1*x - 1*y relation c; required (1000) without a priority
          {"remove":id}
          {"edit":"x","priority":p}                  a wish that x equal what is suggested, 0 at first
          {"suggest":"x","value":v}
          {"constant":id,"value":c}                  the right side becomes c
          {"expect":{"x":v},"tolerance":e}           values, after all lines so far
          {"violation":{"1000":0,"750":v},"tolerance":e}
                                                     the summed absolute violation of each priority; an edit counts
                                                     as an equality at its own
          {"unsatisfiable":id}                       the last add of id was refused and changed nothing

        An id is a string or a whole number, which is the same as its digits in quotes.
        Without a tolerance 1e-6 is allowed, times the number demanded where that is greater than 1. An add that is
        refused must be confirmed by a line "unsatisfiable". Each FILE begins with a solver of its own.

        examples:
          layout-replay case.jsonl
          layout-replay --verbose cases/*.jsonl
          generate | layout-replay -

        exit codes: 0 all held, 1 something did not, 2 a file could not be read, or wrong usage

        """

    /// How many failures of one file are printed.
    private static let most = 20

    /// Receives what goes to standard output and to standard error.
    private let put: (_ output: String, _ errors: String) -> Void

    /// Makes a command.
    ///
    /// - Parameter put: receives text for standard output and for standard error, as it comes.
    public init(put: @escaping (_ output: String, _ errors: String) -> Void) {
        self.put = put
    }

    /// Runs the command.
    ///
    /// - Parameter arguments: the arguments after the program's name.
    /// - Returns: the exit code.
    public func run(_ arguments: [String]) -> Int32 {
        var files: [String] = []
        var isVerbose = false
        var areOptions = true
        for argument in arguments {
            switch argument {
            case "--" where areOptions: areOptions = false
            case "--help" where areOptions, "-h" where areOptions:
                put(Self.help, "")
                return 0
            case "--verbose" where areOptions, "-v" where areOptions: isVerbose = true
            case _ where areOptions && argument.hasPrefix("-") && argument != "-":
                put("", "layout-replay: there is no option \(Self.shown(argument)); --help lists them\n")
                return 2
            default: files.append(argument)
            }
        }
        guard !files.isEmpty else {
            put("", "layout-replay: name at least one file, or - for standard input; --help tells more\n")
            return 2
        }
        return run(files, isVerbose)
    }

    private func run(_ files: [String], _ isVerbose: Bool) -> Int32 {
        var unreadable = 0
        var failed = 0
        var steps = 0
        for file in files {
            let name = Self.shown(file == "-" ? "standard input" : file)
            do throws(ReplayFormatError) {
                guard let program = try read(file, name) else {
                    unreadable += 1
                    continue
                }
                steps += program.lines.count
                let failures = ReplayRunner<Solver>.failures(of: program)
                let title = program.name.map { " (\(Self.shown($0)))" } ?? ""
                for failure in failures.prefix(Self.most) {
                    put("\(name):\(failure.line): \(Self.shown(failure.message))\(title)\n", "")
                }
                if failures.count > Self.most {
                    put("\(name): \(failures.count - Self.most) lines more did not hold\(title)\n", "")
                }
                if !failures.isEmpty {
                    failed += 1
                } else if isVerbose {
                    put("\(name): \(Self.count(program.lines.count, "step")) held\(title)\n", "")
                }
            } catch {
                unreadable += 1
                put("", "layout-replay: \(name):\(error.line): \(Self.shown(error.message))\n")
            }
        }
        var summary = ["\(Self.count(files.count, "file"))", "\(Self.count(steps, "step"))"]
        if failed > 0 { summary.append("\(failed) did not hold") }
        if unreadable > 0 { summary.append("\(unreadable) could not be read") }
        if failed + unreadable == 0 { summary.append("all held") }
        put(summary.joined(separator: ", ") + "\n", "")
        return unreadable > 0 ? 2 : failed > 0 ? 1 : 0
    }

    /// - Returns: the program; `nil` when the file could not be opened or read, which has been told.
    private func read(_ file: String, _ name: String) throws(ReplayFormatError) -> ReplayProgram? {
        let bytes: [UInt8]
        do throws(ReplayFile.Failure) {
            bytes = try ReplayFile.bytes(file)
        } catch {
            put("", "layout-replay: \(name): \(error.message)\n")
            return nil
        }
        return try ReplayProgram(text: bytes)
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Text from a file or the command line without what could steer a terminal.
    private static func shown(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
            shown += isControl ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        return shown
    }
}
