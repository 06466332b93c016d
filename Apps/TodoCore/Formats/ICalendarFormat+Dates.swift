import CivilDates
import ICalendar

/// The times of a changed task.
extension ICalendarFormat {
    /// Returns a changed time in the form that the task has: if only the day changes, it retains its clock time and its zone,
    /// and a day of a repetition remains one.
    static func moved(
        _ new: ICalendarProperty,
        from old: ICalendarProperty?,
        in present: ICalendarProperty?,
        _ before: Todo,
        _ todo: Todo,
        _ clock: TodoClock
    ) -> ICalendarProperty {
        guard todo.dueTime == before.dueTime, let present, let time = ICalendarTime(present),
            let from = old.flatMap({ ICalendarTime($0) }), let to = ICalendarTime(new)
        else { return new }
        let isDay = from.seconds == nil && to.seconds == nil
        let retainsForm =
            time.seconds == nil
            ? todo.dueTime == nil && before.recurrence != nil
            : isDay || time.zone != .utc && to.seconds != nil
        guard retainsForm else { return new }
        // The days are those of the user: a time in UTC may be on another one.
        let times = ICalendarTimes([], clock)
        return present.replacing(
            value: time.adding(days: times.local(to).day.number - times.local(from).day.number).value
        )
    }

    /// Moves a start that is no threshold, since it is not before the due day, with this day: otherwise it would be one.
    static func moveStart(of task: inout ICalendarComponent, from before: Todo, to todo: Todo) {
        guard let property = task.property("DTSTART") else { return }
        guard let start = ICalendarTime(property), let old = before.due, let new = todo.due else {
            return task.set("DTSTART", nil)
        }
        task.set("DTSTART", property.replacing(value: start.adding(days: new.number - old.number).value))
    }

    /// Makes the times of a changed task valid: DUE and DTSTART have the same type, DUE is later, and there is no DURATION.
    static func joinDates(_ task: inout ICalendarComponent, _ clock: TodoClock) {
        guard let due = task.property("DUE").flatMap({ ICalendarTime($0) }) else { return }
        task.set("DURATION", nil)
        guard let start = task.property("DTSTART").flatMap({ ICalendarTime($0) }) else { return }
        // The first day of a repetition of whole days.
        if start == due, start.seconds == nil, task.property("RRULE") != nil { return }
        let times = ICalendarTimes([], clock)
        let isEarlier = times.local(start).date < times.local(due).date
        if isEarlier, (start.seconds == nil) == (due.seconds == nil) { return }
        guard isEarlier || task.property("RRULE") != nil else { return task.set("DTSTART", nil) }
        // Midnight of its day or, if that is not earlier, of the day before.
        let day = min(start.date.daysSince1970, due.date.daysSince1970 - (due.seconds ?? 0 > 0 ? 0 : 1))
        let midnight = ICalendarTime(start.date, seconds: due.seconds == nil ? nil : 0, zone: due.zone)
        task.set("DTSTART", midnight.adding(days: day - start.date.daysSince1970).property("DTSTART"))
    }

    /// Writes the times of a new task if those that retain their form mean other days than the todo has. The time of day may be
    /// another one: a time in another zone retains its clock time when the clocks change there.
    static func correctDates(
        of task: inout ICalendarComponent,
        to todo: Todo,
        _ fields: [String: [ICalendarProperty]],
        _ zones: [ICalendarComponent],
        _ clock: TodoClock
    ) {
        let times = ICalendarTimes(zones, clock)
        func hasDates(_ task: ICalendarComponent) -> Bool {
            var record = TodoRecord(line: task.line, title: todo.title)
            guard (try? setDates(&record, task, times, clock.zone)) != nil else { return false }
            return record.change.due?.value == todo.due && record.change.threshold?.value == todo.threshold
        }
        guard !hasDates(task) else { return }
        var corrected = task
        for name in ["DUE", "DTSTART", "X-PAWKIT-DUE", "X-PAWKIT-THRESHOLD"] {
            corrected.set(name, fields[name] ?? [])
        }
        if hasDates(corrected) { task = corrected }
    }
}
