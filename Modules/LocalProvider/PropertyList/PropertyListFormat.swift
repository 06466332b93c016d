/// How a property list is written.
public enum PropertyListFormat: Hashable, Sendable, CaseIterable {
    /// Apple's binary form, `bplist00`: small, and quick to read.
    case binary
    /// XML, for people and for other programs.
    case xml
}
