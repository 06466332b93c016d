/// The keys that move through content, also by letters as in `less` and `vi`.
public enum MovementKeys {
    /// The letters and the movement keys that they are read as.
    public static let letters: [Key: Key] = [
        .character("h"): Key(.left), .character("j"): Key(.down), .character("k"): Key(.up),
        .character("l"): Key(.right), .character("g"): Key(.home), .character("G"): Key(.end),
    ]

    /// Returns the number of rows by which a key scrolls content that is read, such as a text or a list of keys.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - height: the number of visible rows.
    ///   - content: the number of rows of the content.
    /// - Returns: the rows, negative towards the start; `nil` for a key that does not scroll.
    public static func rows(_ key: Key, height: Int, content: Int) -> Int? {
        switch letters[key] ?? key {
        case Key(.up): -1
        case Key(.down): 1
        case Key(.pageUp): -max(1, height - 1)
        case Key(.pageDown): max(1, height - 1)
        case Key(.home): -content
        case Key(.end): content
        default: nil
        }
    }

    /// Returns the number of rows by which the wheel scrolls; `nil` for another event.
    public static func rows(_ event: MouseEvent) -> Int? {
        switch event.kind {
        case .wheelUp: -3
        case .wheelDown: 3
        default: nil
        }
    }
}
