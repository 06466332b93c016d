public import Foundation
import SystemCalls

extension ChildProcess {
    /// What a program that is started leads, besides itself.
    public enum Leadership: Sendable {
        case nothing, processGroup, session
    }

    /// Starts a program with the default signals, for what `Process` cannot do.
    ///
    /// It inherits no descriptors but the three standard ones. Otherwise it would hold the pipes and sockets of tests that run at
    /// the same time, which wait for the end of these.
    ///
    /// - Parameters:
    ///   - path: the path of the program.
    ///   - arguments: the arguments without the program's name.
    ///   - environment: its variables.
    ///   - files: the files of its standard descriptors, opened for reading and writing; those with the file of the first one are
    ///     copies of that descriptor. It inherits the others.
    ///   - leadership: what the program leads.
    /// - Returns: the ID of the process.
    /// - Throws: `POSIXError` if the program cannot be started.
    public static func spawn(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        files: [Int32: String],
        leading leadership: Leadership = .nothing
    ) throws -> pid_t {
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
        for descriptor in Int32(0)...2 {
            if let file = files[descriptor], descriptor > 0, file == files[0] {
                posix_spawn_file_actions_adddup2(&actions, 0, descriptor)
            } else if let file = files[descriptor] {
                posix_spawn_file_actions_addopen(&actions, descriptor, file, O_RDWR, 0)
            } else {
                #if canImport(Darwin)
                    posix_spawn_file_actions_addinherit_np(&actions, descriptor)
                #endif
            }
        }
        var flags = Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        switch leadership {
        case .nothing: break
        case .processGroup: flags |= Int32(POSIX_SPAWN_SETPGROUP)
        case .session: flags |= newSession
        }
        #if canImport(Darwin)
            flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #else
            typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt
            // Declared for GNU source only; C libraries without it have no replacement that is free of races.
            if let symbol = dlsym(dlopen(nil, RTLD_NOW), "posix_spawn_file_actions_addclosefrom_np") {
                _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, 3)
            }
        #endif
        // The tests may run in the background or below nohup, where signals are ignored, which a program would inherit.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let words = ([path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup("\($0)=\($1)") }
        defer { (words + variables).forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, path, &actions, &attributes, words + [nil], variables + [nil])
        guard code == 0 else { throw POSIXError(.init(rawValue: code) ?? .EIO) }
        return process
    }

    /// POSIX_SPAWN_SETSID, which is hidden behind feature macros of the C libraries.
    #if canImport(Darwin)
        private static let newSession: Int32 = 0x400
    #else
        private static let newSession: Int32 = 0x80
    #endif
}
