import Foundation
import TestSupport
import Testing
import Threading

@testable import LocalProvider

private struct StoredSettings {
    @Stored var theme: String
    @Stored var size: Int

    init(_ provider: LocalProvider, _ kind: LocalStoreKind, onError: (@Sendable (LocalError) -> Void)? = nil) {
        _theme = Stored(wrappedValue: "dark", "theme", in: kind, of: provider, onError: onError)
        _size = Stored(wrappedValue: 12, "size", in: kind, of: provider, onError: onError)
    }
}

@Suite("Observing values", .timeLimit(.minutes(10)))
struct ObservationTests {
    private let folder: TemporaryDirectory
    private let provider: LocalProvider

    init() throws {
        folder = try TemporaryDirectory("observation")
        provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
    }

    @Test("A stored property reads and writes the stored value", arguments: LocalStoreKind.standard)
    func stored(kind: LocalStoreKind) throws {
        let settings = StoredSettings(provider, kind)
        #expect(settings.theme == "dark" && settings.size == 12)
        #expect(try provider.count(in: kind) == 0)
        settings.theme = "light"
        #expect(try provider.read(LocalKey<String>("theme", in: kind)) == "light")
        try provider.set(LocalKey("theme", in: kind), to: "blue")
        #expect(settings.theme == "blue" && settings.$theme.error == nil)
        #expect(try settings.$theme.read() == "blue")
        try settings.$theme.reset()
        #expect(settings.theme == "dark")
    }

    @Test("A stored property that fails reports the error and has its default", arguments: LocalStoreKind.standard)
    func storedFails(kind: LocalStoreKind) throws {
        let told = Locked<[LocalError]>([])
        let settings = StoredSettings(provider, kind) { error in told.withLock { $0.append(error) } }
        try provider.set(LocalKey("size", in: kind), to: ["no": "number"])
        #expect(settings.size == 12)
        guard case .undecodable("size", _, _) = settings.$size.error else {
            Issue.record("\(String(describing: settings.$size.error))")
            return
        }
        #expect(told.withLock { $0 }.count == 1)
        #expect(throws: LocalError.self) { try settings.$size.read() }
        settings.size = 3
        #expect(settings.size == 3 && settings.$size.error == nil)
    }

    @Test("A stream of values begins with the present one and ends at the latest", arguments: LocalStoreKind.standard)
    func values(kind: LocalStoreKind) async throws {
        let key = LocalKey("n", in: kind, default: 0)
        var values = provider.values(of: key).makeAsyncIterator()
        #expect(try await values.next() == .some(.some(0)))
        try provider.set(key, to: 1)
        #expect(try await values.next() == .some(.some(1)))
        for number in 2...100 { try provider.set(key, to: number) }
        // What nobody took is dropped, never the last.
        var last = 1
        while last < 100 {
            let next = try #require(try await values.next() ?? nil)
            #expect(next >= last)
            last = next
        }
        try provider.delete(key)
        while try await values.next() != .some(.some(0)) {}
    }

    @Test("A stream of values reports changes of another process", arguments: [LocalStoreKind.defaults, .propertyList])
    func followsOthers(kind: LocalStoreKind) async throws {
        let child = try CrashChild(kind == .defaults ? "defaults" : "plist", folder.path, 20)
        defer { child.kill() }
        if kind == .defaults {
            for try await number in provider.values(of: LocalKey("counter", in: kind, default: 0)) where number == 20 {
                break
            }
        } else {
            let key = LocalKey<[String: String]>("document", in: kind)
            for try await document in provider.values(of: key) where document?["number"] == "20" { break }
        }
    }

    @Test("A stream of values ends with the error of a value that cannot be read", arguments: LocalStoreKind.standard)
    func fails(kind: LocalStoreKind) async throws {
        try provider.set(LocalKey("n", in: kind), to: "text")
        await #expect(throws: LocalError.self) {
            for try await _ in provider.values(of: LocalKey<Int>("n", in: kind)) { Issue.record("a value") }
        }
    }
}
