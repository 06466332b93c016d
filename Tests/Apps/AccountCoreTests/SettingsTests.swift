import Foundation
import LocalProvider
import TestSupport
import Testing

@testable import AccountCore

@Suite("Settings")
struct SettingsTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory("settings") }

    private func local() -> LocalProvider {
        LocalProvider(location: FileStoreLocation(directory: folder.path))
    }

    @Test("Settings are blank for a new user, and a second process reads what was saved")
    func roundTrip() async throws {
        let settings = LocalSettings(local: local())
        #expect(try await settings.settings() == Settings())
        let saved = Settings(name: "지수", favouriteBreed: "pug")
        try await settings.save(saved)
        let other = LocalSettings(local: local())
        #expect(try await other.settings() == saved)
        #expect(await other.damage().isEmpty)
    }

    @Test("Settings that cannot be decoded are an error, and saving preserves them under another key")
    func unreadable() async throws {
        let provider = local()
        let wrong = JSONValue.object(["name": .integer(7)])
        try provider.set(LocalKey("settings", of: JSONValue.self, in: .defaults), to: wrong)
        let settings = LocalSettings(local: provider)
        await #expect(throws: LocalError.self) { try await settings.settings() }
        #expect(await settings.damage().first?.hasPrefix("the settings cannot be read") == true)
        try await settings.save(Settings(name: "지수"))
        #expect(try await settings.settings().name == "지수")
        let preserved = LocalKey(LocalSettings.unreadableKey, of: JSONValue.self, in: .defaults)
        #expect(try provider.value(of: preserved) == wrong)
    }

    @Test("A damaged file is reported until its copy is deleted, also by later processes")
    func damaged() async throws {
        try await LocalSettings(local: local()).save(Settings(name: "지수"))
        let file = folder.file("defaults.journal")
        try Data("garbage".utf8).write(to: file)
        for _ in 0..<2 {
            let damage = await LocalSettings(local: local()).damage()
            #expect(damage.count == 1)
            #expect(damage.first?.contains(file.path) == true)
            #expect(damage.first?.contains("defaults.journal.damaged") == true)
        }
        try FileManager.default.removeItem(at: folder.file("defaults.journal.damaged"))
        #expect(await LocalSettings(local: local()).damage().isEmpty)
    }
}
