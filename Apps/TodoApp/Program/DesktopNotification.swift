import SystemCalls

/// Notifications of the desktop by `notify-send`, where that program is on `PATH`.
@MainActor
final class DesktopNotification {
    private let program: String?
    private let environment: [String: String]
    /// The processes that have not ended.
    private var running: Set<pid_t> = []

    /// Finds the program.
    ///
    /// - Parameter environment: the environment variables, with which it runs.
    init(_ environment: [String: String]) {
        self.environment = environment
        program = environment["PATH"]?.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/notify-send" }
            .first { access($0, X_OK) == 0 }
    }

    /// Shows a notification without waiting for it. Control characters are omitted.
    func send(_ title: String, _ text: String) {
        running = running.filter { waitpid($0, nil, WNOHANG) == 0 }
        guard let program else { return }
        // The text may contain markup.
        let markup = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        let arguments = [program, "--", Self.harmless(title), Self.harmless(markup)]
        if let id = spawn(program, arguments) { running.insert(id) }
    }

    private static func harmless(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }

    /// Starts a program in a process group of its own, with the default signals, and without the terminal.
    private func spawn(_ program: String, _ arguments: [String]) -> pid_t? {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        for descriptor in Int32(0)...2 {
            posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var id = pid_t()
        return posix_spawn(&id, program, &files, &attributes, &words, &variables) == 0 ? id : nil
    }
}
