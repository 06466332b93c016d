import SystemCalls

/// The limit of open files of the process.
///
/// The system libraries end the process if they cannot open their own files, so that the limit is checked before they are used.
enum FileLimit {
    /// The number of files that the app needs: standard streams, the files of the stores, and the connections.
    static let required = 32

    /// Raises a limit that is too low, where the system allows it; otherwise returns what to do.
    static func problem() -> String? {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < required else { return nil }
        let before = limit.rlim_cur
        limit.rlim_cur = min(limit.rlim_max, 256)
        if limit.rlim_cur >= required, setrlimit(resource, &limit) == 0 { return nil }
        return "the limit of open files is \(before), and the app needs \(required): raise it with `ulimit -n 256`"
    }
}
