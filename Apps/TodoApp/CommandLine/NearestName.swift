/// Finds the name that somebody who mistyped a word may have meant.
enum NearestName {
    /// The candidate nearest to `word`; `nil` where none is near enough to be worth naming.
    ///
    /// Near enough is at most a third of the word's length, and at least one slip; a candidate that begins with the
    /// word is always near.
    static func of(_ word: String, among candidates: [String]) -> String? {
        // Nobody mistypes a name into something this long.
        guard word.utf8.count <= 64 else { return nil }
        let bound = max(1, word.count / 3)
        var best: (distance: Int, name: String)?
        for name in candidates {
            let isBeginning = word.count >= 2 && name.hasPrefix(word)
            let distance = isBeginning ? 1 : self.distance(Array(word.lowercased()), Array(name))
            if distance <= bound, distance < best?.distance ?? .max { best = (distance, name) }
        }
        return best?.name
    }

    /// Damerau and Levenshtein's distance in its restricted form: insert, delete, replace, swap neighbours.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for column in 0..<right.count {
                let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
                var least = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
