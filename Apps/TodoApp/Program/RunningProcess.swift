import SystemCalls

/// The processes of the machine.
enum RunningProcess {
    /// The ID of this process.
    static var current: Int32 { getpid() }

    /// Whether a process is running.
    static func exists(_ id: Int32) -> Bool { id > 0 && (kill(id, 0) == 0 || errno == EPERM) }

    /// The arguments of the command line without the program, `nil` for those that are not UTF-8.
    static var arguments: [String?] {
        (1..<max(1, Int(CommandLine.argc))).map { index in
            CommandLine.unsafeArgv[index].flatMap { String(validatingCString: $0) }
        }
    }
}
