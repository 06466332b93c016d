#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Nanoseconds of a clock that never goes back; plain integers, for it is read with every packet.
typealias Nanoseconds = Int64

/// The monotonic clock.
enum MonotonicTime {
    static var now: Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Nanoseconds(time.tv_sec) * 1_000_000_000 + Nanoseconds(time.tv_nsec)
    }
}

extension Duration {
    /// The duration in nanoseconds, cut to a year, so that sums never overflow.
    var nanoseconds: Nanoseconds {
        let year: Int64 = 366 * 86_400
        let (seconds, attoseconds) = components
        if seconds >= year { return year * 1_000_000_000 }
        if seconds < 0 { return 0 }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
