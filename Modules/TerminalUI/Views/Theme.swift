/// The styles of an application by role.
///
/// Text uses the terminal's default colours, so it is readable on light and dark backgrounds. Only surfaces (bars,
/// panels, fields, selections) define both foreground and background.
public struct Theme: Hashable, Sendable {
    /// The application's accent colour: focus, primary buttons, the spinner.
    public var tint: Color
    /// Ordinary text.
    public var text = Style.plain
    /// Less important text: hints, dates, counts.
    public var secondary = Style(attributes: .dim)
    /// Headings.
    public var title = Style(attributes: .bold)
    /// Toolbars and tab bars.
    public var bar: Style
    /// Panels above the content: drawers and alerts.
    public var panel: Style
    /// A message at the lower edge.
    public var snackbar: Style
    /// The selected row of a focused list.
    public var selection: Style
    /// The selected row of a list without the focus.
    public var inactiveSelection: Style
    /// A text field.
    public var field: Style
    /// A focused text field.
    public var focusedField: Style
    /// The placeholder of an empty field.
    public var placeholder: Style
    /// A button.
    public var button: Style
    /// The default button.
    public var primaryButton: Style
    /// A focused button.
    public var focusedButton: Style
    /// A disabled button.
    public var disabledButton: Style
    /// Lines and scroll bars.
    public var border = Style(attributes: .dim)
    /// Error messages and destructive buttons.
    public var error: Style
    /// Success messages.
    public var success: Style
    /// Warnings.
    public var warning: Style
    /// Whether the theme has no colours; controls then draw brackets and marks.
    public var isMonochrome: Bool

    /// Creates a theme around an accent colour; `onTint` is the colour of text on it.
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

    /// The theme without colours: reverse, bold and underline distinguish the roles.
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

    /// Returns the theme for a colour depth: itself, or ``monochrome`` without colours.
    public func suited(to depth: ColorDepth) -> Theme {
        depth == .none ? .monochrome : self
    }
}
