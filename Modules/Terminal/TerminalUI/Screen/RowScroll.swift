/// Rows that have moved up or down between two frames, so that the terminal can move them.
struct RowScroll: Equatable {
    /// The rows of the scrolling region.
    let rows: Range<Int>
    /// The number of rows by which the content moves up; negative for down.
    let distance: Int

    /// The longest distance that is searched: lists scroll by one row, or by a few with the wheel.
    private static let maximumDistance = 8
    /// The approximate number of bytes of a scroll: the region, the movement to its edge, the reset.
    private static let cost = 16

    /// Finds the movement that saves the most bytes; `nil` if none saves any. `repeats` is whether the terminal repeats
    /// characters.
    init?(from old: ScreenBuffer, to new: ScreenBuffer, repeats: Bool) {
        let size = new.size
        let best = old.cells.withUnsafeBufferPointer { old in
            new.cells.withUnsafeBufferPointer { new in
                RowComparison(old: old, new: new, width: size.width, height: size.height, repeats: repeats).best()
            }
        }
        guard let best else { return nil }
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
        let repeats: Bool

        func best() -> RowScroll? {
            guard let first = (0..<height).first(where: { !isSame($0, $0) }),
                let last = (0..<height).last(where: { !isSame($0, $0) }), last - first >= 4
            else { return nil }
            let changed = first...last
            let distances = (1...RowScroll.maximumDistance).flatMap { [$0, -$0] }
                .filter { abs($0) < last - first && hasRun($0, changed) }
            if distances.isEmpty { return nil }
            let bytes = RowBytes(
                unmoved: changed.map { rowBytes($0, over: $0) },
                appearing: changed.map { rowBytes($0, over: nil) }
            )
            var best: (scroll: RowScroll, gain: Int)?
            for distance in distances {
                guard let found = region(distance, changed, bytes), found.gain > best?.gain ?? 0 else { continue }
                best = found
            }
            return best?.scroll
        }

        /// The bytes that each changed row costs if it is not moved, and if the movement leaves it blank.
        private struct RowBytes {
            let unmoved: [Int]
            let appearing: [Int]
        }

        /// Returns the region whose movement by `distance` rows saves the most bytes.
        ///
        /// The region spans rows that differ after the movement, such as a selection, if the rows behind them make up
        /// for it. It is found like the subarray with the greatest sum, with the rows that appear at its edge as a cost.
        private func region(_ distance: Int, _ changed: ClosedRange<Int>, _ bytes: RowBytes) -> (
            scroll: RowScroll, gain: Int
        )? {
            let count = changed.count
            let shift = abs(distance)
            // The rows of the region that receive moved content, counted from the first changed row.
            let receiving = distance > 0 ? 0..<count - shift : shift..<count
            // What the movement saves in all receiving rows before each row, and what appearing rows before it cost.
            var saved = [Int](repeating: 0, count: count + 1)
            var lost = saved
            for row in 0..<count {
                var gain = 0
                if receiving.contains(row) {
                    let moved = rowBytes(changed.lowerBound + row, over: changed.lowerBound + row + distance)
                    gain = bytes.unmoved[row] - moved
                }
                saved[row + 1] = saved[row] + gain
                lost[row + 1] = lost[row] + bytes.appearing[row] - bytes.unmoved[row]
            }
            var best: (scroll: RowScroll, gain: Int)?
            var begin = (row: receiving.lowerBound, sum: Int.max)
            for end in receiving.lowerBound + 1..<receiving.upperBound + 1 {
                // The last row before `end` may begin the region: at its upper edge rows appear if the content moves down.
                let row = end - 1
                let sum = saved[row] + (distance > 0 ? 0 : lost[row] - lost[row - shift])
                if sum < begin.sum { begin = (row, sum) }
                let edge = distance > 0 ? lost[end + shift] - lost[end] : 0
                let gain = saved[end] - begin.sum - edge - RowScroll.cost
                guard gain > best?.gain ?? 0 else { continue }
                let rows = distance > 0 ? begin.row..<end + shift : begin.row - shift..<end
                let region = changed.lowerBound + rows.lowerBound..<changed.lowerBound + rows.upperBound
                best = (RowScroll(rows: region, distance: distance), gain)
            }
            return best
        }

        /// Whether a new row equals an old one.
        private func isSame(_ row: Int, _ source: Int) -> Bool {
            old.equals(new, from: source * width, row * width, count: width)
        }

        /// Whether three rows in a row show what was `distance` rows below.
        private func hasRun(_ distance: Int, _ changed: ClosedRange<Int>) -> Bool {
            var length = 0
            for row in changed {
                length = changed.contains(row + distance) && isSame(row, row + distance) ? length + 1 : 0
                if length == 3 { return true }
            }
            return false
        }

        /// Returns the approximate number of bytes that change an old row, or a blank one, into a new one.
        private func rowBytes(_ row: Int, over source: Int?) -> Int {
            if let source, isSame(row, source) { return 0 }
            let start = row * width
            var end = width
            while end > 0 && new[start + end - 1] == .blank { end -= 1 }
            var bytes = 0
            // The unchanged cells since the last changed one, and the equal cells in a row.
            var gap = Int.max
            var run = 0
            var last = PackedCell.blank
            for column in 0..<end {
                let cell = new[start + column]
                let before = if let source { old[source * width + column] } else { PackedCell.blank }
                if cell == before {
                    if gap < .max { gap += 1 }
                    continue
                }
                if cell.isContinuation { continue }
                if gap > 0 {
                    bytes += min(gap, 4)
                    run = 0
                }
                if !cell.looksLike(last) { bytes += 5 }
                run = cell == last ? run + 1 : 0
                // A long run costs its first character and a number.
                if !repeats || run <= 5 || !cell.isASCII { bytes += cell.textLength }
                gap = 0
                last = cell
            }
            if let source, end < width, old[source * width + end] != .blank { bytes += 6 }
            return bytes
        }
    }
}
