/// What an item's content asks for along an axis.
enum ContentWish: Hashable, Sendable {
    /// To be no larger than it.
    case hugging(LayoutAxis)
    /// To be no smaller.
    case compressionResistance(LayoutAxis)
}
