/// The geometry of a scroll bar, for drawing it and for dragging its thumb.
struct ScrollBar: Equatable {
    /// The length of the bar and of the visible content, in cells.
    let length: Int
    /// The length of the content.
    let content: Int
    /// The first visible cell of the content.
    let offset: Int

    /// Whether the content is longer than the bar.
    var isNeeded: Bool { length > 0 && content > length }

    /// The cells of the thumb.
    var thumb: Range<Int> {
        guard isNeeded else { return 0..<0 }
        let size = max(1, length * length / content)
        let travel = length - size
        let start = min(travel, (offset * travel + (content - length) / 2) / (content - length))
        return start..<start + size
    }

    /// Returns the offset at which the thumb begins at a cell.
    func offset(forThumbAt start: Int) -> Int {
        let travel = length - thumb.count
        guard isNeeded, travel > 0 else { return 0 }
        return (max(0, min(travel, start)) * (content - length) + travel / 2) / travel
    }

    /// A drag of the thumb: the cell of the thumb at which it was grasped.
    struct Grip: Equatable {
        private let place: Int

        /// Begins a drag at a cell of the bar. Outside of the thumb, the thumb's middle moves to the pointer.
        init(at cell: Int, of bar: ScrollBar) {
            place = bar.thumb.contains(cell) ? cell - bar.thumb.lowerBound : bar.thumb.count / 2
        }

        /// Returns the offset for the pointer at a cell of the bar.
        func offset(at cell: Int, of bar: ScrollBar) -> Int { bar.offset(forThumbAt: cell - place) }
    }
}
