package import CalDAV
package import EssentialFoundation
import JSONValues
import TodoCore

/// The account of a server and the lists that are synced with it.
package struct SyncAccount: Codable, Sendable {
    /// The address as it was typed.
    package var address: String
    /// The user.
    package var user: String
    /// Where the user's calendars are.
    package var home: CalDAVHome
    /// The synced lists.
    package var lists: [SyncList]
    /// The last attempt and its result.
    package var status = SyncStatus()

    package init(address: String, user: String, home: CalDAVHome, lists: [SyncList]) {
        (self.address, self.user, self.home, self.lists) = (address, user, home, lists)
    }
}

/// A list and its calendar.
package struct SyncList: Codable, Sendable {
    /// A random text that identifies it in the files.
    package var id: String
    /// The name of the list.
    package var name: String
    /// The calendar.
    package var calendar: CalDAVCalendar
    /// The state up to which the server's changes were read.
    package var token: CalDAVToken?
    /// The tag of the calendar before that.
    package var ctag: String?

    /// Whether the server may have changes that were not read.
    var isOutdated: Bool {
        if token != nil, let ctag, let present = calendar.ctag { return ctag != present }
        return token == nil || token != calendar.token
    }

    /// The list as the store has it.
    var todoList: TodoList {
        TodoList(name: name, color: calendar.color, isSynced: true, isReadOnly: !calendar.canWrite, syncID: id)
    }

    /// Creates a list that has not been read.
    package init(name: String, calendar: CalDAVCalendar) {
        (self.name, self.calendar) = (name, calendar)
        id = String(UInt64.random(in: 0 ... .max), radix: 36)
    }
}

/// The result of the last attempt to sync.
package struct SyncStatus: Codable, Sendable {
    /// The time of the last attempt.
    package var attempt: Date?
    /// The time of the last complete sync.
    package var success: Date?
    /// The number of attempts that have failed since.
    package var failures = 0
    /// The time before which no attempt is made unasked.
    package var pause: Date?
    /// Why the last attempt failed.
    package var problem: String?
    /// The kind of ``problem``.
    package var kind: SyncProblem.Kind?
    /// The deletions that require consent.
    package var refusals: [SyncReport.Refusal]?
    /// The todos that could not be synced.
    package var problems: [SyncEvent]?
}

/// What a sync knows of one todo of a list.
struct SyncItem: Codable, Sendable {
    var list: String
    var uuid: UUID
    var uid: String
    var href: CalDAVHref
    /// The version on the server; `nil` while it is not known whether the server has the object.
    var etag: String?
    /// The last text of the server, or the one that was sent.
    var text: String
    /// The todo as the text describes it.
    var todo: Todo
    /// The UUID of the parent that the text names.
    var parent: UUID?

    /// Parses the JSON of an item; `nil` for one that only the decoder can read, or nothing.
    static func parse(_ bytes: [UInt8]) -> SyncItem? {
        var (list, uid, etag, text): (String?, String?, String?, String?)
        var (uuid, parent): (UUID?, UUID?)
        var (href, todo): (CalDAVHref?, Todo?)
        let isRead: Void? = try? JSONReader.read(bytes) { reader throws(JSONError) in
            try reader.readObject { name, reader throws(JSONError) in
                switch name {
                case "list": list = try reader.readString()
                case "uuid": uuid = UUID(uuidString: try reader.readString())
                case "uid": uid = try reader.readString()
                case "href": href = CalDAVHref(try reader.readString())
                case "etag": etag = try reader.readString()
                case "text": text = try reader.readString()
                case "todo": todo = try Todo(reading: &reader)
                case "parent":
                    parent = UUID(uuidString: try reader.readString())
                    if parent == nil { throw reader.error("the parent is invalid") }
                default: try reader.skipValue()
                }
            }
        }
        guard isRead != nil, let list, let uuid, let uid, let href, let text, let todo else { return nil }
        return SyncItem(
            list: list,
            uuid: uuid,
            uid: uid,
            href: href,
            etag: etag,
            text: text,
            todo: todo,
            parent: parent
        )
    }
}

/// An object of a list that is no todo here: an event, a malformed one, or a second one of a todo.
struct SyncForeign: Codable, Hashable, Sendable {
    var list: String
    var href: CalDAVHref
    var etag: String
    /// Why it is left alone; `nil` for an event.
    var problem: String?
    /// How often this version was read although it is malformed.
    var reads: Int?
}

/// An action of a sync, for the log.
package struct SyncEvent: Codable, Hashable, Sendable {
    /// What was done.
    package enum Action: Codable, Hashable, Sendable {
        /// The server's todo was added, changed or removed here.
        case added, changed, removed
        /// A todo was added, changed or removed on the server.
        case sentNew, sentChange, sentRemoval
        /// Both sides have set these fields; the server's values were taken, or not.
        case conflict(fields: [String], tookServer: Bool)
        /// It was deleted on one side and changed on the other: the change won.
        case restored
        /// Several lists had it, and one has it now.
        case joined
        /// It could not be synced.
        case problem(String)
    }

    /// The time.
    package var date: Date
    /// The list.
    package var list: String
    /// The title of the todo, or the path of the object.
    package var title: String
    package var action: Action

    package init(date: Date, list: String, title: String, action: Action) {
        (self.date, self.list, self.title, self.action) = (date, list, title, action)
    }
}
