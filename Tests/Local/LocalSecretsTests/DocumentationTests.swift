import LocalProvider
import LocalSecrets
import TestSupport
import Testing

@Suite("Documentation")
struct DocumentationTests {
    @Test("Every example of the documentation is compiled by a test")
    func examplesAreCompiled() throws {
        #expect(try DocumentedExamples(of: "LocalSecrets", count: 4).missing == [])
    }

    @Test("The examples have the documented results")
    func examples() throws {
        let folder = try TemporaryDirectory("secrets")
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path + "/data"))
        let keyPath = folder.path + "/config/secret.key"
        do {
            let token = LocalKey("token", of: String.self, in: .defaults)
            let secrets = provider.sealed(with: try SecretKey.file(keyPath))
            try secrets.set(token, to: "3f9a-c2d1")
            let present = try secrets.read(token)
            #expect(present == "3f9a-c2d1")
        }
        do {
            let (password, attempt) = ("correct horse", "correct horse")
            let hash = try PasswordHash(password, cost: .interactive)
            let isRight = try hash.matches(attempt)
            #expect(isRight)
        }
        let newKey: SecretKey
        do {
            let (strength, passphrase) = (PassphraseParameters.Strength.interactive, "열려라 참깨")
            let cost = LocalKey("cost", of: PassphraseParameters.self, in: .defaults)
            let parameters = try provider.update(cost, default: PassphraseParameters(strength)) { $0 }
            let key = try SecretKey(passphrase: passphrase, parameters: parameters)
            newKey = key
            #expect(try provider.read(cost) == parameters)
        }
        let oldKey = try SecretKey.file(keyPath)
        let secrets = provider.sealed(with: newKey, formerKeys: [oldKey])
        let count = try secrets.reseal()
        #expect(count == 1)
        #expect(try provider.sealed(with: newKey).read(LocalKey<String>("token", in: .defaults)) == "3f9a-c2d1")
    }
}
