/// Finds the keyword that a mistyped one was probably meant to be.
enum NearestWord {
    /// Returns the candidate with the smallest distance, or `nil` if that is more than a third of the word's length.
    ///
    /// The distance counts insertions, deletions and replacements of characters (Levenshtein) and swaps of neighbours.
    static func of(_ word: String, among candidates: some Sequence<String>) -> String? {
        guard (2...32).contains(word.count) else { return nil }
        let letters = Array(word.lowercased())
        var best: (distance: Int, word: String)?
        for candidate in candidates.sorted() {
            let distance = distance(letters, Array(candidate))
            if distance <= max(1, letters.count / 3), distance < best?.distance ?? .max { best = (distance, candidate) }
        }
        return best?.word
    }

    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                var least = min(
                    last[column] + (left[row] == right[column] ? 0 : 1),
                    last[column + 1] + 1,
                    current[column] + 1
                )
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
