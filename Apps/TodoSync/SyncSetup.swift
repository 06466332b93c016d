package import CalDAV
package import LocalProvider
import LocalSecrets
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
        let address: String
        let user: String
        let password: String
        let home: CalDAVHome
        let client: CalDAVClient
        /// The calendars.
        package var calendars: [CalDAVCalendar]
    }

    /// Connects to a server and lists the user's calendars.
    ///
    /// - Throws: ``SyncError/server(_:)``; nothing is stored.
    package func connect(
        _ account: CalDAVAccount,
        address: String,
        user: String,
        password: String
    ) async throws(SyncError) -> Connection {
        let client = CalDAVClient(account)
        do throws(CalDAVError) {
            let home = try await client.home()
            let calendars = try await client.calendars(in: home).filter { $0.allows("VTODO") }
            return Connection(
                address: address,
                user: user,
                password: password,
                home: home,
                client: client,
                calendars: calendars
            )
        } catch {
            throw .server(error)
        }
    }

    /// Creates a calendar for todos on the server.
    package func createCalendar(_ name: String, on connection: inout Connection) async throws(SyncError) {
        do throws(CalDAVError) {
            connection.calendars.append(
                try await connection.client.createCalendar(named: name, in: connection.home)
            )
        } catch {
            throw .server(error)
        }
    }

    /// Stores an account whose lists are synced from now on.
    ///
    /// - Parameters:
    ///   - connection: the server.
    ///   - calendars: the calendars to sync.
    ///   - localList: the name of the list to which all local todos move; `nil` if they stay local.
    /// - Throws: ``SyncError``.
    package func add(
        _ connection: Connection,
        _ calendars: [CalDAVCalendar],
        localList: String? = nil
    ) async throws(SyncError) {
        var lists: [SyncList] = []
        for calendar in calendars {
            let name = (try? TodoList.name(calendar.name)) ?? calendar.href.name
            let taken = Set(lists.map { $0.name.lowercased() })
            var unique = name
            var number = 2
            while taken.contains(unique.lowercased()) { (unique, number) = ("\(name) \(number)", number + 1) }
            lists.append(SyncList(name: unique, calendar: calendar))
        }
        let account = SyncAccount(
            address: connection.address,
            user: connection.user,
            home: connection.home,
            lists: lists
        )
        do throws(LocalError) {
            let key: SecretKey
            do throws(SecretError) { key = try SecretKey.file(keyPath) } catch { throw .secret(error) }
            try local.sealed(with: key).set(Self.passwordKey, to: connection.password)
            try records.setAccount(account)
        } catch {
            throw .storage(error)
        }
        let synced = lists.map { list in
            let (color, isReadOnly) = (list.calendar.color, !list.calendar.canWrite)
            return (
                name: list.name, list: TodoList(name: list.name, color: color, isSynced: true, isReadOnly: isReadOnly)
            )
        }
        do throws(TodoError) {
            try await store.setSyncedLists(synced)
            guard let localList else { return }
            var change = TodoChange()
            change.list = .set(localList)
            let ids = try await store.contents().todos.filter { $0.list == nil }.map(\.id)
            if !ids.isEmpty { _ = try await store.perform(.editAll(ids, change)) }
        } catch {
            throw .todos(error)
        }
    }

    /// Ends the sync. The todos stay here and on the server.
    package func remove() async throws(SyncError) {
        do throws(TodoError) {
            try await store.setSyncedLists([])
            try await store.removeUnsynced(try await store.unsynced())
        } catch {
            throw .todos(error)
        }
        do throws(LocalError) {
            try local.delete(Self.passwordKey)
            try records.setAccount(nil)
        } catch {
            throw .storage(error)
        }
    }

    /// Returns the sync of the stored account.
    ///
    /// - Throws: ``SyncError/notSetUp`` without an account or a password.
    package func sync(clock: TodoClock = TodoClock()) throws(SyncError) -> TodoSync {
        let (account, password) = try stored { () throws(LocalError) in
            (try records.account(), try secrets()?.value(of: Self.passwordKey))
        }
        guard let account, let password else { throw .notSetUp }
        let credential = CalDAVAccount.Credential.basic(user: account.user, password: password)
        guard let server = CalDAVAccount(address: account.address, credential: credential) else { throw .notSetUp }
        let client = CalDAVClient(server)
        return try TodoSync(
            store: store,
            records: records,
            server: CalDAVTodoServer(client, home: account.home),
            clock: clock
        )
    }

    /// A step of a connection, for the report of what fails.
    package enum Step: String, CaseIterable, Sendable {
        case connection, tls = "TLS", service, login, lists
    }

    /// Connects anew, from the address as it was typed, and lists the calendars.
    ///
    /// - Returns: the names of the calendars, or the first step that fails and why; `nil` without an account.
    package func check() async throws(SyncError) -> Result<[String], StepFailure>? {
        let (account, password) = try stored { () throws(LocalError) in
            (try records.account(), try secrets()?.value(of: Self.passwordKey))
        }
        guard let account else { return nil }
        let credential = CalDAVAccount.Credential.basic(user: account.user, password: password ?? "")
        guard let password, let server = CalDAVAccount(address: account.address, credential: credential) else {
            return .failure(StepFailure(step: .login, reason: "the password is not stored; `sync rm`, then `sync add`"))
        }
        do throws(SyncError) {
            let found = try await connect(server, address: account.address, user: account.user, password: password)
            let missing = account.lists.filter { list in
                !found.calendars.contains { $0.href == list.calendar.href }
            }
            guard missing.isEmpty else {
                let names = missing.map(\.name).joined(separator: ", ")
                return .failure(StepFailure(step: .lists, reason: "the server does not have \(names) any more"))
            }
            return .success(found.calendars.map(\.name))
        } catch {
            guard case .server(let failure) = error else { throw error }
            let step: Step =
                switch failure.reason {
                case .network, .busy, .cancelled: .connection
                case .certificate, .insecureConnection: .tls
                case .unauthorized: .login
                default: .service
                }
            return .failure(StepFailure(step: step, reason: "\(failure)"))
        }
    }

    /// A step of a connection that fails.
    package struct StepFailure: Error, Sendable {
        package let step: Step
        package let reason: String
    }

    private func secrets() throws(LocalError) -> LocalProvider? {
        guard let key = try? SecretKey.file(keyPath) else { return nil }
        return local.sealed(with: key)
    }
}
