import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The processor time and the memory of a program, counted for its whole process.
struct ProcessTime {
    /// User and system time, in milliseconds.
    var milliseconds: Double
    /// The peak resident memory, in megabytes.
    var megabytes: Double

    /// Returns the medians over several runs of a program.
    static func median(_ program: String, _ arguments: [String], runs: Int) throws -> ProcessTime {
        let all = try (0..<runs).map { _ in try ProcessTime(running: program, arguments) }
        return ProcessTime(
            milliseconds: all.map(\.milliseconds).sorted()[runs / 2],
            megabytes: all.map(\.megabytes).sorted()[runs / 2]
        )
    }

    private init(milliseconds: Double, megabytes: Double) {
        self.milliseconds = milliseconds
        self.megabytes = megabytes
    }

    /// Runs a program, whose output is discarded.
    init(running program: String, _ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let words = ([program] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, program, &actions, nil, words + [nil], environ)
        guard failure == 0 else { throw POSIXError(.init(rawValue: failure) ?? .EIO) }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0 {
            guard errno == EINTR else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        }
        guard status == 0 else { throw ProgramFailed(program: program, status: status) }
        milliseconds = Self.milliseconds(usage.ru_utime) + Self.milliseconds(usage.ru_stime)
        #if canImport(Darwin)
            megabytes = Double(usage.ru_maxrss) / 1_048_576
        #else
            megabytes = Double(usage.ru_maxrss) / 1_024
        #endif
    }

    private static func milliseconds(_ time: timeval) -> Double {
        Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
    }
}

/// A measured program that did not end well, so that its time means nothing.
struct ProgramFailed: Error, CustomStringConvertible {
    let program: String
    let status: Int32

    var description: String { "\(program) ended with status \(status)" }
}
