/// An action of a screen that keys trigger.
public struct KeyAction: Hashable, Sendable {
    /// The name in the file of the keys, such as `todos.new`.
    public let name: String
    /// What the action does, in a word or two.
    public let text: KeyText
    /// The keys without a file, the one that the hint line shows first.
    public let keys: [Key]
    /// Whether the keys are used rarely; see ``KeyHint/isRare``.
    public let isRare: Bool

    /// Creates an action.
    public init(_ name: String, _ text: KeyText, _ keys: [Key], isRare: Bool = false) {
        (self.name, self.text, self.keys, self.isRare) = (name, text, keys, isRare)
    }
}

/// The actions of a screen, each with its default keys.
public protocol ScreenAction: CaseIterable, Equatable {
    /// The action for the key map.
    var keyAction: KeyAction { get }
}
