import CivilDates

/// The rules of a time zone, as a file of the zoneinfo database contains them (RFC 9636).
struct TimeZoneRules: Hashable, Sendable {
    /// The times in seconds since 1970 from which an offset applies, ascending, and the offsets.
    private var transitions: [Int] = []
    private var offsets: [Int] = []
    /// The offset before the first transition.
    private var first = 0
    /// The rule after the last transition.
    private var rule: PosixZone?

    /// Parses a file of version 1 to 4; `nil` if it is malformed.
    init?(_ bytes: [UInt8]) {
        guard let header = Header(bytes, at: 0) else { return nil }
        guard bytes[4] >= UInt8(ascii: "2") else {
            guard read(bytes, header, timeSize: 4) != nil else { return nil }
            return
        }
        guard let second = Header(bytes, at: header.end(timeSize: 4)), let end = read(bytes, second, timeSize: 8) else {
            return nil
        }
        let footer = bytes[end...].dropFirst().prefix { $0 != 0x0A }
        rule = PosixZone(String(decoding: footer, as: UTF8.self))
    }

    /// Returns the distance from UTC in seconds, east positive.
    func offset(at seconds: Int) -> Int {
        guard let last = transitions.last else { return rule?.offset(at: seconds) ?? first }
        if seconds >= last, let rule { return rule.offset(at: seconds) }
        // The number of transitions up to the time, by bisection.
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }

    private struct Header {
        let start: Int
        let isUTCount: Int, isStandardCount: Int, leapCount: Int, timeCount: Int, typeCount: Int, characterCount: Int

        init?(_ bytes: [UInt8], at start: Int) {
            guard bytes.count >= start + 44, bytes[start..<start + 4].elementsEqual("TZif".utf8) else { return nil }
            self.start = start
            let counts = (0..<6).map { TimeZoneRules.integer(bytes, start + 20 + 4 * $0, 4) }
            guard counts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
            (isUTCount, isStandardCount, leapCount) = (counts[0], counts[1], counts[2])
            (timeCount, typeCount, characterCount) = (counts[3], counts[4], counts[5])
        }

        func end(timeSize: Int) -> Int {
            start + 44 + timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4)
                + isStandardCount + isUTCount
        }
    }

    /// Reads the data behind a header and returns its end.
    private mutating func read(_ bytes: [UInt8], _ header: Header, timeSize: Int) -> Int? {
        let end = header.end(timeSize: timeSize)
        guard header.typeCount > 0, end <= bytes.count else { return nil }
        let times = header.start + 44
        let indices = times + header.timeCount * timeSize
        let types = indices + header.timeCount
        let known = (0..<header.typeCount).map { Self.integer(bytes, types + 6 * $0, 4) }
        first = known[0]
        for index in 0..<header.timeCount {
            let type = Int(bytes[indices + index])
            guard type < known.count else { return nil }
            transitions.append(Self.integer(bytes, times + index * timeSize, timeSize))
            offsets.append(known[type])
        }
        return end
    }

    /// Returns a signed number in big-endian order.
    private static func integer(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int {
        var value = Int(Int8(bitPattern: bytes[start]))
        for index in 1..<size { value = value << 8 | Int(bytes[start + index]) }
        return value
    }
}

/// The value of a `TZ` variable in the form of POSIX, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
struct PosixZone: Hashable, Sendable {
    /// The day and the time of a clock change within a year.
    private struct Change: Hashable {
        enum Date: Hashable {
            case month(Int, week: Int, weekday: Int)
            /// The day from 1 to 365 without 29 February, or from 0 to 365 with it.
            case day(Int, countsLeapDay: Bool)
        }

        var date: Date
        var seconds = 7200

        /// Returns the time of the change in a year in seconds since 1970, by the clock before the change.
        func local(_ year: Int) -> Int {
            let day: Day?
            switch date {
            case .day(let number, let countsLeapDay):
                let isLeap = CivilDate.daysInMonth(2, year: year) == 29
                let extra = countsLeapDay ? number : number - 1 + (isLeap && number >= 60 ? 1 : 0)
                day = Day(year: year, month: 1, day: 1)?.adding(extra)
            case .month(let month, let week, let weekday):
                guard let first = Day(year: year, month: month, day: 1) else { return 0 }
                // Here Monday is 0; in the rule, Sunday is 0.
                var found = first.adding((weekday + 6 - first.weekday) % 7 + 7 * (week - 1))
                while found.parts.month != month { found = found.adding(-7) }
                day = found
            }
            return (day?.number ?? 0) * 86_400 + seconds
        }
    }

    private var standard: Int
    private var summer: (offset: Int, start: Change, end: Change)?

    /// Parses a rule; `nil` if it is malformed.
    init?(_ text: String) {
        var rest = text[...]
        guard Self.takeName(&rest), let standard = Self.takeTime(&rest) else { return nil }
        self.standard = -standard
        guard !rest.isEmpty else { return }
        guard Self.takeName(&rest) else { return nil }
        let offset = rest.first == "," ? self.standard + 3600 : Self.takeTime(&rest).map { -$0 }
        guard let offset, let start = Self.takeChange(&rest), let end = Self.takeChange(&rest), rest.isEmpty
        else { return nil }
        summer = (offset, start, end)
    }

    /// Returns the distance from UTC in seconds, east positive.
    func offset(at seconds: Int) -> Int {
        guard let summer else { return standard }
        let local = seconds + standard
        let year = CivilDate(daysSince1970: CivilDate.day(ofSecond: local)).year
        let start = summer.start.local(year) - standard
        let end = summer.end.local(year) - summer.offset
        let isSummer = start < end ? (start..<end).contains(seconds) : !(end..<start).contains(seconds)
        return isSummer ? summer.offset : standard
    }

    static func == (left: PosixZone, right: PosixZone) -> Bool {
        left.standard == right.standard && left.summer?.offset == right.summer?.offset
            && left.summer?.start == right.summer?.start && left.summer?.end == right.summer?.end
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(standard)
        hasher.combine(summer?.offset)
    }

    private static func takeName(_ rest: inout Substring) -> Bool {
        let name = rest.first == "<" ? rest.prefix { $0 != ">" } : rest.prefix(while: \.isLetter)
        rest = rest.dropFirst(name.count + (name.first == "<" ? 1 : 0))
        return name.count >= 3
    }

    /// Parses `[+-]hh[:mm[:ss]]` in seconds.
    private static func takeTime(_ rest: inout Substring) -> Int? {
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest = rest.dropFirst() }
        let text = rest.prefix { $0.isNumber || $0 == ":" }
        rest = rest.dropFirst(text.count)
        let fields = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...3).contains(fields.count) else { return nil }
        var seconds = 0
        for (index, field) in fields.enumerated() {
            guard let field, (0...167).contains(field) else { return nil }
            seconds += field * [3600, 60, 1][index]
        }
        return isNegative ? -seconds : seconds
    }

    private static func takeChange(_ rest: inout Substring) -> Change? {
        guard rest.first == "," else { return nil }
        rest = rest.dropFirst()
        let text = rest.prefix { $0 != "," && $0 != "/" }
        rest = rest.dropFirst(text.count)
        var change: Change
        let numbers = text.drop { $0 == "M" || $0 == "J" }.split(separator: ".").compactMap { Int($0) }
        if text.first == "M" {
            guard numbers.count == 3, (1...12).contains(numbers[0]), (1...5).contains(numbers[1]),
                (0...6).contains(numbers[2])
            else { return nil }
            change = Change(date: .month(numbers[0], week: numbers[1], weekday: numbers[2]))
        } else {
            guard let number = numbers.first, (0...365).contains(number) else { return nil }
            change = Change(date: .day(number, countsLeapDay: text.first != "J"))
        }
        if rest.first == "/" {
            rest = rest.dropFirst()
            guard let seconds = takeTime(&rest) else { return nil }
            change.seconds = seconds
        }
        return change
    }
}
