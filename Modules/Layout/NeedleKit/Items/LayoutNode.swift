internal import Synchronization

/// The layout state of an item: its constraints, content priorities and frame.
///
/// Each ``LayoutItem`` creates one and stores it. Every property can be set before the item is in a tree.
@MainActor
public final class LayoutNode {
    /// The item's name in descriptions and diagnostics; its type if `nil`.
    public var name: String?
    /// The constraints made on the item, in the order they were made, active or not.
    public internal(set) var constraints: [Constraint] = []
    /// The guides that belong to the item.
    public internal(set) var guides: [LayoutGuide] = []
    /// The frame of the last layout, relative to the parent; zero before it, and always on Apple platforms, where the view
    /// has its frame.
    public internal(set) var frame = LayoutRect.zero

    weak var item: (any LayoutItem)?
    /// The view or guide of the system that the item stands for, on Apple platforms.
    weak var platformObject: AnyObject?
    weak var backend: (any LayoutBackend)?
    /// The index of the engine's record of the item, or -1.
    var index = -1
    /// Counts nodes that are released while an engine has a record of them.
    var releases: ReleaseCounter?
    /// The arrangements that the item is part of, whose gaps depend on whether it is collapsed.
    var arrangements: [WeakArrangement] = []
    /// The source locations that set the content priorities.
    var contentLocations: [ContentPriority: SourceLocation] = [:]
    /// Errors of statements made while the item was in no engine.
    var pendingErrors = LayoutErrorLog()

    /// Creates a node without constraints.
    public init() {}

    deinit { releases?.increment() }

    // MARK: - Content

    /// The priority with which the item stays no wider than its content; 250 by default.
    public var horizontalHugging = LayoutPriority.low {
        didSet { contentPriorityChanged(.hugging(.horizontal), from: oldValue) }
    }
    /// The priority with which the item stays no taller than its content; 250 by default.
    public var verticalHugging = LayoutPriority.low {
        didSet { contentPriorityChanged(.hugging(.vertical), from: oldValue) }
    }
    /// The priority with which the item stays no narrower than its content; 750 by default. Lower it for items that yield to
    /// the text beside them, such as text fields.
    public var horizontalCompressionResistance = LayoutPriority.high {
        didSet { contentPriorityChanged(.compressionResistance(.horizontal), from: oldValue) }
    }
    /// The priority with which the item stays no shorter than its content; 750 by default.
    public var verticalCompressionResistance = LayoutPriority.high {
        didSet { contentPriorityChanged(.compressionResistance(.vertical), from: oldValue) }
    }

    /// Reports to the engine that the intrinsic size or the baselines of the item may have changed.
    public func setNeedsIntrinsicSize() { backend?.intrinsicSizeChanged(self) }

    subscript(content: ContentPriority) -> LayoutPriority {
        get { self[keyPath: content.property] }
        set { self[keyPath: content.property] = newValue }
    }

    private func contentPriorityChanged(_ content: ContentPriority, from old: LayoutPriority) {
        guard old != self[content] else { return }
        contentLocations[content] = nil
        backend?.intrinsicSizeChanged(self)
    }

    // MARK: - Safe area and margins

    /// The insets of the safe area inside the frame. Insets that are not finite or beyond 1e9 are ignored. On Apple platforms
    /// the view's own safe area applies instead.
    public var safeAreaInsets = LayoutInsets.zero {
        didSet {
            guard safeAreaInsets.isValid else { return safeAreaInsets = oldValue }
            if oldValue != safeAreaInsets { backend?.geometryChanged(self) }
        }
    }
    /// The insets of the margins inside the safe area. Insets that are not finite or beyond 1e9 are ignored.
    public var margins = LayoutInsets.zero {
        didSet {
            guard margins.isValid else { return margins = oldValue }
            if oldValue != margins { backend?.geometryChanged(self) }
        }
    }

    /// The insets of an area inside the frame.
    func insets(of area: LayoutArea) -> LayoutInsets {
        switch area {
        case .frame: .zero
        case .safeArea: safeAreaInsets
        case .margins: safeAreaInsets + margins
        }
    }

    // MARK: - Visibility

    /// Whether the item is hidden. It retains its frame unless it collapses.
    public var isHidden = false {
        didSet { if oldValue != isHidden { visibilityChanged() } }
    }
    /// Whether the item takes no space while it is hidden: its own constraints on width and height are suspended, its content
    /// has no size, it shrinks to nothing unless a required constraint prevents it, and the offsets of the constraints made
    /// on it count as zero.
    public var collapsesWhenHidden = false {
        didSet { if oldValue != collapsesWhenHidden { visibilityChanged() } }
    }

    /// Whether the item is hidden and takes no space.
    public var isCollapsed: Bool { isHidden && collapsesWhenHidden }

    private func visibilityChanged() {
        backend?.geometryChanged(self)
        arrangements.removeAll { $0.arrangement == nil }
        for member in arrangements { member.arrangement?.visibilityChanged() }
    }

    // MARK: - Diagnostics

    /// Reports an error of a statement to the backend, or stores it until there is one.
    func report(_ error: LayoutError) {
        if let backend { backend.statementRejected(error) } else { pendingErrors.append(error) }
    }

    /// The name of items that no longer exist.
    static let releasedName = "released item"

    /// The item's name in descriptions.
    var displayName: String {
        if let name { return name }
        guard let item else { return LayoutNode.releasedName }
        return "\(type(of: platformObject ?? item))"
    }
}

/// A content priority of an item, by axis.
enum ContentPriority: Hashable, Sendable {
    /// No larger than the content.
    case hugging(LayoutAxis)
    /// No smaller than the content.
    case compressionResistance(LayoutAxis)

    /// The property that stores the priority.
    @MainActor var property: ReferenceWritableKeyPath<LayoutNode, LayoutPriority> {
        switch self {
        case .hugging(.horizontal): \.horizontalHugging
        case .hugging(.vertical): \.verticalHugging
        case .compressionResistance(.horizontal): \.horizontalCompressionResistance
        case .compressionResistance(.vertical): \.verticalCompressionResistance
        }
    }
}

/// A line of code.
struct SourceLocation {
    let file: StaticString
    let line: UInt
}

/// Counts items that are released while an engine has a record of them; the engine reads it before each layout.
final class ReleaseCounter: Sendable {
    private let count = Atomic<Int>(0)

    func increment() { count.add(1, ordering: .relaxed) }

    /// Returns the number of releases since the last call.
    func take() -> Int { count.exchange(0, ordering: .relaxed) }
}
