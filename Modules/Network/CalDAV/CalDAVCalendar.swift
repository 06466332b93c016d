public import EssentialFoundation

/// Where a user's calendars are; store it to skip discovery.
public struct CalDAVHome: Sendable, Hashable, Codable {
    /// The principal of the user; nil if the account's URL is a calendar of a server without principals.
    public var principal: URL?
    /// The collections that contain the user's calendars; at least one.
    public var collections: [URL]

    /// Creates a home.
    public init(principal: URL?, collections: [URL]) {
        self.principal = principal
        self.collections = collections
    }
}

/// A collection of calendar objects: a list of todos, a calendar of events, or both.
public struct CalDAVCalendar: Sendable, Hashable, Codable {
    /// The URL of the collection.
    public var url: URL
    /// The path of the collection.
    public var href: CalDAVHref
    /// The display name, or the last segment of the path; without control characters.
    public var name: String
    /// The names of the components that it may contain, such as `VTODO`; nil if the server names none, which means all.
    public var components: Set<String>?
    /// Whether the user may change its objects; true if the server does not say.
    public var canWrite: Bool
    /// The colour as `#rrggbb` or `#rrggbbaa`; nil if it has none.
    public var color: String?
    /// A text that changes when any object changes (`getctag`); nil if the server has none.
    public var ctag: String?
    /// The current token of sync-collection; nil if the server has none.
    public var syncToken: String?
    /// Whether the server reports changes since a token (RFC 6578).
    public var supportsSyncCollection: Bool

    /// Creates a calendar.
    public init(
        url: URL,
        href: CalDAVHref,
        name: String,
        components: Set<String>? = nil,
        canWrite: Bool = true,
        color: String? = nil,
        ctag: String? = nil,
        syncToken: String? = nil,
        supportsSyncCollection: Bool = false
    ) {
        self.url = url
        self.href = href
        self.name = name
        self.components = components
        self.canWrite = canWrite
        self.color = color
        self.ctag = ctag
        self.syncToken = syncToken
        self.supportsSyncCollection = supportsSyncCollection
    }

    /// Whether it may contain a component, such as `VTODO`.
    public func allows(_ component: String) -> Bool { components?.contains(component) ?? true }

    /// The state of its objects; equal to the token of the last ``CalDAVChanges`` if nothing has changed since. Nil if the
    /// server has neither a token nor a tag.
    public var token: CalDAVToken? {
        if supportsSyncCollection, let syncToken { return .sync(syncToken) }
        return ctag.map { .tag($0) }
    }
}

/// The state of a calendar's objects at one time. Store it after the objects.
public enum CalDAVToken: Sendable, Hashable, Codable {
    /// A token of sync-collection.
    case sync(String)
    /// A tag of the collection (`getctag`), for servers without sync-collection.
    case tag(String)
}

/// The changes of a calendar's objects since a token.
public struct CalDAVChanges: Sendable, Equatable {
    /// New and changed objects with their ETags. Objects whose ETag the caller knew are left out.
    public var changed: [CalDAVHref: String]
    /// The objects that were removed, of those that the caller knew.
    public var removed: Set<CalDAVHref>
    /// The state after these changes; nil if the server has none, so that the next call lists all objects.
    public var token: CalDAVToken?
    /// Whether the server listed all objects, rather than those that have changed.
    public var isComplete: Bool

    /// Creates changes.
    public init(
        changed: [CalDAVHref: String] = [:],
        removed: Set<CalDAVHref> = [],
        token: CalDAVToken?,
        isComplete: Bool
    ) {
        self.changed = changed
        self.removed = removed
        self.token = token
        self.isComplete = isComplete
    }

    /// Whether there are no changes.
    public var isEmpty: Bool { changed.isEmpty && removed.isEmpty }
}

/// A calendar object: iCalendar text with the ETag of this version.
public struct CalDAVObject: Sendable, Hashable {
    /// The path of the object.
    public var href: CalDAVHref
    /// The version, compared as it is, quotation marks included.
    public var etag: String
    /// The text; its lines end with CR LF or, read from XML, with LF.
    public var text: String
    /// Why the server did not return the object, which then has neither a text nor an ETag: read it again later. Nil for any
    /// other object.
    public var problem: String?

    /// Creates an object.
    public init(href: CalDAVHref, etag: String, text: String, problem: String? = nil) {
        self.href = href
        self.etag = etag
        self.text = text
        self.problem = problem
    }
}

/// The outcome of storing an object.
public enum CalDAVWrite: Sendable, Equatable {
    /// The object is stored. Without a strong ETag, get the object before the next change. Servers may store another text
    /// than was sent, even with an ETag.
    case stored(etag: String?)
    /// The object has changed since the ETag, or, for a new one, exists.
    case preconditionFailed
    /// The calendar has another object with the same UID; the path is nil if the server does not name it.
    case uidConflict(CalDAVHref?)
    /// The object or its calendar does not exist.
    case gone
    /// The server has no space for the object.
    case full
    /// The user may not change the calendar.
    case readOnly
    /// The server does not accept this object; the condition is the name of the violated rule, such as
    /// `valid-calendar-data`, if the server names it.
    case rejected(status: Int, condition: String?)
}

/// The outcome of deleting an object.
public enum CalDAVDeletion: Sendable, Equatable {
    /// The object does not exist any more, or did not exist.
    case deleted
    /// The object has changed since the ETag.
    case preconditionFailed
    /// The user may not change the calendar.
    case readOnly
}
