/// Finds the name that a mistyped word was probably meant to be.
package enum NearestName {
    /// Returns the candidate nearest to `word`, or `nil` if none is near.
    ///
    /// A candidate is near if its distance is at most a third of the word's length and at least one edit, or if it begins
    /// with the word. The case of letters is ignored. Of equally near candidates the first is returned.
    ///
    /// - Parameters:
    ///   - word: the word that was typed; one of more than 64 bytes has no near candidate.
    ///   - candidates: the valid names.
    /// - Returns: the nearest candidate.
    package static func of(_ word: String, among candidates: some Sequence<String>) -> String? {
        guard word.utf8.count <= 64 else { return nil }
        let word = word.lowercased()
        let bound = max(1, word.count / 3)
        var best: (distance: Int, name: String)?
        for name in candidates {
            let lowercased = name.lowercased()
            let isBeginning = word.count >= 2 && lowercased.hasPrefix(word)
            let distance =
                isBeginning ? min(1, lowercased.count - word.count) : distance(Array(word), Array(lowercased))
            if distance <= bound, distance < best?.distance ?? .max { best = (distance, name) }
        }
        return best?.name
    }

    /// The optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours, where no part is
    /// edited twice (Boytsov, "Indexing methods for approximate dictionary searching", 2011).
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
