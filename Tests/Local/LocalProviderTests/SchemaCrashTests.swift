import Foundation
import LocalProviderTestSupport
import TestSupport
import Testing

@testable import LocalProvider

/// Migrations that are killed, and that several processes begin at once.
@Suite("Migrations and other processes")
struct SchemaCrashTests {
    private static let program = ChildProcess.productsDirectory.appendingPathComponent("crash-writer")

    private static func mode(_ kind: LocalStoreKind) -> String {
        kind == .defaults ? "migrate-defaults" : "migrate-plist"
    }

    @Test("A migration killed before any call leaves all old or all new values", arguments: SchemaFixture.kinds)
    func killed(kind: LocalStoreKind) async throws {
        let sample = try MemoryFolder()
        try SchemaFixture.fill(sample.path, kind)
        var (unchanged, done) = (0, 0)
        for number in 1... {
            let copy = try MemoryFolder(copying: sample.path)
            let result = try await ChildProcess.run(Self.program, [Self.mode(kind), copy.path, "\(number)"])
            if !result.wasSignalled {
                #expect(result.status == 0 && result.output == "migrated\n", "\(result.errors)")
                break
            }
            #expect(result.status == SIGKILL)
            // The old program finds all its values, or is refused: never a mixture.
            do {
                let old = SchemaFixture.open(copy.path, version: 1)
                _ = try old.count(in: kind)
                #expect(try SchemaFixture.contents(old, kind) == SchemaFixture.one, "call \(number)")
                unchanged += 1
            } catch let error as LocalError {
                guard case .newerVersion(_, 3, 1) = error else { throw error }
                done += 1
            }
            let new = SchemaFixture.open(copy.path, version: 3)
            #expect(try SchemaFixture.contents(new, kind) == SchemaFixture.three, "call \(number)")
            #expect(try new.migrationPlan() == [])
        }
        // A journal's last call is the rename that makes it so; documents are written after the one that decides.
        #expect(
            unchanged > 5 && (done > 0) == (kind == .propertyList),
            "killed \(unchanged) times before the change and \(done) times after it"
        )
    }

    @Test(
        "If a call of a migration fails, or all from there on, all old or all new values are there",
        arguments: SchemaFixture.kinds
    )
    func failing(kind: LocalStoreKind) throws {
        let sample = try MemoryFolder()
        try SchemaFixture.fill(sample.path, kind)
        var (unchanged, done) = (0, 0)
        // All of them in a long run, else every third, beginning anywhere.
        let calls = isLongRun ? stride(from: 1, to: .max, by: 1) : stride(from: .random(in: 1...3), to: .max, by: 3)
        for number in calls {
            var isReached = false
            for fault in [FaultyCalls.Fault.failing(at: number, code: EIO), .broken(from: number, code: ENOSPC)] {
                let copy = try MemoryFolder(copying: sample.path)
                let calls = FaultyCalls(fault)
                let location = FileStoreLocation(directory: copy.path)
                let faulty = LocalProvider(
                    location: location,
                    options: SchemaFixture.options(3),
                    system: FileSystem(calls)
                )
                do { _ = try faulty.store(kind).migrate() } catch {
                    // The error of a disk, never that of a step.
                    if case LocalError.migrationFailed = error { throw error }
                }
                let isMet = calls.count >= number
                isReached = isReached || isMet
                do {
                    let old = try SchemaFixture.contents(copy.path, version: 1, kind)
                    #expect(old == SchemaFixture.one, "\(fault)")
                    unchanged += 1
                } catch let error as LocalError {
                    guard case .newerVersion(_, 3, 1) = error else { throw error }
                    done += 1
                }
                // The provider that met the fault can be used when the disk can, and so can the next process.
                if isMet, case .failing = fault {
                    #expect(try SchemaFixture.contents(faulty, kind) == SchemaFixture.three, "\(fault)")
                }
                let new = SchemaFixture.open(copy.path, version: 3)
                #expect(try SchemaFixture.contents(new, kind) == SchemaFixture.three, "\(fault)")
            }
            guard isReached else { break }
        }
        #expect(unchanged > 10 && done > 0)
    }

    @Test("Processes that open a store at once migrate it once", arguments: SchemaFixture.kinds)
    func once(kind: LocalStoreKind) async throws {
        for _ in 0..<(isLongRun ? 50 : 3) {
            let folder = try TemporaryDirectory("once")
            try SchemaFixture.fill(folder.path, kind)
            let children = (0..<4).map { _ in
                Task { try await ChildProcess.run(Self.program, [Self.mode(kind), folder.path]) }
            }
            var outputs: [String] = []
            for child in children { outputs.append(try await child.value.output) }
            #expect(outputs.sorted() == ["migrated\n", "present\n", "present\n", "present\n"])
            #expect(try SchemaFixture.contents(folder.path, version: 3, kind) == SchemaFixture.three)
        }
    }
}
