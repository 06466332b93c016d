import SystemCalls

/// Another program, started by this one.
struct ChildProgram {
    /// The path of the program.
    let path: String
    /// The arguments after the name of the program.
    let arguments: [String]
    /// The environment variables.
    let environment: [String: String]

    /// Starts the program with the default signals, on the terminal or, with three standard files, in a new process group.
    /// Returns the ID of the process; `nil` if it cannot be started.
    func start(standard: [Int32]? = nil) -> pid_t? {
        #if canImport(Darwin)
            var files: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var files = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var flags = Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        if let standard {
            for (number, descriptor) in standard.enumerated() {
                posix_spawn_file_actions_adddup2(&files, descriptor, Int32(number))
            }
            flags |= Int32(POSIX_SPAWN_SETPGROUP)
        }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var id = pid_t()
        return posix_spawn(&id, path, &files, &attributes, &words, &variables) == 0 ? id : nil
    }

    /// Runs the program on the terminal until it ends. Keys that interrupt are for it alone.
    ///
    /// - Returns: its exit status; 127 if it cannot be started, and 128 and more after a signal.
    func run() -> Int32 {
        let signals = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in signals { _ = signal(number, handler) } }
        // Ctrl-Z stops this process like the other one.
        return run {}
    }

    /// Runs the program on the terminal until it ends, in a process with other signal handlers.
    func run(whenStopped stop: () -> Void) -> Int32 {
        guard let id = start() else { return 127 }
        while let status = Self.wait(for: id, WUNTRACED) {
            if status & 0xFF != 0x7F { return Self.exitStatus(status) }
            stop()
        }
        return 127
    }

    /// Waits for a process.
    ///
    /// - Returns: its status; `nil` with `WNOHANG` while it runs. A status that the system does not report is the exit status 127,
    ///   so that a program of unknown success has failed.
    private static func wait(for id: pid_t, _ options: Int32) -> Int32? {
        var status: Int32 = 0
        while true {
            let changed = waitpid(id, &status, options)
            if changed == id { return status }
            if changed == 0 { return nil }
            guard errno == EINTR else { return 127 << 8 }
        }
    }

    private static func exitStatus(_ status: Int32) -> Int32 {
        let cause = status & 0x7F
        return cause == 0 ? (status >> 8) & 0xFF : 128 + cause
    }

    /// How a program without a terminal ended.
    enum Outcome {
        /// Its exit status, 128 and more after a signal, with its output and its error output.
        case ended(status: Int32, output: [UInt8], errors: [UInt8])
        /// It cannot be started, or the temporary folder cannot be written.
        case notStarted
        /// It, and the processes that it has started, were killed after the time limit.
        case timeLimit
        /// They were killed because of an output above the limit.
        case outputLimit
    }

    /// Runs the program with an input and without a terminal until it ends. This blocks the thread.
    ///
    /// Its input and output are temporary files, so that neither process waits for the other.
    func run(input: [UInt8], timeLimit: Duration, outputLimit: Int) -> Outcome {
        var files: [Int32] = []
        defer { for file in files { POSIX.close(file) } }
        for _ in 0...2 {
            var path = Array("\(environment["TMPDIR"] ?? "/tmp")/pawkit-XXXXXX".utf8CString)
            let file = mkstemp(&path)
            guard file >= 0 else { return .notStarted }
            unlink(path)
            // Another child must not inherit it.
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
            files.append(file)
        }
        guard (try? POSIX.writeAll(input, to: files[0])) != nil, lseek(files[0], 0, SEEK_SET) == 0,
            let id = start(standard: files)
        else { return .notStarted }
        let clock = ContinuousClock()
        let deadline = clock.now + timeLimit
        var ended = Self.wait(for: id, WNOHANG)
        while ended == nil {
            let isTooLong = files[1...].contains { (try? POSIX.status($0).size) ?? 0 > outputLimit }
            if isTooLong || clock.now > deadline {
                kill(-id, SIGKILL)
                _ = Self.wait(for: id, 0)
                return isTooLong ? .outputLimit : .timeLimit
            }
            usleep(2000)
            ended = Self.wait(for: id, WNOHANG)
        }
        let texts = files[1...].compactMap { file in
            lseek(file, 0, SEEK_SET)
            return try? POSIX.readAll(file, limit: outputLimit)
        }
        guard let ended, texts.count == 2 else { return .outputLimit }
        return .ended(status: Self.exitStatus(ended), output: texts[0], errors: texts[1])
    }

    /// The user's editor with a file: `VISUAL`, `EDITOR` or `vi`, which may have arguments, as a shell reads them.
    static func editor(_ file: String, _ environment: [String: String]) -> ChildProgram {
        let editor = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
        return ChildProgram(
            path: "/bin/sh",
            arguments: ["-c", "\(editor) \"$@\"", editor, file],
            environment: environment
        )
    }
}
