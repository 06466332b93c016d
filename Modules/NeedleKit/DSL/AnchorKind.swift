/// The kind of an anchor: a type without values that keeps anchors of different kinds apart at compile time.
public protocol AnchorKind {}

/// A position along x: left, right, leading, trailing, centerX.
public enum XPosition: AnchorKind {}
/// A position along y: top, bottom, centerY, firstBaseline, lastBaseline.
public enum YPosition: AnchorKind {}
/// An extent: width or height, which may refer to each other.
public enum Extent: AnchorKind {}
/// Several edges told by side, which insets can be given for.
public protocol SideEdges: AnchorKind {}

/// The four edges.
public enum AllEdges: SideEdges {}
/// Top, leading, bottom and trailing edge.
public enum AllDirectionalEdges: AnchorKind {}
/// Left and right edge.
public enum HorizontalEdges: SideEdges {}
/// Top and bottom edge.
public enum VerticalEdges: SideEdges {}
/// Width and height.
public enum Extents: AnchorKind {}
/// Both centers.
public enum Centers: AnchorKind {}
/// Attributes chained by hand, such as `make.top.left`.
public enum Mixed: AnchorKind {}
