package import AppLanguage
import EssentialFoundation
package import RIBs
package import TodoCore

/// The reminders that were given, so that each due time of a todo has one, also when the screens are built anew, and after a start.
@MainActor
package final class ReminderLog {
    /// The due times of the todos, by ID.
    package typealias Entries = [String: Date]

    private let load: @MainActor () -> Entries
    private let save: @MainActor (Entries) -> Void
    private var entries: Entries = [:]

    /// Creates a log, by default one in memory. It saves the reminders whose due times have not passed.
    package init(
        load: @escaping @MainActor () -> Entries = { [:] },
        save: @escaping @MainActor (Entries) -> Void = { _ in }
    ) {
        (self.load, self.save) = (load, save)
    }

    /// Adds a reminder, and returns whether it was not given before.
    fileprivate func insert(_ id: TodoID, due: Date, now: Date) -> Bool {
        guard entries[id.description] != due else { return false }
        let saved = load()
        entries = entries.merging(saved) { $1 }.filter { $0.value >= now }
        guard entries.updateValue(due, forKey: id.description) != due else { return false }
        save(entries)
        return true
    }
}

/// Reminds of todos with a due time, a number of minutes before it. Without reminders it reads nothing.
///
/// Each due time has one reminder. What was overdue at the start has none, and neither has what is hidden, or due on a day without
/// a time.
@MainActor
package final class ReminderWorker: Worker {
    /// Called for each reminder with the todo, whose due time is set.
    package var onReminder: (@MainActor (Todo) -> Void)?

    /// How often the time is compared.
    static let interval = Duration.seconds(10)

    private let store: any TodoStoring
    private let clock: any Clock<Duration>
    /// The present time, in a zone that can change.
    var time: TodoClock
    private let log: ReminderLog
    private let minutes: @MainActor () -> Int?
    /// The todos that are due soon; `nil` if they have to be read. Not their times, which depend on the time zone.
    private var upcoming: [Todo]?
    /// The number of times that ``upcoming`` had to be read again: a reading that began before the last one is out of date.
    private var changeCount = 0
    /// The day of the last comparison and the present day, for which they were read.
    private var days: ClosedRange<Day>?
    /// The time of the last comparison: what was due before it is not reminded of.
    private var last: Date

    /// Creates a worker, which reminds a number of minutes before a due time; never for `nil`.
    package init(
        store: any TodoStoring,
        clock: any Clock<Duration>,
        time: TodoClock,
        log: ReminderLog,
        minutes: @escaping @MainActor () -> Int?
    ) {
        (self.store, self.clock, self.time, self.log, self.minutes) = (store, clock, time, log, minutes)
        last = time.now()
    }

    package override func didStart(_ scope: any InteractorScope) {
        super.didStart(scope)
        let (store, clock) = (store, clock)
        last = time.now()
        readAgain()
        task { [weak self] in
            // The stream is opened before the first read, so that no change is missed between the two.
            let changes = await store.changes()
            await self?.check()
            for await _ in changes {
                self?.readAgain()
                await self?.check()
            }
        }
        task { [weak self] in
            while (try? await clock.sleep(for: Self.interval)) != nil { await self?.check() }
        }
    }

    /// Has the next check read the todos.
    private func readAgain() {
        upcoming = nil
        changeCount += 1
    }

    /// Reports the reminders whose time has come.
    private func check() async {
        guard let minutes = minutes() else {
            (upcoming, last) = (nil, time.now())
            return
        }
        // The machine may have slept since the last comparison.
        let today = time.today
        let days = min(Day(last, in: time.zone), today)...today
        if upcoming == nil || self.days != days {
            let count = changeCount
            guard let read = await read(days), count == changeCount else { return }
            (upcoming, self.days) = (read, days)
        }
        let now = time.now()
        defer { last = now }
        for todo in upcoming ?? [] {
            guard let day = todo.due, let minute = todo.dueTime else { continue }
            let due = time.zone.date(day, minute)
            guard due >= last, due.addingTimeInterval(-60 * Double(minutes)) <= now else { continue }
            if log.insert(todo.id, due: due, now: now) { onReminder?(todo) }
        }
    }

    /// Reads the open todos with a time that are due in the time for which a reminder is possible.
    private func read(_ days: ClosedRange<Day>) async -> [Todo]? {
        let (first, today) = (days.lowerBound, days.upperBound)
        let query = try? TodoQuery(parsing: "due:\(first)..8d", today: today, zone: time.zone)
        let filter = TodoFilter(query: query ?? TodoQuery(), today: today)
        return try? await store.contents(matching: filter).todos.filter { $0.dueTime != nil }
    }
}

/// The texts of reminders.
package enum ReminderText {
    /// Returns when a todo is due.
    package static func due(_ todo: Todo, today: Day, style: DateStyle) -> LocalizedText {
        guard let day = todo.due else { return LocalizedText(verbatim: "") }
        let text = DayText.text(day, todo.dueTime, today: today, style: style)
        return LocalizedText("due \(text.english)", ko: "\(text.korean) 마감")
    }
}
