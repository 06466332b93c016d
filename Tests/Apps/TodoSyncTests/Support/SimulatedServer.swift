import CalDAV
import Checksums
import Foundation
import ICalendar
import TextEscaping

@testable import TodoSync

/// A CalDAV server in memory, with faults.
actor SimulatedServer: TodoServer {
    /// A fault of one call.
    enum Fault: CaseIterable {
        /// The server is busy; nothing is done.
        case busy
        /// The call is done, and its reply is lost.
        case lostReply
        /// The reply has no ETag that can be used.
        case weakETag
        /// The token is refused: all members are listed.
        case refusedToken
        /// The texts of objects end early, as if they were whole.
        case cutText
    }

    struct Collection {
        var calendar: CalDAVCalendar
        var objects: [CalDAVHref: (etag: String, text: String)] = [:]
        /// The number of the last change of each object, also of removed ones.
        var changes: [CalDAVHref: Int] = [:]
        var counter = 0
    }

    private(set) var collections: [Collection] = []
    private(set) var requests: [String] = []
    /// The reply about a collection that does not exist.
    private var absence = CalDAVError.Reason.notFound
    /// The probability of a fault of each call.
    private var faultRate = 0.0
    private var random = SplitMix64(seed: 0)
    /// The time for which it wants no requests while it is busy.
    private var pause = Duration.seconds(120)
    /// The faults of the next calls.
    private var planned: [Fault?] = []
    /// Whether a UID is unique in all collections, and whether the server names the object that has it.
    private var uniqueness: (isOfAccount: Bool, namesObject: Bool) = (false, true)
    /// A part of the texts, or the path of a collection, about which each request fails.
    private var refused: String?
    /// Called before the next write, as another client that comes first.
    private var intruder: (@Sendable (isolated SimulatedServer) -> Void)?

    init(_ names: [String]) {
        for name in names {
            let path = "/dog/\(name.lowercased())/"
            guard let url = URL(string: "http://127.0.0.1" + path), let href = CalDAVHref(path) else { continue }
            let calendar = CalDAVCalendar(
                url: url,
                href: href,
                name: name,
                components: ["VTODO"],
                // As some servers, it has tags of some calendars.
                ctag: name == "Home" ? "tag 0" : nil,
                syncToken: "0",
                supportsSyncCollection: true
            )
            collections.append(Collection(calendar: calendar))
        }
    }

    // MARK: Control

    func setFaults(rate: Double, seed: UInt64) { (faultRate, random) = (rate, SplitMix64(seed: seed)) }

    func plan(_ faults: [Fault?]) { planned = faults }

    func setPause(_ pause: Duration) { self.pause = pause }

    func setUniqueUIDs(namesObject: Bool) { uniqueness = (true, namesObject) }

    func refuse(_ part: String?) { refused = part }

    private func checkRefusal(_ text: String?) throws(CalDAVError) {
        guard let refused, let text, text.contains(refused) else { return }
        let reason = CalDAVError.Reason.refused(status: 500, condition: nil)
        throw CalDAVError(reason, method: "PUT", server: "http://127.0.0.1", path: "/")
    }

    func intrude(_ body: @escaping @Sendable (isolated SimulatedServer) -> Void) { intruder = body }

    func forgetRequests() { requests = [] }

    func change(_ name: String, _ body: (inout CalDAVCalendar) -> Void) {
        guard let index = collections.firstIndex(where: { $0.calendar.name == name }) else { return }
        body(&collections[index].calendar)
    }

    func removeCollection(_ name: String, reply: CalDAVError.Reason = .notFound) {
        absence = reply
        collections.removeAll { $0.calendar.name == name }
    }

    /// The texts of a collection, in the order of their paths.
    func texts(_ name: String) -> [String] {
        let objects = collections.first { $0.calendar.name == name }?.objects ?? [:]
        return objects.sorted { $0.key.path < $1.key.path }.map(\.value.text)
    }

    func hrefs(_ name: String) -> [CalDAVHref] {
        (collections.first { $0.calendar.name == name }?.objects.keys).map { $0.sorted { $0.path < $1.path } } ?? []
    }

    /// Stores a text as another client does; `nil` deletes the object.
    func put(_ text: String?, _ file: String, in name: String) {
        guard let index = collections.firstIndex(where: { $0.calendar.name == name }),
            let href = collections[index].calendar.href.member(file)
        else { return }
        store(text, at: href, index)
    }

    private func store(_ text: String?, at href: CalDAVHref, _ index: Int) {
        collections[index].counter += 1
        let number = collections[index].counter
        collections[index].changes[href] = number
        // As real servers do: properties in another order, with the same values.
        collections[index].objects[href] = text.map { ("\"\(number)\"", Self.reordered($0)) }
        collections[index].calendar.syncToken = "\(number)"
        if collections[index].calendar.ctag != nil {
            // As Radicale's, a tag of the content: it is the old one again when a change is taken back.
            let content = collections[index].objects.map { "\($0.key.path) \($0.value.text)" }.sorted().joined()
            collections[index].calendar.ctag = Hexadecimal.string(of: SHA256.digest(of: Array(content.utf8)))
        }
    }

    private static func reordered(_ text: String) -> String {
        let document = ICalendarDocument(text)
        guard document.problems.isEmpty else { return text }
        var root = document.root
        root.forEachComponent { calendar in
            calendar.forEachComponent { task in
                task = ICalendarComponent(
                    task.name,
                    properties: task.properties.sorted { $0.text < $1.text },
                    components: Array(task.components)
                )
            }
        }
        return root.text
    }

    // MARK: Calls

    private func begin(_ request: String) throws(CalDAVError) -> Fault? {
        requests.append(request)
        var fault: Fault?
        if !planned.isEmpty {
            fault = planned.removeFirst()
        } else if Double.random(in: 0..<1, using: &random) < faultRate {
            fault = Fault.allCases.randomElement(using: &random)
        }
        if fault == .busy { throw busy }
        return fault
    }

    private var busy: CalDAVError {
        CalDAVError(.busy(retryAfter: pause), method: "PUT", server: "http://127.0.0.1", path: "/")
    }

    private func index(_ calendar: CalDAVCalendar) throws(CalDAVError) -> Int {
        guard let index = collections.firstIndex(where: { $0.calendar.href == calendar.href }) else {
            throw CalDAVError(absence, method: "PUT", server: "http://127.0.0.1", path: calendar.href.path)
        }
        return index
    }

    func calendars(in home: CalDAVHome, syncTokens: Bool) async throws(CalDAVError) -> [CalDAVCalendar] {
        let fault = try begin("PROPFIND")
        if fault == .lostReply { throw busy }
        return collections.map { collection in
            var calendar = collection.calendar
            if !syncTokens { calendar.syncToken = nil }
            return calendar
        }
    }

    func changes(
        in calendar: CalDAVCalendar,
        since token: CalDAVToken?,
        known: [CalDAVHref: String]
    ) async throws(CalDAVError) -> CalDAVChanges {
        let fault = try begin(calendar.supportsSyncCollection ? "REPORT sync" : "PROPFIND members")
        if fault == .lostReply { throw busy }
        try checkRefusal(calendar.href.path)
        let collection = collections[try index(calendar)]
        let present = collection.objects.mapValues(\.etag)
        let next = CalDAVToken.sync("\(collection.counter)")
        if case .sync(let text)? = token, let number = Int(text), fault != .refusedToken {
            let hrefs = collection.changes.filter { $0.value > number }.keys
            return CalDAVChanges(
                changed: present.filter { hrefs.contains($0.key) && known[$0.key] != $0.value },
                removed: Set(hrefs.filter { present[$0] == nil && known[$0] != nil }),
                token: next,
                isComplete: false
            )
        }
        return CalDAVChanges(
            changed: present.filter { known[$0.key] != $0.value },
            removed: Set(known.keys.filter { present[$0] == nil }),
            token: next,
            isComplete: true
        )
    }

    func objects(_ hrefs: [CalDAVHref], in calendar: CalDAVCalendar) async throws(CalDAVError) -> [CalDAVObject] {
        let fault = try begin("REPORT multiget")
        if fault == .lostReply { throw busy }
        let objects = collections[try index(calendar)].objects
        return hrefs.compactMap { href in objects[href].map { Self.object(href, $0, fault) } }
    }

    func object(at href: CalDAVHref, in calendar: CalDAVCalendar) async throws(CalDAVError) -> CalDAVObject? {
        let fault = try begin("GET")
        if fault == .lostReply { throw busy }
        return collections[try index(calendar)].objects[href].map { Self.object(href, $0, fault) }
    }

    private static func object(_ href: CalDAVHref, _ stored: (etag: String, text: String), _ fault: Fault?)
        -> CalDAVObject
    {
        let text = fault == .cutText ? String(stored.text.prefix(stored.text.count / 2)) : stored.text
        return CalDAVObject(href: href, etag: stored.etag, text: text)
    }

    func create(
        _ text: String,
        at href: CalDAVHref,
        in calendar: CalDAVCalendar
    ) async throws(CalDAVError) -> CalDAVWrite {
        try write(text, href, calendar) { collection in
            if collection.objects[href] != nil { return .preconditionFailed }
            let uid = Self.uid(text)
            let all = uniqueness.isOfAccount ? collections : [collection]
            guard let other = all.flatMap(\.objects).first(where: { Self.uid($0.value.text) == uid }) else {
                return nil
            }
            return .uidConflict(uniqueness.namesObject ? other.key : nil)
        }
    }

    func update(
        _ text: String,
        at href: CalDAVHref,
        in calendar: CalDAVCalendar,
        matching etag: String
    ) async throws(CalDAVError) -> CalDAVWrite {
        try write(text, href, calendar) { collection in
            guard let present = collection.objects[href] else { return .gone }
            return present.etag == etag ? nil : .preconditionFailed
        }
    }

    private static func uid(_ text: String) -> String? {
        ICalendarDocument(text).root.descendants("VTODO").first?.property("UID")?.value
    }

    private func write(
        _ text: String,
        _ href: CalDAVHref,
        _ calendar: CalDAVCalendar,
        _ refusal: (Collection) -> CalDAVWrite?
    ) throws(CalDAVError) -> CalDAVWrite {
        let fault = try begin("PUT")
        try checkRefusal(text)
        enter()
        let index = try index(calendar)
        if let refusal = refusal(collections[index]) { return refusal }
        store(text, at: href, index)
        if fault == .lostReply { throw busy }
        return .stored(etag: fault == .weakETag ? nil : collections[index].objects[href]?.etag)
    }

    private func enter() {
        let intruder = intruder
        self.intruder = nil
        intruder?(self)
    }

    func delete(
        at href: CalDAVHref,
        in calendar: CalDAVCalendar,
        matching etag: String
    ) async throws(CalDAVError) -> CalDAVDeletion {
        let fault = try begin("DELETE")
        enter()
        let index = try index(calendar)
        guard let present = collections[index].objects[href] else { return .deleted }
        try checkRefusal(present.text)
        guard present.etag == etag else { return .preconditionFailed }
        store(nil, at: href, index)
        if fault == .lostReply { throw busy }
        return .deleted
    }
}
