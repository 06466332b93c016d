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
                // Rows that differ after the movement, such as a selection, may be between others that do not.
                let all = first...last
                let start = all.first { isMoved($0, distance, all) } ?? run.lowerBound
                let end = all.last { isMoved($0, distance, all) } ?? run.upperBound - 1
                let whole = start..<end + 1
                for rows in whole == run ? [run] : [run, whole] {
                    let found = candidate(rows, distance)
                    if found.gain > best?.gain ?? 0 { best = found }
                }
            }
            return best?.scroll
        }

        /// Returns the movement of rows, with the number of cells that need not be written.
        private func candidate(_ rows: Range<Int>, _ distance: Int) -> (scroll: RowScroll, gain: Int) {
            let region =
                min(rows.lowerBound, rows.lowerBound + distance)..<max(rows.upperBound, rows.upperBound + distance)
            let gain = region.reduce(-RowScroll.cost) { sum, row in
                let source = row + distance
                return sum + changes(row, row) - (region.contains(source) ? changes(row, source) : inked(row))
            }
            return (RowScroll(rows: region, distance: distance), gain)
        }

        /// Whether a new row shows what was `distance` rows below.
        private func isMoved(_ row: Int, _ distance: Int, _ changed: ClosedRange<Int>) -> Bool {
            changed.contains(row + distance) && isSame(row, row + distance)
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
                if isMoved(row, distance, changed) {
                    start = start ?? row
                } else {
                    end(at: row)
                }
            }
            end(at: changed.upperBound + 1)
            return longest
        }

        /// Returns the number of cells in which a new row differs from an old one.
        private func changes(_ row: Int, _ source: Int) -> Int {
            if isSame(row, source) { return 0 }
            var count = 0
            for column in 0..<width where old[source * width + column] != new[row * width + column] { count += 1 }
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
