extension Clock where Duration == Swift.Duration {
    /// Tells how long it has been since now, whatever the clock's own instants are.
    func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: self.now) }
    }
}
