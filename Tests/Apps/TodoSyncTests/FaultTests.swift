import CalDAV
import Checksums
import CurlTransport
import Foundation
import HTTPTransport
import TestSupport
import Testing
import TodoCore

@testable import TodoSync

@Suite(
    "Sync with real servers over a faulty connection",
    .enabled(
        if: !CalDAVServerKind.syncable.isEmpty,
        "needs Debian's package radicale, or radicale and xandikos in .build/caldav-servers; see .ci/run"
    )
)
struct FaultTests {
    /// Two machines with the same new list, each over a connection of its own.
    private struct Pair {
        let one: Replica
        let other: Replica
        let connections: [FaultTransport]

        init(_ server: CalDAVServer) async throws {
            let plain = server.client()
            let home = try await plain.home()
            let calendar = try await plain.createCalendar(named: "Work", in: home)
            let connections = [FaultTransport(CurlTransport()), FaultTransport(CurlTransport())]
            let ticks = Ticks()
            func replica(_ connection: FaultTransport) async throws -> Replica {
                let client = server.client(connection)
                return try await Replica(CalDAVTodoServer(client, home: home), [calendar], ticks: ticks)
            }
            self.connections = connections
            one = try await replica(connections[0])
            other = try await replica(connections[1])
        }
    }

    @Test(
        "After each fault of a write, the next sync neither loses nor doubles a todo",
        arguments: CalDAVServerKind.syncable
    )
    func writes(_ kind: CalDAVServerKind) async throws {
        let server = try await CalDAVServer(kind)
        defer { server.stop() }
        let pair = try await Pair(server)
        let (one, other) = (pair.one, pair.other)
        var expected: [String] = []
        for (number, fault) in FaultTransport.Fault.allCases.enumerated() {
            // A creation, a change and a deletion, each with the fault.
            try await one.add("stays \(number)")
            let gone = try await one.add("goes \(number)")
            pair.connections[0].plan([fault])
            _ = try? await one.sync()
            try await one.sync()
            #expect(try await one.store.unsynced().isEmpty, "\(fault)")
            try await one.edit("stays \(number)", "changed \(number) +home")
            pair.connections[0].plan([fault])
            _ = try? await one.sync()
            try await one.sync()
            _ = try await one.store.remove([gone.id])
            pair.connections[0].plan([fault])
            _ = try? await one.sync(allowsDeletions: true)
            try await one.sync(allowsDeletions: true)
            #expect(try await one.store.unsynced().isEmpty, "\(fault)")
            expected.append("changed \(number)")
            try await other.sync(allowsDeletions: true)
            #expect(try await other.titles() == expected.sorted(), "\(fault)")
            #expect(try await one.snapshot() == other.snapshot(), "\(fault)")
        }
        #expect(pair.connections[0].seen == Set(FaultTransport.Fault.allCases))
        for replica in [one, other] { try await replica.sync() }
        #expect(try await one.sync().events.isEmpty)
        #expect(try await other.sync().events.isEmpty)
    }

    @Test("A pause that the server asks for is in the status, with the kind of the problem")
    func pause() async throws {
        let server = try await CalDAVServer(CalDAVServerKind.syncable[0])
        defer { server.stop() }
        let pair = try await Pair(server)
        try await pair.one.add("a")
        pair.connections[0].plan([.tooManyRequests])
        await #expect(throws: SyncError.self) { try await pair.one.sync() }
        let status = try #require(try pair.one.records.account()).status
        let rest = try #require(status.pause).timeIntervalSince(pair.one.clock.now())
        #expect(status.kind == .busy && rest > 60 && rest <= 90)
    }

    @Test("Two machines have the same todos after random changes over a connection with random faults")
    func random() async throws {
        let rounds = isLongRun ? 60 : 2
        let server = try await CalDAVServer(CalDAVServerKind.syncable[0])
        defer { server.stop() }
        for _ in 0..<rounds {
            let seed = UInt64.random(in: 0 ... .max)
            print("random changes over a faulty connection: seed \(seed)")
            var random = SplitMix64(seed: seed)
            let pair = try await Pair(server)
            let machines = [pair.one, pair.other]
            for (index, connection) in pair.connections.enumerated() {
                connection.setFaults(rate: 0.2, seed: seed &+ UInt64(index))
            }
            var added: Set<String> = []
            var removed: Set<String> = []
            for step in 0..<30 {
                let machine = machines[Int.random(in: 0..<2, using: &random)]
                let todos = try await machine.store.todos().sorted { $0.title < $1.title }
                let todo = todos.randomElement(using: &random)
                switch (Int.random(in: 0..<10, using: &random), todo) {
                case (0..<3, _), (_, nil):
                    try await machine.add("todo \(step)")
                    added.insert("todo \(step)")
                case (3, let todo?):
                    _ = try await machine.store.remove([todo.id])
                    removed.insert(todo.title)
                case (4, let todo?): _ = try? await machine.store.complete([todo.id])
                case (5, let todo?):
                    var change = TodoChange()
                    change.note = .set("note \(step)")
                    _ = try await machine.store.edit(todo.id, change)
                default: _ = try? await machine.sync(allowsDeletions: true)
                }
            }
            for connection in pair.connections { connection.setFaults(rate: 0, seed: 0) }
            for _ in 0..<4 { for machine in machines { try await machine.sync(allowsDeletions: true) } }
            #expect(try await pair.one.snapshot() == pair.other.snapshot(), "seed \(seed)")
            let titles = try await pair.one.titles()
            #expect(titles.count == Set(titles).count, "seed \(seed): \(titles)")
            // What was removed on one side may have come back by a change on the other.
            #expect(Set(titles).isSuperset(of: added.subtracting(removed)), "seed \(seed): \(titles)")
            #expect(Set(titles).isSubset(of: added), "seed \(seed): \(titles)")
            for machine in machines { #expect(try await machine.store.unsynced().isEmpty, "seed \(seed)") }
        }
    }
}
