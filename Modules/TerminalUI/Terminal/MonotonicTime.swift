/// The time since an origin that stays the same while the process runs.
enum MonotonicTime {
    private static let origin = ContinuousClock.now

    static var now: Duration { ContinuousClock.now - origin }
}
