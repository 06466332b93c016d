import Foundation
import LocalProviderTestSupport
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
    func stored(kind: LocalStoreKind) async throws {
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
        let (absent, theme) = (LocalKey<String>("absent", in: kind), LocalKey<String>("theme", in: kind))
        var changes = try #require(provider.stores.first { $0.kind == kind }).changes().makeAsyncIterator()
        #expect(try !provider.delete(absent))
        try provider.update(absent) { $0 = nil }
        try provider.set(theme, to: "end")
        let next = await changes.next()
        #expect(next?.identifier == "theme", "what stays absent has not changed")
    }

    @Test("A stored property that fails reports the error and has its default", arguments: LocalStoreKind.standard)
    func storedFails(kind: LocalStoreKind) throws {
        let reported = Locked<[LocalError]>([])
        let settings = StoredSettings(provider, kind) { error in reported.withLock { $0.append(error) } }
        try provider.set(LocalKey("size", in: kind), to: ["no": "number"])
        #expect(settings.size == 12)
        guard case .undecodable("size", _, _) = settings.$size.error else {
            Issue.record("\(String(describing: settings.$size.error))")
            return
        }
        #expect(reported.withLock { $0 }.count == 1)
        #expect(throws: LocalError.self) { try settings.$size.read() }
        settings.size = 3
        #expect(settings.size == 3 && settings.$size.error == nil)
    }

    @Test("A stored property takes a key and a durability, and its stream has no optional values")
    func storedKey() async throws {
        let calls = FaultyCalls(.none)
        let location = FileStoreLocation(directory: folder.path)
        let provider = LocalProvider(location: location, options: .init(), system: FileSystem(calls))
        let size = Stored(wrappedValue: 12, LocalKey<Int>("size", in: .defaults), of: provider, durability: .written)
        var values = size.values.makeAsyncIterator()
        #expect(try await values.next() == 12)
        size.wrappedValue = 13
        calls.forgetOperations()
        size.wrappedValue = 14
        #expect(try provider.read(size.key) == 14 && size.error == nil)
        #expect(calls.operations.contains("write") && !calls.operations.contains("fdatasync"))
        while let number = try await values.next(), number != 14 {}
        try provider.update(size.key, default: 1) { $0 += 1 }
        let other = LocalKey<Int>("other", in: .defaults)
        try provider.update(other, default: 1) { $0 += 1 }
        #expect(try provider.read(other) == 2)
        #expect(size.wrappedValue == 15)
    }

    @Test("A stream that is not read buffers a bounded number of elements, the latest ones")
    func unread() async throws {
        let (source, continuation) = AsyncStream.makeStream(of: Int.self)
        let transformed = Locked(0)
        let stream = source.forwarded { number in
            transformed.withLock { $0 += 1 }
            return number
        }
        let count = LocalChangeHub.unreadLimit + 1_000
        for number in 0..<count { continuation.yield(number) }
        try await eventually { transformed.withLock { $0 } == count }
        var numbers = stream.makeAsyncIterator()
        // The last element may still be on its way.
        #expect([999, 1_000].contains(await numbers.next()))
        continuation.finish()
    }

    @Test("A stream of values begins with the present one and ends at the latest", arguments: LocalStoreKind.standard)
    func values(kind: LocalStoreKind) async throws {
        let key = LocalKey("n", in: kind, default: 0)
        var values = provider.values(of: key).makeAsyncIterator()
        #expect(try await values.next() == .some(.some(0)))
        try provider.set(key, to: 1)
        #expect(try await values.next() == .some(.some(1)))
        for number in 2...100 { try provider.set(key, to: number) }
        // Unread elements are dropped, except the last.
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
