#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Dates as HTTP writes them (RFC 9110, section 5.6.7): the three forms that a recipient has to read, all in GMT.
enum HTTPDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    /// - Parameters:
    ///   - text: the field's value.
    ///   - now: decides the century of a year of two digits: never more than 50 years ahead.
    /// - Returns: nil for anything else.
    static func date(_ text: String, now: Date) -> Date? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        guard words.count == 5 || words.count == 6 else { return nil }
        let isAsctime = words.count == 5
        guard isAsctime || words[5].uppercased() == "GMT" else { return nil }
        guard let day = number(words[isAsctime ? 2 : 1]), var year = number(words[isAsctime ? 4 : 3]) else {
            return nil
        }
        let name = words[isAsctime ? 1 : 2].lowercased()
        guard let month = months.firstIndex(of: name) else { return nil }
        let clock = words[isAsctime ? 3 : 4].split(separator: ":").map { number(String($0)) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2] else { return nil }
        if words[isAsctime ? 4 : 3].utf8.count == 2 { year = fullYear(year, now: now) }
        // A leap second is told as :60.
        guard (1...31).contains(day), hour < 24, minute < 60, second <= 60, (1...9_999).contains(year) else {
            return nil
        }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3_600 + minute * 60 + second))
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

    /// Days from 1970-01-01 in the Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
