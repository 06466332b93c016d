package import AccountCore
package import LocalProvider

/// Settings in memory, with what was saved kept for the test.
@MainActor
package final class FakeSettings: SettingsStoring {
    package private(set) var present: Settings
    /// What saving throws.
    package var failure: LocalError?
    /// What was saved, in order.
    package private(set) var saved: [Settings] = []

    package init(_ settings: Settings = Settings()) {
        present = settings
    }

    package func settings() async -> Settings { present }

    package func save(_ settings: Settings) async throws(LocalError) {
        if let failure { throw failure }
        saved.append(settings)
        present = settings
    }
}
