extension View {
    /// The tint that holds here.
    public var effectiveTint: Color { tintColor ?? superview?.effectiveTint ?? theme.tint }
}
