extension DatePhrase {
    /// Returns the words behind a date that people would take for a part of it, though they are no date together: those of
    /// another date or time. A todo would otherwise silently have a wrong day, and the words in its title.
    ///
    /// - Parameters:
    ///   - rest: the words that follow, up to the next field.
    ///   - date: the words of the date.
    ///   - context: what relative dates depend on.
    /// - Returns: the words; `nil` if the rest is unrelated text.
    static func trailing(_ rest: [String], after date: [String], _ context: DateContext) -> [String]? {
        // `friday the 27th`, `next week on monday`.
        let isNumbered = rest.first == "the" && rest.count > 1 && CalendarDate.ordinal(rest[1][...]) != nil
        let isJoined = rest.first == "on" || isNumbered
        let rest = isJoined ? Array(rest.dropFirst()) : rest
        guard let next = rest.first else { return nil }
        if qualifiers.contains(next), date.last?.contains(where: \.isNumber) == true { return [next] }
        // `3d printer` and `2nd draft` are titles; at the end, they are days.
        let isLast = rest.count == 1
        for count in stride(from: min(4, rest.count), through: 1, by: -1) {
            guard isLast || count > 1 || !isOrdinary(next) else { continue }
            let words = Array(rest.prefix(count))
            if isSpan(words) { return words }
            do throws(DateError) {
                if try parse(words, context) == nil { continue }
            } catch {
                // A day that the calendar does not have is not a text, either.
            }
            return words
        }
        let isNumber = CalendarDate.number(next[...], 1...2) != nil
        return isLast && (isNumber || CalendarDate.month(next) != nil) ? [next] : nil
    }

    /// Whether words are two times, as in `15:00-16:00` and `3-5pm`: a todo has only one.
    private static func isSpan(_ words: [String]) -> Bool {
        let ends = words.joined().split { "-~–".contains($0) }
        guard ends.count == 2, time(String(ends[1])) != nil else { return false }
        return time(String(ends[0])) != nil || CalendarDate.number(ends[0], 1...2) != nil
    }

    /// Words that change the meaning of a number before them.
    private static let qualifiers: Set<String> = ["ago", "of", "전", "전에", "이내", "이내에", "안에", "동안"]

    /// Whether a text is a number with a unit, such as `1m`.
    static func isDistance(_ text: Substring) -> Bool {
        text.last.flatMap { DateUnit(letter: $0) } != nil && CalendarDate.number(text.dropLast(), 1...4) != nil
    }

    /// Whether a word that can be a date is as often another word: `3d`, `1-1`, `2nd`, `목`, `월말`.
    static func isOrdinary(_ word: String) -> Bool {
        if CalendarDate.ordinal(word[...]) != nil || word.count == 1 { return true }
        if ["주말", "월말", "연말", "말일"].contains(word) { return true }
        return isDistance(word[...])
            || word.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D } && word.filter { $0 == "-" }.count == 1
    }
}
