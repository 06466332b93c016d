/// The cat service's count of requests a minute, told in its header fields; nobody is turned away here.
actor Allowance {
    private static let limit = 120
    private static let window = Duration.seconds(60)
    private var windowStart = ContinuousClock.now
    private var spent = 0

    /// Counts a request and gives the fields that tell what is left.
    func spend() -> [(name: String, value: String)] {
        let now = ContinuousClock.now
        if now - windowStart >= Self.window { (windowStart, spent) = (now, 0) }
        spent += 1
        let reset = max(1, Self.window.components.seconds - (now - windowStart).components.seconds)
        return [
            ("RateLimit-Limit", "\(Self.limit)"),
            ("RateLimit-Remaining", "\(max(0, Self.limit - spent))"),
            ("RateLimit-Reset", "\(reset)"),
        ]
    }
}
