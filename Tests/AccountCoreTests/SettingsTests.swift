import AccountCore
import LocalProvider
import TestSupport
import Testing

@Suite("Settings")
struct SettingsTests {
    @Test("Settings are blank for a new user, and a second process reads what was saved")
    func roundTrip() async throws {
        let folder = try TemporaryDirectory("settings")
        let settings = LocalSettings(local: LocalProvider(location: FileStoreLocation(directory: folder.path)))
        #expect(await settings.settings() == Settings())
        let saved = Settings(name: "지수", favouriteBreed: "pug")
        try await settings.save(saved)
        let other = LocalSettings(local: LocalProvider(location: FileStoreLocation(directory: folder.path)))
        #expect(await other.settings() == saved)
    }
}
