import Testing
import Threading

@Suite("Locked")
struct LockedTests {
    @Test("No update is lost if many tasks count at the same time")
    func countsFromManyTasks() async {
        let count = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<10_000 { count.withLock { $0 += 1 } } }
            }
        }
        #expect(count.withLock { $0 } == 80_000)
    }

    @Test("The lock is released if the work throws")
    func unlocksAfterThrow() {
        struct Failure: Error {}
        let value = Locked(1)
        #expect(throws: Failure.self) { try value.withLock { _ throws(Failure) in throw Failure() } }
        #expect(value.withLock { $0 } == 1)
    }
}
