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
        // Each provider has one folder in the folder of the data.
        let folders = try FileManager.default.contentsOfDirectory(atPath: home.path)
        #expect(folders.count == (kind == .memory ? 0 : names.count))
    }

    @Test(
        "The folder of a namespace has its letters, and differs from those of the same letters in another case",
        arguments: [
            ("dog", "dog"), ("Dog", "Dog~1"), ("MyApp", "MyApp~5"), ("myApp", "myApp~4"), ("MYAPP", "MYAPP~F1"),
            ("my app", "my%20app"), ("My App", "My%20App~9"), ("~1", "%7E1"), ("abcdE", "abcdE~01"),
        ]
    )
    func folder(namespace: String, folder: String) throws {
        let home = try TemporaryDirectory("home")
        let environment = ["XDG_DATA_HOME": home.path]
        func path() throws -> String { try FileStoreLocation(namespace: namespace, environment: environment).path }
        #expect(try path() == home.path + "/" + folder)
        // A folder that an earlier version has created is still used.
        let earlier = home.path + "/" + SafeFileName.name(for: namespace)
        try PosixFileCalls().makeFolder(earlier)
        #expect(try path() == earlier)
        if earlier != home.path + "/" + folder { try PosixFileCalls().makeFolder(home.path + "/" + folder) }
        #expect(try path() == home.path + "/" + folder)
    }
}
