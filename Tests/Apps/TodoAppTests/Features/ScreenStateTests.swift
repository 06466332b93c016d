import AppTestSupport
import LocalProvider
import RIBs
import TestSupport
import Testing

@testable import TodoApp

@Suite("The places of several running programs")
struct ScreenStateTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory("states") }

    private func store(_ process: Int32, running: Set<Int32>) -> LocalScreenState {
        LocalScreenState(
            local: LocalProvider(location: FileStoreLocation(directory: folder.path)),
            process: process,
            isRunning: { running.contains($0) }
        )
    }

    private func place(_ draft: String) -> RouterSnapshot { RouterSnapshot(id: "list", state: ["entry": draft]) }

    @Test("A second program neither takes the place of the first nor removes it at its end")
    func second() async throws {
        let first = store(1, running: [1, 2])
        #expect(await first.load() == nil)
        await first.save(place("draft"))
        let second = store(2, running: [1, 2])
        #expect(await second.load() == nil)
        await second.save(place("other"))
        await second.remove()
        #expect(await store(3, running: [3]).load() == place("draft"), "the first was killed")
    }

    @Test("Of two programs that start after a kill, one takes over the place, each of several places once")
    func takenOnce() async throws {
        await store(1, running: []).save(place("one"))
        await store(2, running: []).save(place("two"))
        let running: Set<Int32> = [5, 6, 7]
        let found = [await store(5, running: running).load(), await store(6, running: running).load()]
        #expect(found == [place("one"), place("two")])
        #expect(await store(7, running: running).load() == nil)
        // The screens are built anew, while the record of a third program is there.
        await store(3, running: []).save(place("three"))
        await store(6, running: running).save(place("six"))
        #expect(await store(6, running: running).load() == place("six"))
    }
}
