package import AccountCore
package import LocalProvider

/// Settings in memory that record what was saved.
@MainActor
package final class FakeSettings: SettingsStoring {
    package private(set) var present: Settings
    /// The error that reading throws.
    package var readFailure: LocalError?
    /// The error that saving throws.
    package var failure: LocalError?
    /// The saved settings, in their order.
    package private(set) var saved: [Settings] = []

    package init(_ settings: Settings = Settings()) { present = settings }

    package func settings() async throws(LocalError) -> Settings {
        if let readFailure { throw readFailure }
        return present
    }

    package func save(_ settings: Settings) async throws(LocalError) {
        if let failure { throw failure }
        saved.append(settings)
        present = settings
    }

    package func damage() async -> [String] {
        readFailure.map { ["the settings cannot be read: \($0)"] } ?? []
    }
}
