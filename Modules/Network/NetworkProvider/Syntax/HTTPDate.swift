import CivilDates
package import EssentialFoundation

/// Dates in HTTP fields (RFC 9110, section 5.6.7): one format is written, three are parsed, all in GMT.
package enum HTTPDate {
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    /// - Parameters:
    ///   - text: the field's value.
    ///   - now: decides the century of a year of two digits: at most 50 years in the future.
    /// - Returns: the date; nil for any other text.
    package static func date(_ text: String, now: Date) -> Date? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        guard words.count == 5 || words.count == 6 else { return nil }
        let isAsctime = words.count == 5
        guard isAsctime || words[5].uppercased() == "GMT" else { return nil }
        guard let day = number(words[isAsctime ? 2 : 1]), var year = number(words[isAsctime ? 4 : 3]) else {
            return nil
        }
        let name = words[isAsctime ? 1 : 2]
        guard let month = months.firstIndex(where: { HTTPSyntax.equal($0, name) }) else { return nil }
        let clock = words[isAsctime ? 3 : 4].split(separator: ":").map { number(String($0)) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2] else { return nil }
        if words[isAsctime ? 4 : 3].utf8.count == 2 { year = fullYear(year, now: now) }
        // A leap second is written as :60.
        guard let date = CivilDate(year: year, month: month + 1, day: day), year >= 1, hour < 24, minute < 60,
            second <= 60
        else { return nil }
        let clockSeconds = hour * 3_600 + minute * 60 + second
        return Date(timeIntervalSince1970: Double(date.daysSince1970 * 86_400 + clockSeconds))
    }

    /// Parses the date of a cookie, in almost any form (RFC 6265, section 5.1.1): the first words that can be a time, a day,
    /// a month and a year, in any order. Weekday and time zone are ignored; years 70 to 99 are those of 1900.
    static func cookieDate(_ text: String) -> Date? {
        var (time, day, month, year): ([Int]?, Int?, Int?, Int?)
        let words = text.split { $0 != ":" && $0.isASCII && !$0.isLetter && !$0.isNumber }
        for word in words {
            let name = String(word.prefix(3))
            if time == nil, let found = clock(word) {
                time = found
            } else if day == nil, let found = leadingNumber(word, digits: 1...2) {
                day = found
            } else if month == nil, let found = months.firstIndex(where: { HTTPSyntax.equal($0, name) }) {
                month = found + 1
            } else if year == nil, let found = leadingNumber(word, digits: 2...4) {
                year = found + (found < 70 ? 2_000 : found < 100 ? 1_900 : 0)
            }
        }
        guard let time, let day, let month, let year, year > 1_600, time[0] < 24, time[1] < 60, time[2] < 60,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        let clockSeconds = time[0] * 3_600 + time[1] * 60 + time[2]
        return Date(timeIntervalSince1970: Double(date.daysSince1970 * 86_400 + clockSeconds))
    }

    private static func clock(_ word: Substring) -> [Int]? {
        let fields = word.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        // Only the last field may be followed by other characters.
        guard fields.count == 3, fields.dropLast().allSatisfy({ number(String($0)) != nil }) else { return nil }
        let numbers = fields.compactMap { leadingNumber($0, digits: 1...2) }
        return numbers.count == 3 ? numbers : nil
    }

    /// Returns the number at the beginning of a word; nil if it has another number of digits.
    private static func leadingNumber(_ word: Substring, digits: ClosedRange<Int>) -> Int? {
        let number = word.prefix { $0.isASCII && $0.isNumber }
        return digits.contains(number.count) ? Int(number) : nil
    }

    /// Formats a time in seconds since 1970, such as `Sun, 06 Nov 1994 08:49:37 GMT`; years 1970 to 9999.
    package static func text(of time: Double) -> String {
        let seconds = Int(min(max(time, 0), 253_402_300_799))
        let days = seconds / 86_400
        let date = CivilDate(daysSince1970: days)
        func two(_ number: Int) -> String { CivilDate.padded(number, to: 2) }
        let clock = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map(two).joined(separator: ":")
        let day = "\(weekdays[CivilDate.weekday(ofDay: days)]), \(two(date.day)) \(months[date.month - 1])"
        return "\(day) \(CivilDate.padded(date.year, to: 4)) \(clock) GMT"
    }

    private static func number(_ text: String) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    private static func fullYear(_ year: Int, now: Date) -> Int {
        let current = 1_970 + Int(now.timeIntervalSince1970 / 31_556_952)
        let guess = current - current % 100 + year
        return guess > current + 50 ? guess - 100 : guess
    }
}
