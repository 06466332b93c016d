import Foundation
import LocalProvider
import TestSupport

@testable import LocalSecrets

/// A provider in a folder of its own, with secrets over it.
struct SecretsFixture {
    let folder: TemporaryDirectory
    let provider: LocalProvider
    let key: SecretKey
    let secrets: SecretStore

    init() throws {
        folder = try TemporaryDirectory("secrets")
        provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
        key = try SecretKey.random()
        secrets = SecretStore(in: provider, key: key)
    }

    /// The value as the store beneath has it.
    func sealed(_ identifier: String, _ kind: LocalStoreKind) throws -> SealedValue {
        try provider.read(LocalKey("sealed." + identifier, in: kind))
    }

    /// Puts bytes in a value's place.
    func put(_ value: SealedValue, _ identifier: String, _ kind: LocalStoreKind) throws {
        try provider.set(LocalKey("sealed." + identifier, in: kind), to: value)
    }

    /// Every byte of every file.
    func everything() throws -> Data {
        var bytes = Data()
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            bytes += FileManager.default.contents(atPath: folder.path + "/" + name) ?? Data()
        }
        return bytes
    }
}
