/// What a write survives once it has returned.
public enum LocalDurability: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// Kept by this process only, and written together with what is written next: by another write, by `flush`, or at
    /// the latest when the store closes. A crash of the process loses it.
    ///
    /// Where an optional is expected, write `LocalDurability.none`: Swift takes a bare `.none` for `nil`.
    case none
    /// Given to the system: survives the end of the process, even by `kill -9`, not a loss of power.
    case written
    /// On the disk: survives a loss of power.
    case synced

    /// The weaker one is less.
    public static func < (left: LocalDurability, right: LocalDurability) -> Bool {
        left.rawValue < right.rawValue
    }
}
