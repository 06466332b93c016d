/// Rows that have moved up or down between two frames, so that the terminal can move them.
struct RowScroll: Equatable {
    /// The rows of the scrolling region.
    let rows: Range<Int>
    /// The number of rows by which the content moves up; negative for down.
    let distance: Int

    /// The longest distance that is searched: lists scroll by one row, or by a few with the wheel.
    private static let maximumDistance = 8
    /// The approximate number of bytes that scrolling costs.
    private static let cost = 24

    /// Finds the movement that saves the most; `nil` if none saves anything.
    init?(from old: ScreenBuffer, to new: ScreenBuffer) {
        guard
            let best = old.cells.withUnsafeBufferPointer({ old in
                new.cells.withUnsafeBufferPointer { next in
                    RowComparison(old: old, new: next, width: new.size.width, height: new.size.height).best()
                }
            })
        else { return nil }
        self = best
    }

    private init(rows: Range<Int>, distance: Int) {
        self.rows = rows
        self.distance = distance
    }

    /// The rows of two frames of the same size.
    private struct RowComparison {
        let old: UnsafeBufferPointer<PackedCell>
        let new: UnsafeBufferPointer<PackedCell>
        let width: Int
        let height: Int

        func best() -> RowScroll? {
            guard let first = (0..<height).first(where: { !isSame($0, $0) }),
                let last = (0..<height).last(where: { !isSame($0, $0) }), last - first >= 4
            else { return nil }
            var best: (scroll: RowScroll, gain: Int)?
            for distance in -RowScroll.maximumDistance...RowScroll.maximumDistance where distance != 0 {
                guard abs(distance) < last - first else { continue }
                guard let run = longestRun(distance, first...last), run.count >= 3 else { continue }
                let region =
                    min(run.lowerBound, run.lowerBound + distance)..<max(run.upperBound, run.upperBound + distance)
                let saved = run.reduce(0) { $0 + changes($1) }
                let spent = region.reduce(RowScroll.cost) { sum, row in
                    run.contains(row) ? sum : sum + inked(row) - changes(row)
                }
                if saved - spent > best?.gain ?? 0 {
                    best = (RowScroll(rows: region, distance: distance), saved - spent)
                }
            }
            return best?.scroll
        }

        /// Whether a new row equals an old one.
        private func isSame(_ row: Int, _ source: Int) -> Bool {
            old.equals(new, from: source * width, row * width, count: width)
        }

        /// Returns the longest run of rows that show what was `distance` rows below.
        private func longestRun(_ distance: Int, _ changed: ClosedRange<Int>) -> Range<Int>? {
            var longest: Range<Int>?
            var start: Int?
            func end(at row: Int) {
                if let begin = start, row - begin > longest?.count ?? 0 { longest = begin..<row }
                start = nil
            }
            for row in changed {
                if changed.contains(row + distance), isSame(row, row + distance) {
                    start = start ?? row
                } else {
                    end(at: row)
                }
            }
            end(at: changed.upperBound + 1)
            return longest
        }

        /// Returns the number of cells of a row that change.
        private func changes(_ row: Int) -> Int {
            var count = 0
            for index in row * width..<(row + 1) * width where old[index] != new[index] { count += 1 }
            return count
        }

        /// Returns the number of cells of a new row that are not blank.
        private func inked(_ row: Int) -> Int {
            var count = 0
            for index in row * width..<(row + 1) * width where new[index] != .blank { count += 1 }
            return count
        }
    }
}
