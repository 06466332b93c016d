/// A row of a list; it is used again for other rows when it has scrolled away.
@MainActor
open class ListCell: View {
    /// Whether the row is selected.
    public internal(set) var isSelected = false { didSet { if isSelected != oldValue { selectionDidChange() } } }
    /// Whether the list has the focus.
    public internal(set) var isListFocused = false { didSet { if isListFocused != oldValue { selectionDidChange() } } }
    /// The row it shows.
    public internal(set) var row = 0

    /// A cell without content; lists make cells by this initialiser.
    public required override init() {
        super.init()
    }

    /// Called before the cell shows another row: what the last one left is to be cleared.
    open func prepareForReuse() {}

    /// Called when the selection or the list's focus changed; shows it by the theme's colours.
    open func selectionDidChange() {
        background = isSelected ? (isListFocused ? theme.selection : theme.inactiveSelection) : nil
    }

    /// Takes the colours of the window's theme for its selection.
    open override func didMoveToWindow() { selectionDidChange() }
    /// Takes the colours for its selection anew.
    open override func traitsDidChange() { selectionDidChange() }
}
