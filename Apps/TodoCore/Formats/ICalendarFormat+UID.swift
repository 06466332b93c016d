import Checksums
import ICalendar

/// The UIDs of iCalendar and the UUIDs of todos.
extension ICalendarFormat {
    /// Returns the UUID of a UID. One of another form gets a UUID that is computed from it.
    package static func uuid(_ uid: String) -> UUID {
        if let uuid = UUID(text: uid) { return uuid }
        var bytes = Array(SHA256.digest(of: Array(uid.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Returns the UUID of a task, which an occurrence that differs from its series has for itself; `nil` without a UID.
    static func uuid(of task: ICalendarComponent) -> UUID? {
        guard let uid = task.property("UID")?.value else { return nil }
        return uuid(task.property("RECURRENCE-ID").map { "\(uid)\n\($0.value)" } ?? uid)
    }

    /// Returns the UID of a todo: that of the task that was imported, or its UUID in lower case.
    package static func uid(_ todo: Todo) -> String {
        if let task = storedTask(todo), let uid = task.property("UID"), uuid(of: task) == todo.uuid { return uid.value }
        return (todo.uuid ?? UUID()).text
    }

    /// Returns the task whose lines a todo stores.
    static func storedTask(_ todo: Todo) -> ICalendarComponent? {
        guard let lines = todo.extras[linesKey] else { return nil }
        return ICalendarDocument("BEGIN:VTODO\n\(lines)\nEND:VTODO").root.descendants("VTODO").first
    }
}
