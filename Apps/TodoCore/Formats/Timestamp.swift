import CivilDates

/// Times in UTC as text, to the second.
package enum Timestamp {
    /// The form of taskwarrior and iCalendar: `20260309T150000Z`.
    static func basic(_ date: Date) -> String { text(date, isExtended: false) }

    /// The form of ISO 8601 with separators: `2026-03-09T15:00:00Z`.
    package static func extended(_ date: Date) -> String { text(date, isExtended: true) }

    private static func text(_ date: Date, isExtended: Bool) -> String {
        let (day, seconds) = split(date)
        let (year, month, dayOfMonth) = day.parts
        return String(unsafeUninitializedCapacity: 20) { bytes in
            var count = 0
            func put(_ number: Int, digits: Int, _ separator: Unicode.Scalar? = nil) {
                var rest = number
                for place in (count..<count + digits).reversed() {
                    bytes[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                count += digits
                guard let separator else { return }
                bytes[count] = UInt8(ascii: separator)
                count += 1
            }
            put(year, digits: 4, isExtended ? "-" : nil)
            put(month, digits: 2, isExtended ? "-" : nil)
            put(dayOfMonth, digits: 2, "T")
            put(seconds / 3600, digits: 2, isExtended ? ":" : nil)
            put(seconds / 60 % 60, digits: 2, isExtended ? ":" : nil)
            put(seconds % 60, digits: 2, "Z")
            return count
        }
    }

    /// The clock time of a day in no particular zone: `20260309T150000`.
    static func local(_ day: Day, _ time: TimeOfDay) -> String {
        day.description.filter { $0 != "-" } + "T" + padded(time.hour, 2) + padded(time.minute, 2) + "00"
    }

    /// Parses the digits of `20260309` and, after a `T`, `150000`; `nil` for any other text. A final `Z` is not allowed.
    static func local(_ text: some StringProtocol) -> (day: Day, seconds: Int?)? { local(Array(text.utf8)) }

    private static func local(_ bytes: [UInt8]) -> (day: Day, seconds: Int?)? {
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for index in range {
                guard (0x30...0x39).contains(bytes[index]) else { return nil }
                value = value * 10 + Int(bytes[index] - 0x30)
            }
            return value
        }
        guard bytes.count == 8 || bytes.count == 15 && bytes[8] == 0x54, let year = number(0..<4),
            let month = number(4..<6),
            let dayOfMonth = number(6..<8), let day = Day(year: year, month: month, day: dayOfMonth)
        else { return nil }
        guard bytes.count == 15 else { return (day, nil) }
        guard let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return (day, hour * 3600 + minute * 60 + min(second, 59))
    }

    /// Parses a time in UTC, basic or extended.
    static func utc(_ text: some StringProtocol) -> Date? {
        guard text.utf8.suffix(1).elementsEqual("Z".utf8) else { return nil }
        let basic = text.utf8.dropLast().filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
        guard let (day, seconds) = local(basic), let seconds else { return nil }
        return Date(timeIntervalSince1970: Double(day.number * 86_400 + seconds))
    }

    private static func split(_ date: Date) -> (Day, Int) {
        let seconds = date.wholeSeconds
        let day = Day(number: CivilDate.day(ofSecond: seconds))
        return (day, seconds - day.number * 86_400)
    }

    private static func padded(_ number: Int, _ width: Int) -> String { CivilDate.padded(number, to: width) }
}
