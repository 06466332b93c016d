import CivilDates
import SystemCalls

/// A time zone: that of the machine, one of the zoneinfo database, or a fixed distance from UTC.
///
/// FoundationEssentials has fixed distances only, and Foundation would add 41 MB of ICU to the program.
public struct Zone: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
        case system
        /// The zone of the machine as it was when it was last read.
        case machine
        case fixed(Int)
        case rules(TimeZoneRules)
    }

    private let kind: Kind
    /// The name, such as `Europe/Berlin`; `nil` for the zone of the machine.
    public let name: String?

    /// The zone of the machine. A change of `TZ` or of the machine's zone applies at once.
    public static let system = Zone(kind: .system, name: nil)
    /// This zone, for a file of many times: a change of the machine's zone, of which ``system`` asks the disk for each time,
    /// does not apply in between.
    var unchanging: Zone {
        guard kind == .system else { return self }
        _ = offset(at: 0)
        return Zone(kind: .machine, name: nil)
    }

    /// Universal time.
    public static let utc = Zone(secondsFromGMT: 0)

    private init(kind: Kind, name: String?) { (self.kind, self.name) = (kind, name) }

    /// Creates a zone with a fixed distance from UTC in seconds, east positive.
    public init(secondsFromGMT seconds: Int) { self.init(kind: .fixed(seconds), name: "UTC") }

    /// Reads a zone of the zoneinfo database, such as `Asia/Seoul`; `nil` if the database has no such zone.
    public init?(named name: String) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.isEmpty, name.utf8.count <= 64, parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }),
            let data = try? Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/" + name)),
            let rules = TimeZoneRules(Array(data))
        else { return nil }
        self.init(kind: .rules(rules), name: name)
    }

    /// Returns the distance from UTC in seconds at a time in seconds since 1970.
    func offset(at seconds: Int) -> Int {
        switch kind {
        case .fixed(let offset): return offset
        case .rules(let rules): return rules.offset(at: seconds)
        case .system, .machine:
            // `localtime_r` alone may use the zone that was read first.
            if kind == .system { tzset() }
            var time = time_t(seconds)
            var parts = tm()
            localtime_r(&time, &parts)
            return Int(parts.tm_gmtoff)
        }
    }

    /// Returns the day and the time of day of a time. For a time before the year 1 or after 9999, which has no day that can be
    /// written, they are the first or the last ones.
    public func local(_ date: Date) -> (day: Day, time: TimeOfDay) {
        let seconds = date.wholeSeconds
        let local = (seconds + offset(at: seconds)).clamped(to: Date.writableSeconds)
        let day = Day(number: CivilDate.day(ofSecond: local))
        let minutes = (local - day.number * 86_400) / 60
        return (day, TimeOfDay(hour: minutes / 60, minute: minutes % 60) ?? .midnight)
    }

    /// Returns the time of a day and a time of day. A time that a clock change skips is moved by the length of the change;
    /// of a time that occurs twice, the first is returned.
    public func date(_ day: Day, _ time: TimeOfDay = .midnight) -> Date {
        let local = day.number * 86_400 + time.minutes * 60
        // The larger of the distances around the time leads to the earlier of two times.
        let (before, after) = (offset(at: local - 86_400), offset(at: local + 86_400))
        for offset in [max(before, after), min(before, after)] where self.offset(at: local - offset) == offset {
            return Date(timeIntervalSince1970: Double(local - offset))
        }
        return Date(timeIntervalSince1970: Double(local - before))
    }
}

extension Date {
    /// The seconds since 1970 that have a day from the year 1 to 9999.
    fileprivate static let writableSeconds = -62_135_596_800...253_402_300_799

    /// The whole seconds since 1970, within the years 1 to 9999 in UTC.
    var wholeSeconds: Int {
        let (first, last) = (Self.writableSeconds.lowerBound, Self.writableSeconds.upperBound)
        return Int(timeIntervalSince1970.rounded(.down).clamped(to: Double(first)...Double(last)))
    }
}

extension Comparable {
    fileprivate func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}

extension TimeOfDay {
    /// 0:00.
    public static let midnight = TimeOfDay(minutesSinceMidnight: 0)
    /// 23:59.
    static let lastMinute = TimeOfDay(minutesSinceMidnight: 24 * 60 - 1)

    private init(minutesSinceMidnight: Int) { minutes = minutesSinceMidnight }
}

/// The clock of the todos: the present time and the time zone, which tests replace.
public struct TodoClock: Sendable {
    /// Returns the present time.
    public var now: @Sendable () -> Date
    /// The time zone of the user.
    public var zone: Zone

    /// Creates a clock; without arguments, that of the machine.
    public init(zone: Zone = .system, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.zone, self.now) = (zone, now)
    }

    /// This clock with a zone that does not change.
    var unchanging: TodoClock { TodoClock(zone: zone.unchanging, now: now) }

    /// The present day.
    public var today: Day { Day(now(), in: zone) }

    /// The present time of day.
    public var time: TimeOfDay { zone.local(now()).time }
}
