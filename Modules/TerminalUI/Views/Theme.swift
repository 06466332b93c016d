/// The styles of an application by the role of what they show.
///
/// The body keeps the terminal's own colours, so that it is readable on light and dark grounds alike; only surfaces
/// (bars, panels, fields, selections) bring colours of their own, letters and ground together.
public struct Theme: Hashable, Sendable {
    /// The application's colour: focus, links, primary buttons, the spinner.
    public var tint: Color
    /// Ordinary text.
    public var text = Style.plain
    /// Text that steps back: hints, dates, counts.
    public var secondary = Style(attributes: .dim)
    /// Headings.
    public var title = Style(attributes: .bold)
    /// Toolbars and tab bars.
    public var bar: Style
    /// Panels over the content: drawers and alerts.
    public var panel: Style
    /// A message at the lower edge.
    public var snackbar: Style
    /// The selected row of a list that has the focus.
    public var selection: Style
    /// The selected row of a list that has not.
    public var inactiveSelection: Style
    /// A text field.
    public var field: Style
    /// A text field with the focus.
    public var focusedField: Style
    /// What a field shows while it is empty.
    public var placeholder: Style
    /// A button.
    public var button: Style
    /// A button that answers Enter first.
    public var primaryButton: Style
    /// A button with the focus.
    public var focusedButton: Style
    /// A button that does nothing now.
    public var disabledButton: Style
    /// Lines and scroll bars.
    public var border = Style(attributes: .dim)
    /// What went wrong, and destructive buttons.
    public var error: Style
    /// What went well.
    public var success: Style
    /// What needs care.
    public var warning: Style
    /// Whether it does without colours; controls then draw brackets and marks.
    public var isMonochrome: Bool

    /// A theme in colours around a tint; `onTint` is for letters on it.
    public init(tint: Color = .hex(0x3D7EFF), onTint: Color = .hex(0xFFFFFF)) {
        self.tint = tint
        let light = Color.hex(0xE6E8EC)
        bar = Style(foreground: onTint, background: tint, attributes: .bold)
        panel = Style(foreground: light, background: .hex(0x2A2D34))
        snackbar = Style(foreground: .hex(0x1B1D21), background: .hex(0xF2E8C9))
        selection = Style(foreground: onTint, background: tint)
        inactiveSelection = Style(foreground: light, background: .hex(0x4A4F5A))
        field = Style(foreground: light, background: .hex(0x363A43))
        focusedField = Style(foreground: .hex(0xFFFFFF), background: .hex(0x454B57))
        placeholder = Style(foreground: .hex(0xA3A9B5))
        button = Style(foreground: light, background: .hex(0x4A4F5A))
        primaryButton = Style(foreground: light, background: .hex(0x4A4F5A), attributes: .bold)
        focusedButton = Style(foreground: onTint, background: tint, attributes: .bold)
        disabledButton = Style(foreground: .hex(0x8A8F99), background: .hex(0x33363D))
        error = Style(foreground: .hex(0xF1616B))
        success = Style(foreground: .hex(0x4CB782))
        warning = Style(foreground: .hex(0xE0A03C))
        isMonochrome = false
    }

    /// The theme for a terminal without colours: reverse, bold and underline carry what colours do.
    public static let monochrome: Theme = {
        var theme = Theme(tint: .standard, onTint: .standard)
        let reverse = Style(attributes: .reverse)
        theme.bar = Style(attributes: [.reverse, .bold])
        theme.panel = .plain
        theme.snackbar = reverse
        theme.selection = reverse
        theme.inactiveSelection = Style(attributes: .bold)
        theme.field = Style(attributes: .underline)
        theme.focusedField = Style(attributes: [.underline, .bold])
        theme.placeholder = Style(attributes: .dim)
        theme.button = .plain
        theme.primaryButton = Style(attributes: .bold)
        theme.focusedButton = Style(attributes: [.reverse, .bold])
        theme.disabledButton = Style(attributes: .dim)
        theme.error = Style(attributes: .bold)
        theme.success = .plain
        theme.warning = Style(attributes: .bold)
        theme.isMonochrome = true
        return theme
    }()

    /// The theme as it suits a colour depth: itself, or the one without colours.
    public func suited(to depth: ColorDepth) -> Theme {
        depth == .none ? .monochrome : self
    }
}
