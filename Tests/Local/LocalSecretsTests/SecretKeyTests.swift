import Foundation
import LocalProvider
import LocalProviderTestSupport
import TestSupport
import Testing
import Threading

@testable import LocalSecrets

@Suite("Keys")
struct SecretKeyTests {
    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("A key file is created once, for its owner alone, and has the same key from then on")
    func file() throws {
        let folder = try TemporaryDirectory("key")
        let path = folder.path + "/deep/er/secret.key"
        let key = try SecretKey.file(path)
        #expect(try Self.mode(path) == 0o600 && Self.mode(folder.path + "/deep/er") == 0o700)
        #expect(try SecretKey.file(path).identifier == key.identifier)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/deep/er") == ["secret.key"])
        #expect(try SecretKey.random().identifier != key.identifier)
    }

    @Test(
        "A key file that others may access is refused with advice",
        arguments: [0o640, 0o604, 0o620, 0o610, 0o644, 0o777]
    )
    func exposed(mode: Int) throws {
        let folder = try TemporaryDirectory("key")
        let path = folder.path + "/secret.key"
        _ = try SecretKey.file(path)
        let bytes = try Data(contentsOf: folder.file("secret.key"))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let error = try #require(throws: SecretError.self) { try SecretKey.file(path) }
        guard case .keyExposed(path, _) = error else { throw error }
        #expect(error.description.contains(String(mode, radix: 8)) && error.description.contains("chmod 600"))
        #expect(try Data(contentsOf: folder.file("secret.key")) == bytes)
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        _ = try SecretKey.file(path)
    }

    @Test("Another user's key file is refused", .enabled(if: geteuid() == 0, "only root can change owners"))
    func foreign() throws {
        let folder = try TemporaryDirectory("key")
        let path = folder.path + "/secret.key"
        _ = try SecretKey.file(path)
        #expect(chown(path, 12_345, 12_345) == 0)
        #expect(throws: SecretError.keyExposed(path: path, detail: "it belongs to the user with the ID 12345")) {
            try SecretKey.file(path)
        }
    }

    @Test("A file that is not a key file is refused and unchanged")
    func invalid() throws {
        let folder = try TemporaryDirectory("key")
        let whole = folder.path + "/whole.key"
        _ = try SecretKey.file(whole)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        #expect(bytes.count == 48)
        let first = Data("PawKey1\n".utf8) + bytes[8..<40]
        let wrong: [Data] = [
            Data(), bytes.dropLast(), bytes + [0], Data(repeating: 1, count: 48), first + [0], first.dropLast(),
            first + bytes.suffix(8), bytes.prefix(40),
        ]
        for (number, contents) in wrong.enumerated() {
            let path = folder.path + "/\(number)"
            #expect(
                FileManager.default.createFile(atPath: path, contents: contents, attributes: [.posixPermissions: 0o600])
            )
            let error = try #require(throws: SecretError.self, "\(number)") { try SecretKey.file(path) }
            guard case .keyInvalid(path, _) = error else { throw error }
            #expect(FileManager.default.contents(atPath: path) == contents)
        }
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: whole)
        #expect(throws: SecretError.self) { try SecretKey.file(folder.path + "/link") }
        #expect(throws: SecretError.self) { try SecretKey.file(folder.path) }
        #expect(throws: SecretError.self) { try SecretKey.file("/proc/1/pawkit/secret.key") }
        #expect(mkfifo(folder.path + "/fifo", 0o600) == 0)
        #expect(throws: SecretError.self) { try SecretKey.file(folder.path + "/fifo") }
    }

    @Test("A key file of the first version has the same key")
    func firstKind() throws {
        let folder = try TemporaryDirectory("key")
        let key = try SecretKey.file(folder.path + "/secret.key")
        let bytes = try Data(contentsOf: folder.file("secret.key"))
        let first = Data("PawKey1\n".utf8) + bytes[8..<40]
        let path = folder.path + "/first.key"
        #expect(FileManager.default.createFile(atPath: path, contents: first, attributes: [.posixPermissions: 0o600]))
        #expect(try SecretKey.file(path).identifier == key.identifier)
        #expect(FileManager.default.contents(atPath: path) == first)
    }

    @Test("A flipped bit in a key file throws and is never another key")
    func flippedBits() throws {
        let folder = try TemporaryDirectory("key")
        let path = folder.path + "/secret.key"
        let key = try SecretKey.file(path)
        let whole = try Data(contentsOf: folder.file("secret.key"))
        for bit in 0..<whole.count * 8 {
            let file = try FileHandle(forWritingTo: folder.file("secret.key"))
            try file.write(contentsOf: whole.flipping(bit))
            try file.close()
            let error = try #require(throws: SecretError.self, "bit \(bit)") { try SecretKey.file(path) }
            guard case .keyInvalid(path, _) = error else { throw error }
        }
        try whole.write(to: folder.file("secret.key"))
        #expect(chmod(path, 0o600) == 0)
        #expect(try SecretKey.file(path).identifier == key.identifier)
    }

    @Test(
        "If a call fails, the result is the one key or an error, and the next call has a lasting key",
        arguments: [EIO, ENOSPC]
    )
    func everyCall(code: Int32) throws {
        for number in 1... {
            var isReached = false
            for fault in [FaultyCalls.Fault.failing(at: number, code: code), .broken(from: number, code: code)] {
                let folder = try TemporaryDirectory("key")
                let path = folder.path + "/deep/secret.key"
                let calls = FaultyCalls(fault)
                var reported: SecretKey?
                do { reported = try SecretKey.file(path, FileSystem(calls)) } catch {
                    guard case .keyFile = error else { throw error }
                }
                isReached = isReached || calls.count >= number
                let key = try SecretKey.file(path)
                #expect(reported == nil || reported?.identifier == key.identifier, "\(fault)")
                #expect(try SecretKey.file(path).identifier == key.identifier, "\(fault)")
                // Reading it later meets the same faults.
                do {
                    let read = try SecretKey.file(path, FileSystem(FaultyCalls(fault)))
                    #expect(read.identifier == key.identifier)
                } catch { guard case .keyFile = error else { throw error } }
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 48, "\(fault)")
                // Links are supported here.
                #expect(!FileManager.default.fileExists(atPath: path + ".lock"), "\(fault)")
            }
            guard isReached else {
                #expect(number > 15)
                return
            }
        }
    }

    @Test("Short reads and writes are not errors")
    func slowCalls() throws {
        let folder = try TemporaryDirectory("key")
        let path = folder.path + "/secret.key"
        let key = try SecretKey.file(path, FileSystem(FaultyCalls(.slow)))
        #expect(try SecretKey.file(path).identifier == key.identifier)
        for number in 1...20 {
            #expect(try SecretKey.file(path, FileSystem(FaultyCalls(.short(at: number)))).identifier == key.identifier)
        }
    }

    @Test("A folder that cannot be synchronised throws")
    func unsynchronised() throws {
        let folder = try TemporaryDirectory("key")
        let system = FileSystem(RefusingCalls(.synchronisingFolders, isRefusing: true))
        #expect(throws: SecretError.self) { try SecretKey.file(folder.path + "/secret.key", system) }
    }

    @Test(
        "Threads that create the file at the same time get the one key, also without hard links",
        arguments: [false, true]
    )
    func race(withoutLinks: Bool) throws {
        for _ in 0..<10 {
            let folder = try TemporaryDirectory("key")
            let found = Locked<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                let system = FileSystem(RefusingCalls(.linking, isRefusing: withoutLinks))
                let key = try? SecretKey.file(folder.path + "/secret.key", system)
                found.withLock { $0.append(key?.identifier ?? "none") }
            }
            let all = found.withLock { $0 }
            #expect(all.count == 8 && Set(all).count == 1 && all.first != "none")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(Set(names) == (withoutLinks ? ["secret.key", "secret.key.lock"] : ["secret.key"]))
        }
    }

    @Test("The bytes of a caller's key are overwritten, and another length is refused")
    func callers() throws {
        for count in [0, 1, 31, 33, 64] {
            var bytes = [UInt8](repeating: 7, count: count)
            #expect(throws: SecretError.self) { try SecretKey(wiping: &bytes) }
            #expect(bytes.allSatisfy { $0 == 0 })
        }
        var one = [UInt8](repeating: 7, count: 32)
        var two = [UInt8](repeating: 7, count: 32)
        #expect(try SecretKey(wiping: &one).identifier == SecretKey(wiping: &two).identifier)
        #expect(one.allSatisfy { $0 == 0 })
    }

    @Test("The same passphrase and salt have the same key, others another")
    func passphrase() throws {
        let cost = PassphraseParameters.weakest
        let key = try SecretKey(passphrase: "열려라 참깨", parameters: cost)
        let copy = try JSONDecoder().decode(PassphraseParameters.self, from: JSONEncoder().encode(cost))
        #expect(try SecretKey(passphrase: "열려라 참깨", parameters: copy).identifier == key.identifier)
        #expect(try SecretKey(passphrase: "열려라 참께", parameters: cost).identifier != key.identifier)
        #expect(try SecretKey(passphrase: "열려라 참깨", parameters: .weakest).identifier != key.identifier)
        #expect(throws: SecretError.self) { try SecretKey(passphrase: "", parameters: cost) }
        #expect(PassphraseParameters(.interactive).memory == 64 << 20)
        #expect(PassphraseParameters(.moderate).memory == 256 << 20)
        #expect(PassphraseParameters(.sensitive).memory == 1 << 30)
    }

    @Test(
        "Parameters above every strength are refused before use",
        arguments: [
            #"{"salt":[],"operations":3,"memory":8192}"#,
            #"{"salt":[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6],"operations":3,"memory":9223372036854775807}"#,
            #"{"salt":[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6],"operations":4000000000,"memory":8192}"#,
            #"{"salt":[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6],"operations":0,"memory":-1}"#,
        ]
    )
    func parameters(json: String) throws {
        let parameters = try JSONDecoder().decode(PassphraseParameters.self, from: Data(json.utf8))
        #expect(throws: SecretError.keyUnsuitable(detail: "its parameters are out of range")) {
            try SecretKey(passphrase: "x", parameters: parameters)
        }
    }

    #if os(Linux)
        /// In a separate process: in this one, another test's key could get the page that was just released.
        @Test("The memory of a key is read-only and released with it")
        func memory() async {
            await #expect(processExitsWith: .success) {
                var key: SecretKey? = try SecretKey.random()
                let address = try #require(key?.withBytes { UInt(bitPattern: $0) })
                #expect(try SecretKeyTests.permissions(of: address) == "r--p")
                key = nil
                #expect(try SecretKeyTests.permissions(of: address) != "r--p")
            }
        }

        /// The permissions of the page at an address; `nil` for an unmapped one.
        private static func permissions(of address: UInt) throws -> String? {
            for line in try memoryMap().split(separator: "\n") {
                let parts = line.split(separator: " ")
                let range = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                if range.count == 2, (range[0]..<range[1]).contains(address) { return String(parts[1]) }
            }
            return nil
        }
    #endif

    @Test("Canonically equivalent passphrases have the same key, and earlier parameters the key that they had")
    func normalizedPassphrases() throws {
        let (composed, decomposed) = ("caf\u{E9} \u{D55C}", "cafe\u{301} \u{1112}\u{1161}\u{11AB}")
        let parameters = PassphraseParameters.weakest
        let key = try SecretKey(passphrase: composed, parameters: parameters)
        #expect(try SecretKey(passphrase: decomposed, parameters: parameters).identifier == key.identifier)
        #expect(try SecretKey(passphrase: "cafe \u{D55C}", parameters: parameters).identifier != key.identifier)
        // As an earlier version has stored them.
        let encoded = try JSONEncoder().encode(parameters)
        var object = try #require(try JSONSerialization.jsonObject(with: encoded) as? [String: Any])
        #expect(object.removeValue(forKey: "isNormalizing") as? Bool == true)
        let data = try JSONSerialization.data(withJSONObject: object)
        let earlier = try JSONDecoder().decode(PassphraseParameters.self, from: data)
        #expect(!earlier.isNormalizing && earlier.salt == parameters.salt)
        #expect(try SecretKey(passphrase: composed, parameters: earlier).identifier == key.identifier)
        #expect(try SecretKey(passphrase: decomposed, parameters: earlier).identifier != key.identifier)
        #expect(try JSONDecoder().decode(PassphraseParameters.self, from: encoded) == parameters)
    }
}
