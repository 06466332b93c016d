extension Day: CustomStringConvertible {
    /// The day as ISO 8601 writes it: `2026-03-09`.
    public var description: String {
        let (year, month, day) = parts
        return Self.padded(year, to: 4) + "-" + Self.padded(month, to: 2) + "-" + Self.padded(day, to: 2)
    }

    /// Reads `2026-03-09`; `nil` for anything else.
    public init?(iso text: some StringProtocol) {
        let fields = text.split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].utf8.count == 4, fields[1].utf8.count == 2, fields[2].utf8.count == 2,
            fields.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
            let year = Int(fields[0]), let month = Int(fields[1]), let day = Int(fields[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Reads a day as people type it.
    ///
    /// - Parameters:
    ///   - text: an ISO date, `today`, `tomorrow`, `yesterday`, the Korean `오늘`, `내일` and `모레`, a weekday (`fri`,
    ///     `friday`: the next one, never today), or a distance such as `3d`, `+2w`.
    ///   - today: the day from which the relative ones count.
    public init?(_ text: some StringProtocol, today: Day) {
        let word = text.lowercased()
        if let exact = Day(iso: word) {
            self = exact
        } else if let distance = Self.named[word] ?? Self.distance(word) {
            self = today.adding(distance)
        } else if let weekday = Self.weekdays.firstIndex(where: { word == $0 || word == $0.prefix(3) }) {
            let ahead = (weekday - today.weekday + 7) % 7
            self = today.adding(ahead == 0 ? 7 : ahead)
        } else {
            return nil
        }
    }

    private static let named = [
        "today": 0, "tomorrow": 1, "yesterday": -1, "오늘": 0, "내일": 1, "모레": 2, "어제": -1,
    ]

    private static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    /// Reads `3d`, `+3d` or `2w` as a number of days; at most four digits, so that no date leaves the calendar.
    private static func distance(_ word: String) -> Int? {
        let unit: Int
        switch word.last {
        case "d": unit = 1
        case "w": unit = 7
        default: return nil
        }
        let digits = word.dropLast().drop { $0 == "+" }
        guard word.count - digits.count <= 2, (1...4).contains(digits.utf8.count), let count = UInt16(digits) else {
            return nil
        }
        return Int(count) * unit
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension Day: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Day(iso: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a day is written 2026-03-09, not \"\(text)\""
            )
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
