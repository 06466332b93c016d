import LocalProvider

@testable import TodoApp

/// Settings in memory, with what was saved kept for the test.
@MainActor
final class FakeSettings: SettingsStoring {
    private(set) var present: Settings
    /// What saving throws.
    var failure: LocalError?
    /// What was saved, in order.
    private(set) var saved: [Settings] = []

    init(_ settings: Settings = Settings()) {
        present = settings
    }

    func settings() async -> Settings { present }

    func save(_ settings: Settings) async throws(LocalError) {
        if let failure { throw failure }
        saved.append(settings)
        present = settings
    }
}
