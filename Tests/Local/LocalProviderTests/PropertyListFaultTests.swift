import Foundation
import LocalProviderTestSupport
import SystemCalls
import TestSupport
import Testing

@testable import LocalProvider

/// Each system call of repairs, removals and renewals of property lists fails in turn.
@Suite("Failing system calls and property lists")
struct PropertyListFaultTests {
    private static let long = String(repeating: "x", count: 300)
    private static let names = ["a", "b", long]

    private static func store(_ path: String, _ calls: any FileCalls) -> PropertyListStore {
        PropertyListStore(location: FileStoreLocation(directory: path), options: .init(), system: FileSystem(calls))
    }

    /// A store whose every value is 2 and was 1.
    private static func fill(_ path: String) throws {
        let store = store(path, FaultyCalls(.none))
        for value in 1...2 {
            for name in names { try store.set(name, value, nil) }
        }
    }

    /// Runs `work` on a new store for each of its calls, which fails, alone or with all later calls; then `check` reads the
    /// path, first with the same store, whose calls succeed again.
    private func everyCall(
        prepare: (String) throws -> Void = { _ in },
        work: (PropertyListStore) throws -> Void,
        check: (PropertyListStore, _ isDone: Bool) throws -> Void
    ) throws {
        for number in 1... {
            var isReached = false
            for fault in [FaultyCalls.Fault.failing(at: number, code: EIO), .broken(from: number, code: ENOSPC)] {
                let folder = try MemoryFolder()
                try Self.fill(folder.path)
                try prepare(folder.path)
                let calls = FaultyCalls(fault)
                let faulty = Self.store(folder.path, calls)
                var isDone = true
                do { try work(faulty) } catch {
                    isDone = false
                    #expect(error is LocalError, "\(fault): \(error)")
                }
                let isMet = calls.count >= number
                isReached = isReached || isMet
                if isMet, case .failing = fault {
                    // One failure leaves no part of a file.
                    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                    #expect(!files.contains { $0.hasSuffix(".tmp") }, "\(fault): \(files)")
                    try check(faulty, isDone)
                }
                try check(Self.store(folder.path, FaultyCalls(.none)), isDone)
            }
            guard isReached else {
                #expect(number > 5)
                return
            }
        }
    }

    private static func damage(_ path: String) throws {
        let file = URL(fileURLWithPath: path + "/a.plist")
        var bytes = try Data(contentsOf: file)
        bytes[10] ^= 1
        try bytes.write(to: file)
    }

    @Test("A failed repair is repeated by the next reader and only ever returns the value of the backup")
    func repair() throws {
        try everyCall(
            prepare: Self.damage,
            work: { store in
                let value = try store.value("a")
                #expect(value == 1)
            },
            check: { store, _ in
                let values = try store.numbers()
                #expect(values == ["a": 1, "b": 2, Self.long: 2])
            }
        )
        // Where there is no space, or no permission, for the repair the backup is read all the same.
        for code in [ENOSPC, EACCES] {
            var read: [Bool] = []
            for number in 1...12 {
                let folder = try MemoryFolder()
                try Self.fill(folder.path)
                try Self.damage(folder.path)
                let store = Self.store(folder.path, FaultyCalls(.failing(at: number, code: code)))
                read.append((try? store.value("a")) == 1)
            }
            #expect(read.drop { !$0 }.allSatisfy(\.self) && read.last == true, "\(code): \(read)")
        }
    }

    @Test("A write without space keeps the backup, which repairs damage afterwards")
    func full() throws {
        let (folder, name) = (try MemoryFolder(), try LocalIdentifier("a"))
        try Self.fill(folder.path)
        #expect(throws: LocalError.self) {
            let text = String(repeating: "x", count: 1_000)
            try Self.store(folder.path, CappedWrites(limit: 500)).set(text, for: name, rule: .set, durability: nil)
        }
        try Self.damage(folder.path)
        #expect(try Self.store(folder.path, FaultyCalls(.none)).numbers() == ["a": 1, "b": 2, Self.long: 2])
    }

    @Test("A failed removal of all values leaves intact values, and the next one completes it")
    func removeAll() throws {
        try everyCall(
            work: { try $0.removeAll(durability: nil) },
            check: { store, isDone in
                let left = try store.numbers()
                #expect(left.allSatisfy { Self.names.contains($0.key) && $0.value == 2 })
                #expect(!isDone || left.isEmpty)
                try store.removeAll(durability: nil)
                let files = try FileManager.default.contentsOfDirectory(atPath: store.path)
                #expect(files.allSatisfy { !$0.contains("plist") && !$0.contains("name") })
            }
        )
    }

    @Test("Renewing the backups changes no value, whichever call fails")
    func purge() throws {
        try everyCall(
            work: { try $0.purge() },
            check: { store, isDone in
                #expect(try store.numbers() == ["a": 2, "b": 2, Self.long: 2])
                guard isDone else { return }
                for name in Self.names {
                    let path = try store.path(for: LocalIdentifier(name))
                    #expect(FileManager.default.contentsEqual(atPath: path, andPath: path + ".backup"))
                }
            }
        )
        // A damaged document does not become its backup.
        let folder = try MemoryFolder()
        try Self.fill(folder.path)
        try Self.damage(folder.path)
        let store = Self.store(folder.path, FaultyCalls(.none))
        try store.purge()
        #expect(try store.numbers() == ["a": 1, "b": 2, Self.long: 2])
    }
}
