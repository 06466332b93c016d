import Foundation
import LocalProvider
import TestSupport

@testable import LocalSecrets

/// A provider in a temporary folder, and a sealing provider over it.
struct SecretsFixture {
    let folder: TemporaryDirectory
    let provider: LocalProvider
    let key: SecretKey
    let secrets: LocalProvider

    init() throws {
        folder = try TemporaryDirectory("secrets")
        provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
        key = try SecretKey.random()
        secrets = provider.sealed(with: key)
    }

    /// Returns the sealed value of the underlying store.
    func sealed(_ identifier: String, _ kind: LocalStoreKind) throws -> SealedValue {
        try provider.read(LocalKey("sealed." + identifier, in: kind))
    }

    /// Replaces the sealed value.
    func put(_ value: SealedValue, _ identifier: String, _ kind: LocalStoreKind) throws {
        try provider.set(LocalKey("sealed." + identifier, in: kind), to: value)
    }

    /// Returns the bytes of all files.
    func everything() throws -> Data {
        var bytes = Data()
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            bytes += FileManager.default.contents(atPath: folder.path + "/" + name) ?? Data()
        }
        return bytes
    }
}
