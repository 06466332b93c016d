import SystemCalls
import Threading

/// Runs programs and waits for their end.
enum Subprocess {
    /// The exit status and the output of a program.
    struct Outcome {
        var status: Int32
        var output: [UInt8]
        var errors: [UInt8]

        var text: String { String(decoding: output, as: UTF8.self) }
        var errorText: String { String(decoding: errors, as: UTF8.self) }
    }

    /// The number of processors.
    static let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    /// At most one program for each processor runs at the same time.
    private static let slots = Semaphore(processors)

    /// Runs the program `arguments[0]`, which is searched in PATH.
    ///
    /// Its output goes to files rather than pipes, so that it never blocks.
    ///
    /// - Throws: ``GraphError`` if there is no such program, or if it cannot be started.
    static func run(_ arguments: [String], install: String) throws -> Outcome {
        slots.wait()
        defer { slots.signal() }
        return try Files.withTemporaryFolder { folder in
            let (output, errors) = (folder + "/output", folder + "/errors")
            let status = try wait(for: start(arguments, output: output, errors: errors, install: install))
            return Outcome(status: status, output: try Files.read(output), errors: try Files.read(errors))
        }
    }

    /// Runs a program that must succeed, and returns its output.
    ///
    /// - Throws: ``GraphError/failed(program:message:)`` with its error output if its exit status is not 0.
    static func output(of arguments: [String], install: String) throws -> [UInt8] {
        let outcome = try run(arguments, install: install)
        guard outcome.status == 0 else {
            throw GraphError.failed(program: arguments.joined(separator: " "), message: outcome.errorText.trimmed)
        }
        return outcome.output
    }

    private static func start(_ arguments: [String], output: String, errors: String, install: String) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The program receives the signals that this one waits for (``Interruption``).
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)

        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var process = pid_t()
        switch posix_spawnp(&process, arguments[0], &actions, &attributes, &pointers, environ) {
        case 0: return process
        case ENOENT: throw GraphError.missingProgram(name: arguments[0], install: install)
        case let code:
            let error = SystemError(code: code, call: "posix_spawn")
            throw GraphError.failed(program: arguments[0], message: "it cannot be started (\(error))")
        }
    }

    /// Returns the exit status of a process, or 128 and the number of the signal that ended it.
    private static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }
}
