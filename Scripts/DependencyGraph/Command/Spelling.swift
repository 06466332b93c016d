/// Finds what a misspelt word may have meant.
enum Spelling {
    /// The candidate with the fewest edits, whatever the case; nil for no candidates.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        candidates.min { distance(word.lowercased(), $0.lowercased()) < distance(word.lowercased(), $1.lowercased()) }
    }

    /// The edit distance of Levenshtein.
    static func distance(_ first: String, _ second: String) -> Int {
        let (a, b) = (Array(first), Array(second))
        var previous = Array(0...b.count)
        for (i, left) in a.enumerated() {
            var current = [i + 1]
            for (j, right) in b.enumerated() {
                current.append(min(previous[j + 1] + 1, current[j] + 1, previous[j] + (left == right ? 0 : 1)))
            }
            previous = current
        }
        return previous[b.count]
    }
}
