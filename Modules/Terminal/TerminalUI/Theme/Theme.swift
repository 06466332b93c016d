/// The styles of an application by role.
///
/// Text uses the terminal's default colours, so it is readable on light and dark backgrounds. Only surfaces (bars,
/// panels, fields, selections) define both foreground and background. Once the terminal has reported its background, the
/// window uses the theme for it; see ``suited(to:background:)``. A user can override roles in a file; see
/// ``overridden(by:)``.
public struct Theme: Hashable, Sendable {
    /// The application's accent colour: focus, primary buttons, the spinner.
    public var tint: Color
    /// Ordinary text.
    public var text = TextStyle.plain
    /// Less important text: hints, dates, counts.
    public var secondary = TextStyle(attributes: .dim)
    /// Headings.
    public var title = TextStyle(attributes: .bold)
    /// Toolbars and tab bars.
    public var bar: TextStyle
    /// Panels above the content: drawers and alerts.
    public var panel: TextStyle
    /// A message at the lower edge.
    public var snackbar: TextStyle
    /// The selected row of a focused list.
    public var selection: TextStyle
    /// The selected row of a list without the focus.
    public var inactiveSelection: TextStyle
    /// A text field.
    public var field: TextStyle
    /// A focused text field.
    public var focusedField: TextStyle
    /// The placeholder of an empty field.
    public var placeholder: TextStyle
    /// A button.
    public var button: TextStyle
    /// The default button.
    public var primaryButton: TextStyle
    /// A focused button.
    public var focusedButton: TextStyle
    /// A disabled button.
    public var disabledButton: TextStyle
    /// Lines and scroll bars.
    public var border = TextStyle(attributes: .dim)
    /// Error messages and destructive buttons.
    public var error: TextStyle
    /// Success messages.
    public var success: TextStyle
    /// Warnings.
    public var warning: TextStyle
    /// Whether the theme has no colours; controls then draw brackets and marks.
    public var isMonochrome: Bool
    /// The kind of background that the theme is for.
    public private(set) var appearance: Appearance

    /// The colour of text on the accent colour.
    private var onTint: Color
    /// Whether the surfaces are light.
    private var isOnLight: Bool
    private var overrides: [ThemeOverride] = []

    /// The kind of background that a theme is for, and the strength of its contrasts.
    public enum Appearance: String, Hashable, Sendable, CaseIterable {
        /// Light surfaces on a dark background.
        case dark
        /// Dark text on a light background.
        case light
        /// Black, white and few strong colours, with a contrast of at least 7 to 1.
        case highContrast
    }

    /// The smallest contrast of text in a theme, by WCAG 2.2, level AA; 7 in a theme of high contrast (level AAA).
    public var minimumContrast: Double { appearance == .highContrast ? 7 : 4.5 }

    /// Creates a theme around an accent colour.
    ///
    /// - Parameters:
    ///   - tint: The accent colour. It is made lighter or darker where text in it or on it would have too little contrast.
    ///   - onTint: The colour of text on the accent colour.
    ///   - appearance: The kind of background.
    public init(tint: Color = .hex(0x3D7EFF), onTint: Color = .hex(0xFFFFFF), appearance: Appearance = .dark) {
        self.init(tint: tint, onTint: onTint, appearance: appearance, isOnLight: appearance == .light)
    }

    private init(tint: Color, onTint: Color, appearance: Appearance, isOnLight: Bool) {
        let colors = Surfaces(appearance, isOnLight: isOnLight)
        self.isOnLight = isOnLight
        self.tint = tint
        self.onTint = onTint
        self.appearance = appearance
        let accent = TextStyle(foreground: onTint, background: appearance == .highContrast ? .hex(0x0033A0) : tint)
        bar = accent
        bar.attributes = .bold
        panel = TextStyle(foreground: colors.text, background: colors.panel)
        snackbar = TextStyle(foreground: colors.snackbarText, background: colors.snackbar)
        selection = accent
        inactiveSelection = TextStyle(foreground: colors.text, background: colors.button)
        field = TextStyle(foreground: colors.text, background: colors.field)
        focusedField = TextStyle(foreground: colors.strongText, background: colors.focusedField)
        placeholder = TextStyle(foreground: colors.placeholder)
        button = TextStyle(foreground: colors.text, background: colors.button)
        primaryButton = TextStyle(foreground: tint, background: colors.button, attributes: .bold)
        focusedButton = accent
        focusedButton.attributes = .bold
        disabledButton = TextStyle(foreground: colors.disabled, background: colors.disabledButton)
        error = TextStyle(foreground: colors.error)
        success = TextStyle(foreground: colors.success)
        warning = TextStyle(foreground: colors.warning)
        isMonochrome = false
        makeReadable()
    }

    /// The theme without colours: reverse, bold and underline distinguish the roles.
    public static let monochrome: Theme = {
        var theme = Theme(tint: .standard, onTint: .standard)
        let reverse = TextStyle(attributes: .reverse)
        theme.bar = TextStyle(attributes: [.reverse, .bold])
        theme.panel = .plain
        theme.snackbar = reverse
        theme.selection = reverse
        theme.inactiveSelection = TextStyle(attributes: .bold)
        theme.field = TextStyle(attributes: .underline)
        theme.focusedField = TextStyle(attributes: [.underline, .bold])
        theme.placeholder = TextStyle(attributes: .dim)
        theme.button = .plain
        theme.primaryButton = TextStyle(attributes: .bold)
        theme.focusedButton = TextStyle(attributes: [.reverse, .bold])
        theme.disabledButton = TextStyle(attributes: .dim)
        theme.error = TextStyle(attributes: .bold)
        theme.success = .plain
        theme.warning = TextStyle(attributes: .bold)
        theme.isMonochrome = true
        return theme
    }()

    /// Returns the theme for a terminal.
    ///
    /// - Parameters:
    ///   - depth: The number of colours. Without colours it is ``monochrome``; for 16 colours each role has the nearest
    ///     entry of the palette that is readable.
    ///   - background: The terminal's background, if it is known. A light one turns a dark theme into a light one and the
    ///     reverse, and text in the theme's colours is readable on it.
    /// - Returns: The theme, with the overrides of a file applied again.
    public func suited(to depth: ColorDepth, background: Color? = nil) -> Theme {
        if depth == .none || isMonochrome { return .monochrome }
        var theme = self
        if let luminance = background?.luminance {
            let isLight = luminance > 0.18
            if isLight != isOnLight {
                let other = appearance == .highContrast ? appearance : isLight ? .light : .dark
                theme = Theme(tint: tint, onTint: onTint, appearance: other, isOnLight: isLight)
                theme.overrides = overrides
                theme.apply(overrides)
            }
        }
        theme.makeReadable(on: background, in: depth)
        return theme
    }

    /// The colours of surfaces and messages by appearance.
    private struct Surfaces {
        let text, strongText, panel, snackbar, snackbarText, field, focusedField, placeholder: Color
        let button, disabled, disabledButton, error, success, warning: Color

        init(_ appearance: Appearance, isOnLight: Bool) {
            func all(_ values: [UInt32]) -> [Color] { values.map(Color.hex) }
            let colors =
                switch appearance {
                case .dark:
                    all([
                        0xE6E8EC, 0xFFFFFF, 0x2A2D34, 0xF2E8C9, 0x1B1D21, 0x363A43, 0x454B57, 0xA3A9B5,
                        0x4A4F5A, 0x8A8F99, 0x33363D, 0xF1616B, 0x4CB782, 0xE0A03C,
                    ])
                case .light:
                    all([
                        0x1F2328, 0x000000, 0xEEF0F3, 0x2B2F36, 0xF4F5F7, 0xE3E6EA, 0xD5DAE1, 0x5A6270,
                        0xD8DCE2, 0x6E7681, 0xE9EBEE, 0xB3261E, 0x1A6B3C, 0x7A4F00,
                    ])
                case .highContrast where isOnLight:
                    all([
                        0x000000, 0x000000, 0xFFFFFF, 0x000000, 0xFFFFFF, 0xF2F2F2, 0xFFFFFF, 0x303030,
                        0xEBEBEB, 0x404040, 0xFFFFFF, 0x8B0000, 0x004D1A, 0x5C3A00,
                    ])
                case .highContrast:
                    all([
                        0xFFFFFF, 0xFFFFFF, 0x000000, 0xFFFFFF, 0x000000, 0x1A1A1A, 0x000000, 0xD0D0D0,
                        0x1A1A1A, 0xB0B0B0, 0x000000, 0xFF8A8A, 0x5CFF9D, 0xFFD75C,
                    ])
                }
            (text, strongText, panel, snackbar, snackbarText) = (colors[0], colors[1], colors[2], colors[3], colors[4])
            (field, focusedField, placeholder, button) = (colors[5], colors[6], colors[7], colors[8])
            (disabled, disabledButton, error, success, warning) =
                (colors[9], colors[10], colors[11], colors[12], colors[13])
        }
    }
}

// MARK: - Contrast

extension Theme {
    /// The background that is assumed while the terminal's is unknown.
    var assumedBackground: Color { isOnLight ? .hex(0xFFFFFF) : .hex(0x000000) }

    /// The styles of surfaces, with their names.
    static let surfaces: [(name: String, path: any WritableKeyPath<Theme, TextStyle> & Sendable)] = [
        ("bar", \.bar), ("panel", \.panel), ("snackbar", \.snackbar), ("selection", \.selection),
        ("inactiveSelection", \.inactiveSelection), ("field", \.field), ("focusedField", \.focusedField),
        ("button", \.button), ("primaryButton", \.primaryButton), ("focusedButton", \.focusedButton),
        ("disabledButton", \.disabledButton),
    ]

    /// The styles of text on other surfaces, with their names.
    static let texts: [(name: String, path: any WritableKeyPath<Theme, TextStyle> & Sendable)] = [
        ("text", \.text), ("secondary", \.secondary), ("title", \.title), ("placeholder", \.placeholder),
        ("border", \.border), ("error", \.error), ("success", \.success), ("warning", \.warning),
    ]

    /// The backgrounds that a text's style is drawn on.
    func backgrounds(of path: KeyPath<Theme, TextStyle>, on background: Color) -> [Color] {
        switch path {
        case \Theme.placeholder: [field.background, focusedField.background]
        case \Theme.error, \Theme.success, \Theme.warning:
            [background, panel.background, field.background, focusedField.background, button.background]
        default: [background, panel.background]
        }
    }

    /// Replaces the backgrounds of surfaces by entries of the 16 colours. Greys are too few there: a grey surface has the
    /// theme's background, fields are underlined, and buttons are reversed.
    private mutating func useSurfacesOf16Colors() {
        for (name, path) in Theme.surfaces {
            guard let (red, green, blue) = self[keyPath: path].background.components else { continue }
            let isGrey = Int(max(red, green, blue)) - Int(min(red, green, blue)) < 40
            guard isGrey else {
                self[keyPath: path].background = self[keyPath: path].background.lowered(to: .indexed16)
                continue
            }
            let isLight = max(red, green, blue) > 127
            self[keyPath: path].background = isLight ? .palette(15) : .palette(0)
            if name == "field" || name == "focusedField" { self[keyPath: path].attributes.insert(.underline) }
            if name == "inactiveSelection" || name == "button" || name == "primaryButton" {
                self[keyPath: path].attributes.insert(.reverse)
            }
        }
    }

    /// Makes text lighter or darker where its contrast is too small.
    private mutating func makeReadable(on background: Color? = nil, in depth: ColorDepth = .trueColor) {
        let ratio = minimumContrast
        let behind = background ?? assumedBackground
        if depth == .indexed16 { useSurfacesOf16Colors() }
        func readable(_ color: Color, on backgrounds: [Color]) -> Color {
            switch depth {
            case .indexed16: color.readable16(on: backgrounds, ratio: ratio)
            case .indexed256: color.readable256(on: backgrounds, ratio: ratio)
            default: color.readable(on: backgrounds, ratio: ratio)
            }
        }
        for (_, path) in Theme.surfaces {
            let style = self[keyPath: path]
            if style.background == tint && depth != .indexed16 {
                // The accent is behind the text: it changes, and the text stays.
                self[keyPath: path].background = readable(style.background, on: [style.foreground])
            }
            if depth == .indexed256 {
                self[keyPath: path].background = self[keyPath: path].background.lowered(to: .indexed256)
            }
            let background = self[keyPath: path].background
            self[keyPath: path].foreground = readable(style.foreground, on: [background])
        }
        for (_, path) in Theme.texts {
            let style = self[keyPath: path]
            self[keyPath: path].foreground = readable(style.foreground, on: backgrounds(of: path, on: behind))
        }
        tint = readable(tint, on: [behind])
        if background != nil && depth != .indexed16 && !isMonochrome {
            // The strength of the attribute "dim" differs between terminals; a colour's contrast is known.
            let grey: Color = isOnLight ? .hex(0x5A6270) : .hex(0x9BA1AC)
            for path in [\Theme.secondary, \Theme.border] where self[keyPath: path] == TextStyle(attributes: .dim) {
                self[keyPath: path] = TextStyle(foreground: readable(grey, on: [behind, panel.background]))
            }
        }
    }
}

// MARK: - Overrides

extension Theme {
    /// Returns the theme with the roles of a theme file replaced.
    ///
    /// Each line of the file is empty, a comment that begins with `#` and a space, or a role and its style:
    ///
    ///     # colours are #RRGGBB, a number of the palette, or default
    ///     tint = #3D7EFF
    ///     error = #FF8080 bold
    ///     selection = #000000 on #FFD75C
    ///
    /// The roles are the properties of ``Theme``; the attributes are bold, dim, italic, underline, reverse and
    /// strikethrough.
    ///
    /// - Throws: ``ThemeFileError`` with the number of the first line that is invalid.
    public func overridden(by text: String) throws(ThemeFileError) -> Theme {
        var theme = self
        theme.overrides += try ThemeOverride.parse(text)
        theme.apply(theme.overrides)
        return theme
    }

    fileprivate mutating func apply(_ overrides: [ThemeOverride]) {
        for override in overrides {
            if override.role == "tint" { tint = override.style.foreground }
            for (name, path) in Theme.surfaces + Theme.texts where name == override.role {
                self[keyPath: path] = override.style
            }
        }
    }
}
