/// For each cell of a new row, the old cells that it covers, and by how much.
struct AreaWeights {
    /// A run of old cells under one new cell; the first and the last may be covered in part.
    struct Span {
        let first: Int
        let last: Int
        let firstWeight: Float
        let innerWeight: Float
        let lastWeight: Float

        /// The share of one old cell in the new one; all shares of a span add up to 1.
        func weight(of index: Int) -> Float {
            index == first ? firstWeight : index == last ? lastWeight : innerWeight
        }
    }

    private let spans: [Span]

    /// Computes the shares for `old` cells laid over `new` ones; both at least 1.
    init(from old: Int, to new: Int) {
        // Positions are counted in whole parts of 1 / (old * new), so that nothing is rounded.
        spans = (0..<new).map { index in
            let start = index * old
            let end = start + old
            let first = start / new
            let last = (end - 1) / new
            let whole = Float(old)
            if first == last {
                return Span(first: first, last: last, firstWeight: 1, innerWeight: 0, lastWeight: 0)
            }
            return Span(
                first: first,
                last: last,
                firstWeight: Float((first + 1) * new - start) / whole,
                innerWeight: Float(new) / whole,
                lastWeight: Float(end - last * new) / whole
            )
        }
    }

    subscript(index: Int) -> Span { spans[index] }
}
