import SystemCalls

/// Another program, started by this one.
struct ChildProgram {
    /// The path of the program.
    let path: String
    /// The arguments after the name of the program.
    let arguments: [String]
    /// The environment variables.
    let environment: [String: String]

    /// Starts the program with the default signals.
    ///
    /// - Parameter isDetached: whether it has a process group of its own and no terminal, as for work in the background.
    /// - Returns: the ID of the process; `nil` if it cannot be started.
    func start(isDetached: Bool) -> pid_t? {
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
        if isDetached {
            for descriptor in Int32(0)...2 {
                posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
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

    /// Runs the program on the terminal until it ends. Keys that interrupt are for it alone meanwhile.
    ///
    /// - Returns: its exit status; 127 if it cannot be started, and 128 and more after a signal.
    func run() -> Int32 {
        let signals = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in signals { _ = signal(number, handler) } }
        // Ctrl-Z stops this process like the other one.
        return run {}
    }

    /// Runs the program on the terminal until it ends, in a process with signal handlers of its own.
    ///
    /// - Parameter stop: called whenever the program was stopped.
    /// - Returns: as ``run()``.
    func run(whenStopped stop: () -> Void) -> Int32 {
        guard let id = start(isDetached: false) else { return 127 }
        var status: Int32 = 0
        while true {
            guard waitpid(id, &status, WUNTRACED) >= 0 || errno == EINTR else { return 127 }
            if status & 0xFF == 0x7F { stop() } else { break }
        }
        let cause = status & 0x7F
        return cause == 0 ? (status >> 8) & 0xFF : 128 + cause
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
