internal import Synchronization

/// An item's side of a layout: its constraints, priorities and present frame.
///
/// Each ``LayoutItem`` makes one and keeps it. Everything may be set before the item is in any tree.
@MainActor
public final class LayoutNode {
    /// A name for descriptions and diagnostics; the item's type when `nil`.
    public var name: String?
    /// The constraints made on the item, in the order they were made, active or not.
    public internal(set) var constraints: [Constraint] = []
    /// The guides that belong to the item.
    public internal(set) var guides: [LayoutGuide] = []
    /// The frame last laid out, relative to the parent; zero before, and on Apple's platforms, whose views know theirs.
    public internal(set) var frame = LayoutRect.zero

    /// How strongly the item refuses to be wider than its content; 250 by default.
    public var horizontalHugging = LayoutPriority.low {
        didSet { priorityChanged(.hugging(.horizontal), from: oldValue) }
    }
    /// How strongly the item refuses to be taller than its content; 250 by default.
    public var verticalHugging = LayoutPriority.low {
        didSet { priorityChanged(.hugging(.vertical), from: oldValue) }
    }
    /// How strongly the item refuses to be narrower than its content; 750 by default.
    public var horizontalCompressionResistance = LayoutPriority.high {
        didSet { priorityChanged(.compressionResistance(.horizontal), from: oldValue) }
    }
    /// How strongly the item refuses to be shorter than its content; 750 by default.
    public var verticalCompressionResistance = LayoutPriority.high {
        didSet { priorityChanged(.compressionResistance(.vertical), from: oldValue) }
    }
    /// How far inside the item's edges its safe area lies. Insets that are not finite or beyond 1e9 are ignored. On Apple
    /// platforms the system's own safe area counts instead.
    public var safeAreaInsets = LayoutInsets.zero {
        didSet {
            guard safeAreaInsets.isPossible else { return safeAreaInsets = oldValue }
            if oldValue != safeAreaInsets { backend?.geometryChanged(self) }
        }
    }
    /// How far inside the safe area the margins lie. Insets that are not finite or beyond 1e9 are ignored.
    public var margins = LayoutInsets.zero {
        didSet {
            guard margins.isPossible else { return margins = oldValue }
            if oldValue != margins { backend?.geometryChanged(self) }
        }
    }
    /// Whether the item is not shown. It keeps its frame unless it collapses.
    public var isHidden = false {
        didSet { if oldValue != isHidden { visibilityChanged() } }
    }
    /// Whether the item takes no room while it is hidden: its own constraints on width and height rest, its content asks
    /// for nothing, it shrinks to nothing where nothing else holds it open, and the offsets of the constraints made on
    /// it count as zero.
    public var collapsesWhenHidden = false {
        didSet { if oldValue != collapsesWhenHidden { visibilityChanged() } }
    }

    /// Whether the item takes no room at present.
    public var isCollapsed: Bool { isHidden && collapsesWhenHidden }

    /// Which line said how much the content matters, where one did.
    var contentPlaces: [ContentWish: SourcePlace] = [:]
    /// What was refused while no engine could be told.
    var refused = RefusalList()
    /// The arrangements that the item is part of, whose gaps depend on whether it is collapsed.
    var arrangements: [WeakArrangement] = []
    weak var item: (any LayoutItem)?
    weak var backend: (any LayoutBackend)?
    /// The node's place in its backend's tables.
    var place = -1
    /// Counts the nodes that went away while their backend knew them.
    var releases: ReleaseCount?

    /// Makes a node without constraints.
    public init() {}

    deinit {
        releases?.increment()
    }

    /// Tells the engine that the item's content asks for another size.
    public func setNeedsIntrinsicSize() {
        backend?.intrinsicSizeChanged(self)
    }

    /// Keeps or tells an error of a statement.
    func refuse(_ error: LayoutError) {
        if let backend { backend.constraintRefused(error) } else { refused.tell(error) }
    }

    /// How much a wish of the content matters.
    func priority(of wish: ContentWish) -> LayoutPriority {
        switch wish {
        case .hugging(.horizontal): horizontalHugging
        case .hugging(.vertical): verticalHugging
        case .compressionResistance(.horizontal): horizontalCompressionResistance
        case .compressionResistance(.vertical): verticalCompressionResistance
        }
    }

    private func priorityChanged(_ wish: ContentWish, from old: LayoutPriority) {
        guard old != priority(of: wish) else { return }
        contentPlaces[wish] = nil
        backend?.intrinsicSizeChanged(self)
    }

    private func visibilityChanged() {
        backend?.geometryChanged(self)
        arrangements.removeAll { $0.arrangement == nil }
        for member in arrangements { member.arrangement?.visibilityChanged() }
    }

    /// How far inside the frame an area lies.
    func insets(of area: LayoutArea) -> LayoutInsets {
        switch area {
        case .frame: .zero
        case .safeArea: safeAreaInsets
        case .margins: safeAreaInsets + margins
        }
    }

    /// What is called by no name any more.
    static let releasedName = "released item"

    /// The name in descriptions.
    var displayName: String {
        if let name { return name }
        guard let item else { return LayoutNode.releasedName }
        return "\(type(of: item))"
    }
}
