extension Recurrence {
    /// Returns the words behind a repetition that people would take for a part of it, such as those of `weekly until fri`. A
    /// todo would otherwise silently repeat on other days, and have the words in its title.
    ///
    /// - Parameter rest: the words that follow, in lower case, up to the next field.
    /// - Returns: the words; `nil` if the rest is unrelated text.
    static func trailing(_ rest: [String]) -> [String]? {
        guard let next = rest.first else { return nil }
        let both = Array(rest.prefix(2))
        let second = rest.dropFirst().first ?? ""
        let isDay = second == "day" || second == "last" || isWeekday(second) || ordinal(second[...]) != nil
        switch next {
        case "on", "until": return both
        // `the report` and `first aid` are titles.
        case "the", "last", "마지막": return isDay ? both : nil
        case _ where isWeekday(next): return [next]
        case _ where ordinal(next[...]) != nil: return next.first?.isNumber == true || isDay ? both : nil
        case _ where koreanOrdinals.contains { [next, next + second].contains($0.name) }: return both
        default: break
        }
        if ["번", "회", "일"].contains(where: { number(next, $0) }) { return [next] }
        return second == "times" && number(next, "") || number(next, "월") && number(second, "일") ? both : nil
    }

    /// Whether a word is a weekday or several; one Korean letter is more often another word.
    private static func isWeekday(_ word: String) -> Bool { word.count > 1 && weekdays(word) != nil }

    private static func number(_ word: String, _ unit: String) -> Bool {
        word.hasSuffix(unit) && CalendarDate.number(word.dropLast(unit.count), 1...4) != nil
    }
}
