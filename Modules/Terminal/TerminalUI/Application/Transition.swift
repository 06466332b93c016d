internal import NeedleKit

/// A short movement of a view into its place, on the window's clock.
@MainActor
struct Transition {
    /// The time of a movement.
    static let duration = Duration.milliseconds(120)
    /// The time of a frame.
    static let interval = Duration.milliseconds(16)

    /// Calls a closure with the remaining share of a movement, from 1 to 0. Without animations or outside of a window it
    /// is called once with 0. Returns the task of the movement, to cancel it; `nil` if it is complete.
    @discardableResult
    static func run(in window: Window?, _ body: @escaping @MainActor (_ remaining: Double) -> Void) -> Task<
        Void, Never
    >? {
        guard let window, window.animationsEnabled else {
            body(0)
            return nil
        }
        let clock = window.clock
        let steps = Int(duration / interval)
        body(1)
        return Task {
            for step in 1...steps {
                guard (try? await clock.pause(for: interval)) != nil else { break }
                let share = Double(step) / Double(steps)
                // Fast at first, slow at the end.
                body((1 - share) * (1 - share))
            }
            body(0)
        }
    }
}

extension Clock where Duration == Swift.Duration {
    /// Suspends for a duration that counts from this call.
    ///
    /// `sleep(for:)` reads the time on another thread, when that gets its turn: late on a busy machine.
    @MainActor
    func pause(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration), tolerance: nil)
    }
}
