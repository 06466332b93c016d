package import CalDAV
import EssentialFoundation
package import LocalProvider
import LocalSecrets
import TextEscaping
package import TodoCore

/// The account of the sync: its address, its lists and its password, which is sealed.
package struct SyncSetup: Sendable {
    /// The files of the sync.
    package let records: SyncStore
    private let store: TodoStore
    private let local: LocalProvider
    private let keyPath: String

    private static let passwordKey = LocalKey("sync-password", of: String.self, in: .defaults)

    /// Creates the setup of a store. No file is accessed before the first use.
    ///
    /// - Parameters:
    ///   - store: the todos.
    ///   - location: the folder of the app's data.
    ///   - keyPath: the path of the key that seals the password, in another folder.
    package init(store: TodoStore, location: FileStoreLocation, keyPath: String) {
        (self.store, self.keyPath) = (store, keyPath)
        records = SyncStore(location: location)
        local = LocalProvider(location: location).adding(JSONDefaults(location: location, name: "sync-secrets"))
    }

    /// A server to which a user has connected, with its calendars that can contain todos.
    package struct Connection: Sendable {
        let login: SyncLogin
        let home: CalDAVHome
        let client: CalDAVClient
        /// The calendars.
        package var calendars: [CalDAVCalendar]
    }

    /// Connects to a server and lists the user's calendars. Nothing is stored.
    ///
    /// - Throws: ``SyncError/invalidAddress(_:)`` and ``SyncError/server(_:)``.
    package func connect(_ login: SyncLogin) async throws(SyncError) -> Connection {
        let client = try Self.client(login)
        return try await remote { () throws(CalDAVError) in
            let home = try await client.home()
            let calendars = try await Self.calendars(in: home, client)
            return Connection(login: login, home: home, client: client, calendars: calendars)
        }
    }

    static func calendars(in home: CalDAVHome, _ client: CalDAVClient) async throws(CalDAVError) -> [CalDAVCalendar] {
        // A server may need long for the first tokens, also for those of lists that the user does not choose.
        try await client.calendars(in: home, syncTokens: false).filter { $0.allows("VTODO") }
    }

    static func client(_ login: SyncLogin) throws(SyncError) -> CalDAVClient {
        let credential = CalDAVAccount.Credential.basic(user: login.user, password: login.password)
        guard let account = CalDAVAccount(address: login.address, credential: credential) else {
            throw .invalidAddress(login.address)
        }
        return CalDAVClient(account)
    }

    /// Returns the stored login.
    ///
    /// - Throws: ``SyncError/notSetUp`` without an account or a password.
    package func login() throws(SyncError) -> SyncLogin {
        // Reading the password creates the key, unless there is one.
        guard let account = try stored({ () throws(LocalError) in try records.account() }),
            let password = try stored({ () throws(LocalError) in try secrets()?.value(of: Self.passwordKey) })
        else { throw .notSetUp }
        return SyncLogin(address: account.address, user: account.user, password: password)
    }

    /// Returns the calendar of a name to which todos can be added. It is created if the server has none.
    package func calendar(
        named name: String,
        on connection: inout Connection
    ) async throws(SyncError) -> CalDAVCalendar {
        let (home, client) = (connection.home, connection.client)
        // An earlier attempt may have created it, although it was cancelled or its reply was lost.
        let present = try await remote { () throws(CalDAVError) in try await Self.calendars(in: home, client) }
        connection.calendars = present
        let same = present.filter { $0.canWrite && $0.name.lowercased() == name.lowercased() }
        if let calendar = same.first(where: { $0.name == name }) ?? same.first { return calendar }
        let created = try await remote { () throws(CalDAVError) in
            try await client.createCalendar(named: name, in: home)
        }
        connection.calendars.append(created)
        return created
    }

    /// Stores an account whose lists are synced from now on. Lists that are synced already remain as they are, and all others become
    /// local.
    ///
    /// - Parameters:
    ///   - connection: the server.
    ///   - calendars: the calendars to sync.
    ///   - localList: the one of the calendars to which all local todos move; `nil` if they stay local.
    /// - Throws: ``SyncError``.
    package func add(
        _ connection: Connection,
        _ calendars: [CalDAVCalendar],
        localList: CalDAVCalendar? = nil
    ) async throws(SyncError) {
        try await changingAccount { (before: SyncAccount?) throws(SyncError) in
            let (account, removed) = account(connection, calendars, before)
            try stored { () throws(LocalError) in
                try setPassword(connection.login.password)
                for list in removed { try records.removeItems(of: list.id) }
                try records.setAccount(account)
            }
            let synced = account.lists.map { (name: $0.name, list: $0.todoList) }
            // Another calendar may have the same name, or its name may be none of a list.
            let target = localList.flatMap { local in account.lists.first { $0.calendar.url == local.url }?.name }
            try await todos { () throws(TodoError) in
                try await store.setSyncedLists(synced)
                guard let target else { return }
                let ids = try await store.contents().todos.filter { $0.list == nil }.map(\.id)
                guard !ids.isEmpty else { return }
                _ = try await store.perform(.editAll(ids, TodoChange { $0.list = .set(target) }))
            }
        }
    }

    /// Stores the password of a connection with the user of the account. Its lists, and what waits, stay as they are.
    package func signIn(_ connection: Connection) async throws(SyncError) {
        try await changingAccount { (before: SyncAccount?) throws(SyncError) in
            guard var account = before else { throw .notSetUp }
            account.home = connection.home
            account.status.problem = nil
            (account.status.kind, account.status.pause, account.status.failures) = (nil, nil, 0)
            let changed = account
            try stored { () throws(LocalError) in
                try setPassword(connection.login.password)
                try records.setAccount(changed)
            }
        }
    }

    private func setPassword(_ password: String) throws(LocalError) {
        let key: SecretKey
        do throws(SecretError) { key = try SecretKey.file(keyPath) } catch { throw .secret(error) }
        try local.sealed(with: key).set(Self.passwordKey, to: password)
    }

    /// Returns the account of a connection, and the lists that are not synced any more.
    private func account(
        _ connection: Connection,
        _ calendars: [CalDAVCalendar],
        _ before: SyncAccount?
    ) -> (account: SyncAccount, removed: [SyncList]) {
        func isChosen(_ list: SyncList) -> Bool { calendars.contains { $0.url == list.calendar.url } }
        var lists = before?.lists.filter(isChosen) ?? []
        for calendar in calendars where !lists.contains(where: { $0.calendar.url == calendar.url }) {
            let name = (try? TodoList.name(calendar.name)) ?? calendar.href.name
            let taken = Set(lists.map { $0.name.lowercased() })
            var unique = name
            var number = 2
            while taken.contains(unique.lowercased()) { (unique, number) = ("\(name) \(number)", number + 1) }
            lists.append(SyncList(name: unique, calendar: calendar))
        }
        let login = connection.login
        return (
            SyncAccount(address: login.address, user: login.user, home: connection.home, lists: lists),
            before?.lists.filter { !isChosen($0) } ?? []
        )
    }

    /// Changes the account while no process syncs: the end of a sync would store the former one.
    private func changingAccount(_ change: (SyncAccount?) async throws(SyncError) -> Void) async throws(SyncError) {
        guard let account = try stored({ () throws(LocalError) in try records.account() }) else {
            return try await change(nil)
        }
        guard let lock = SyncLock(path: records.lockPath) else { throw .isRunning }
        let failure: SyncError?
        do throws(SyncError) {
            try await change(account)
            failure = nil
        } catch {
            failure = error
        }
        _ = consume lock
        if let failure { throw failure }
    }

    /// Ends the sync. The todos stay here and on the server.
    package func remove() async throws(SyncError) {
        try await changingAccount { _ throws(SyncError) in
            try await todos { () throws(TodoError) in
                try await store.setSyncedLists([])
                try await store.removeUnsynced(try await store.unsynced())
            }
            try stored { () throws(LocalError) in
                try local.delete(Self.passwordKey)
                try records.setAccount(nil)
            }
        }
    }

    /// Returns the sync of the stored account.
    ///
    /// - Throws: ``SyncError/notSetUp`` without an account or a password.
    package func sync(clock: TodoClock = TodoClock()) throws(SyncError) -> TodoSync {
        try TodoSync(store: store, records: records, server: Self.client(login()), clock: clock)
    }

    private func secrets() throws(LocalError) -> LocalProvider? {
        guard let key = try? SecretKey.file(keyPath) else { return nil }
        return local.sealed(with: key)
    }
}
