import Foundation
import TestSupport
import Testing

@testable import LocalProvider

@Suite("Namespaces")
struct NamespaceTests {
    @Test("Two programs and a test with the same identifiers have separate values", arguments: LocalStoreKind.standard)
    func apart(kind: LocalStoreKind) throws {
        let home = try TemporaryDirectory("home")
        let test = try TemporaryDirectory("test")
        let names = ["dog", "cat", "Dog", "dog/cat", "../dog", "dog.plist", "개"]
        var providers = try names.map { name in
            let environment = ["XDG_DATA_HOME": home.path]
            return LocalProvider(location: try FileStoreLocation(namespace: name, environment: environment))
        }
        providers.append(LocalProvider(location: FileStoreLocation(directory: test.path)))
        let key = LocalKey<Int>("n", in: kind)
        for (number, provider) in providers.enumerated() {
            #expect(try !provider.contains(key))
            try provider.set(key, to: number)
        }
        for (number, provider) in providers.enumerated() {
            #expect(try provider.read(key) == number && provider.count(in: kind) == 1)
        }
        try providers[0].removeAll(in: kind)
        #expect(try providers.map { try $0.count(in: kind) } == [0] + Array(repeating: 1, count: names.count))
        // All of it is below the one folder, each in one of its own.
        let folders = try FileManager.default.contentsOfDirectory(atPath: home.path)
        #expect(folders.count == (kind == .memory ? 0 : names.count))
    }
}
