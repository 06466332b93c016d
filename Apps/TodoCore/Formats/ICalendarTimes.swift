import CivilDates
import ICalendar

/// Converts times of iCalendar to the days and clock times of the user.
struct ICalendarTimes {
    private let zones: [String: ICalendarTimeZone]
    private let clock: TodoClock

    /// Creates a converter with the VTIMEZONE components of a calendar.
    init(_ zones: [ICalendarComponent], _ clock: TodoClock) {
        self.zones = Dictionary(zones.compactMap { ICalendarTimeZone($0) }.map { ($0.name, $0) }) { $1 }
        self.clock = clock
    }

    /// A time in the zone of the user; the time of day is `nil` for a whole day.
    typealias Local = (day: Day, time: TimeOfDay?, date: Date)

    /// Returns the time of the first property of a name; `nil` without such a property.
    func first(_ name: String, _ task: ICalendarComponent) throws(TodoImportProblem) -> Local? {
        guard let property = task.property(name) else { return nil }
        guard let time = ICalendarTime(property) else {
            throw TodoImportProblem(
                line: property.line,
                column: property.text.count - property.value.count + 1,
                message: "\(property.name) is not a time; write 20260309 or 20260309T150000Z"
            )
        }
        return local(time)
    }

    /// Returns the end of a task: its DUE, or its DTSTART and DURATION.
    func due(_ task: ICalendarComponent) throws(TodoImportProblem) -> Local? {
        if let due = try first("DUE", task) { return due }
        guard let start = task.property("DTSTART").flatMap({ ICalendarTime($0) }),
            let duration = task.property("DURATION").flatMap({ ICalendarDuration($0.value) })
        else { return nil }
        let date = CivilDate(daysSince1970: start.date.daysSince1970 + duration.days)
        guard let seconds = start.seconds else { return local(ICalendarTime(date)) }
        let from = local(ICalendarTime(date, seconds: seconds, zone: start.zone)).date
        let (day, time) = clock.zone.local(from.addingTimeInterval(Double(duration.seconds)))
        return (day, time, clock.zone.date(day, time))
    }

    /// Returns a time in the zone of the user.
    func local(_ time: ICalendarTime) -> Local {
        let day = Day(number: time.date.daysSince1970).inCalendar
        guard let seconds = time.seconds else { return (day, nil, clock.zone.date(day)) }
        let clockTime = TimeOfDay(hour: seconds / 3600, minute: seconds / 60 % 60) ?? .midnight
        let date: Date
        switch time.zone {
        case .floating: return (day, clockTime, clock.zone.date(day, clockTime))
        case .utc: date = Date(timeIntervalSince1970: Double(time.clockSeconds))
        case .named(let name):
            if let zone = Self.zone(name) {
                date = zone.date(day, clockTime).addingTimeInterval(Double(seconds % 60))
            } else if let zone = zones[name] {
                date = Date(timeIntervalSince1970: Double(time.clockSeconds - zone.offset(atClock: time.clockSeconds)))
            } else {
                // Without a definition, the clock time is the best guess.
                return (day, clockTime, clock.zone.date(day, clockTime))
            }
        }
        let (localDay, localTime) = clock.zone.local(date)
        return (localDay, localTime, date)
    }

    /// Returns the zone of a TZID; some programs write a prefix before the name of the database.
    private static func zone(_ name: String) -> Zone? {
        if let zone = Zone(named: name) { return zone }
        let parts = name.split(separator: "/")
        return parts.count > 2 ? Zone(named: parts.suffix(2).joined(separator: "/")) : nil
    }
}
